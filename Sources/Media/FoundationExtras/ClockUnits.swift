// The units in which C counts a second. Apple's Dispatch has them; that of Linux brings no macros along.

/// Nanoseconds in a second.
///
/// C: `NSEC_PER_SEC`.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000

/// Nanoseconds in a millisecond.
///
/// C: `NSEC_PER_MSEC`.
public let NSEC_PER_MSEC: UInt64 = 1_000_000

/// Microseconds in a second.
///
/// C: `USEC_PER_SEC`.
public let USEC_PER_SEC: UInt64 = 1_000_000

/// Nanoseconds in a microsecond.
///
/// C: `NSEC_PER_USEC`.
public let NSEC_PER_USEC: UInt64 = 1000
