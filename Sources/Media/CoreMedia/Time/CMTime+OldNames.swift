// The names that CMTime.h has in C; Swift's stand in their place, and the compiler offers to put them there.

/// No time has passed, by its name in C.
@available(*, unavailable, renamed: "CMTime.zero")
public var kCMTimeZero: CMTime { .zero }

/// No time, by its name in C.
@available(*, unavailable, renamed: "CMTime.invalid")
public var kCMTimeInvalid: CMTime { .invalid }

/// A time that is not known, by its name in C.
@available(*, unavailable, renamed: "CMTime.indefinite")
public var kCMTimeIndefinite: CMTime { .indefinite }

/// Later than every number, by its name in C.
@available(*, unavailable, renamed: "CMTime.positiveInfinity")
public var kCMTimePositiveInfinity: CMTime { .positiveInfinity }

/// Earlier than every number, by its name in C.
@available(*, unavailable, renamed: "CMTime.negativeInfinity")
public var kCMTimeNegativeInfinity: CMTime { .negativeInfinity }

/// An empty range at zero, by its name in C.
@available(*, unavailable, renamed: "CMTimeRange.zero")
public var kCMTimeRangeZero: CMTimeRange { .zero }

/// No range, by its name in C.
@available(*, unavailable, renamed: "CMTimeRange.invalid")
public var kCMTimeRangeInvalid: CMTimeRange { .invalid }

/// No mapping, by its name in C.
@available(*, unavailable, renamed: "CMTimeMapping.invalid")
public var kCMTimeMappingInvalid: CMTimeMapping { .invalid }
