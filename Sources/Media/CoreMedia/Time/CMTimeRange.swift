/// The time from `start` to just before `start + duration`.
///
/// The duration has epoch 0 and is not negative. Apple: `CMTimeRange`.
public struct CMTimeRange: Sendable, BitwiseCopyable {
  /// The first moment of the range.
  public var start: CMTime
  /// How long the range is.
  public var duration: CMTime

  /// An invalid range.
  public init() {
    start = .invalid
    duration = .invalid
  }

  /// Takes the fields as they are.
  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }

  /// The range between two times; see ``CMTimeRangeFromTimeToTime(start:end:)``.
  public init(start: CMTime, end: CMTime) {
    self = CMTimeRangeFromTimeToTime(start: start, end: end)
  }

  /// The empty range at zero.
  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  /// No range at all.
  public static let invalid = CMTimeRange()
}

extension CMTimeRange: Hashable {
  /// Whether both times are valid and the duration is not negative.
  public var isValid: Bool {
    start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0
  }

  /// Whether start or duration of a valid range is not known.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

  /// Whether a valid range has no duration.
  public var isEmpty: Bool { isValid && duration == .zero }

  /// The first moment behind the range.
  public var end: CMTime { CMTimeRangeGetEnd(self) }

  /// The smallest range around both.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
    CMTimeRangeGetUnion(self, otherRange: otherRange)
  }

  /// The range inside both.
  public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
    CMTimeRangeGetIntersection(self, otherRange: otherRange)
  }

  /// Whether a time is inside.
  public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }

  /// Whether a whole range is inside.
  public func containsTimeRange(_ range: CMTimeRange) -> Bool {
    CMTimeRangeContainsTimeRange(self, otherRange: range)
  }
}

/// Makes the range from `start` on; invalid when the duration has an epoch.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalid
}

/// Makes the range between two times; its duration is `end - start`, negative (an invalid range) when they are swapped.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
  var duration = CMTimeSubtract(end, start)
  // An end without an epoch still ends a range of durations, not of moments.
  if start.epoch != end.epoch { duration = .invalid }
  return CMTimeRange(start: start, duration: duration)
}

/// Gives the first moment behind a range; invalid for an invalid range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime {
  CMTimeAdd(range.start, range.duration)
}

/// Whether two ranges have the same start and the same duration.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
  range1 == range2
}

/// Whether a time is inside a range: at its start or later, before its end.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
  guard range.isValid, time.isNumeric else { return false }
  return range.start <= time && time < range.end
}

/// Whether the second range is inside the first; ends may coincide.
///
/// An empty range is inside when its start is.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
  guard range.isValid, otherRange.isValid else { return false }
  guard !otherRange.isEmpty else { return CMTimeRangeContainsTime(range, time: otherRange.start) }
  return range.start <= otherRange.start && otherRange.end <= range.end
}

/// Gives the smallest range around both, with what lies between them.
///
/// - Returns: The other range when one is invalid.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  guard range.isValid else { return otherRange }
  guard otherRange.isValid else { return range }
  return CMTimeRangeFromTimeToTime(
    start: CMTimeMinimum(range.start, otherRange.start), end: CMTimeMaximum(range.end, otherRange.end))
}

/// Gives the range inside both; empty at zero when they do not meet, invalid when one is invalid.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  guard range.isValid, otherRange.isValid else { return .invalid }
  let start = CMTimeMaximum(range.start, otherRange.start)
  let end = CMTimeMinimum(range.end, otherRange.end)
  guard start < end else { return .zero }
  return CMTimeRangeFromTimeToTime(start: start, end: end)
}
