public import FoundationExtras

/// A ``CMClock`` or a ``CMTimebase``.
public typealias CMClockOrTimebase = AnyObject

/// The namespace of ``CMSync/Error``.
///
/// Apple: `CMSync`.
public struct CMSync {}

/// A source of time: a clock or a timebase.
///
/// Apple: `CMSyncProtocol`.
public protocol CMSyncProtocol {
  /// How fast this runs on top of another.
  func rate<T>(relativeTo clockOrTimebase: T) -> Double where T: CMSyncProtocol
  /// How fast this runs on top of another, and a moment on both.
  func rateAndAnchorTime<T>(relativeTo clockOrTimebase: T) throws -> (
    rate: Double, anchorTime: CMTime, referenceTime: CMTime
  ) where T: CMSyncProtocol
  /// The time of another when this shows `time`; invalid when this stands still.
  func convertTime<T>(_ time: CMTime, to clockOrTimebase: T) -> CMTime where T: CMSyncProtocol
  /// Whether the two may drift apart.
  func mightDrift<T>(relativeTo clockOrTimebase: T) -> Bool where T: CMSyncProtocol
  /// The time now.
  var time: CMTime { get }
}

extension CMSyncProtocol {
  /// How fast this runs on top of another.
  public func rate<T>(relativeTo clockOrTimebase: T) -> Double where T: CMSyncProtocol {
    CMSyncGetRelativeRate(self as AnyObject, relativeTo: clockOrTimebase as AnyObject)
  }

  /// How fast this runs on top of another, and a moment on both.
  ///
  /// - Throws: `CMSync.Error.rateMustBeNonZero` when the other stands still.
  public func rateAndAnchorTime<T>(relativeTo clockOrTimebase: T) throws -> (
    rate: Double, anchorTime: CMTime, referenceTime: CMTime
  ) where T: CMSyncProtocol {
    var rate = 0.0
    var (anchor, reference) = (CMTime.invalid, CMTime.invalid)
    try throwUnlessSucceeded(
      CMSyncGetRelativeRateAndAnchorTime(
        self as AnyObject, relativeTo: clockOrTimebase as AnyObject, relativeRateOut: &rate,
        ofClockOrTimebaseAnchorTimeOut: &anchor, relativeToClockOrTimebaseAnchorTimeOut: &reference))
    return (rate, anchor, reference)
  }

  /// The time of another when this shows `time`; invalid when this stands still.
  public func convertTime<T>(_ time: CMTime, to clockOrTimebase: T) -> CMTime where T: CMSyncProtocol {
    CMSyncConvertTime(time, from: self as AnyObject, to: clockOrTimebase as AnyObject)
  }

  /// Whether the two may drift apart.
  public func mightDrift<T>(relativeTo clockOrTimebase: T) -> Bool where T: CMSyncProtocol {
    CMSyncMightDrift(self as AnyObject, otherClockOrTimebase: clockOrTimebase as AnyObject)
  }
}

extension CMClock: CMSyncProtocol {}
extension CMTimebase: CMSyncProtocol {}

/// Gives the time of a clock or timebase now; invalid for anything else.
public func CMSyncGetTime(_ clockOrTimebase: CMClockOrTimebase) -> CMTime {
  if let clock = clockOrTimebase as? CMClock { return clock.time }
  return (clockOrTimebase as? CMTimebase)?.time ?? .invalid
}

/// Gives how fast one runs on top of the other; not-a-number when the other stands still.
///
/// Two clocks count as equally fast.
public func CMSyncGetRelativeRate(
  _ ofClockOrTimebase: CMClockOrTimebase, relativeTo relativeToClockOrTimebase: CMClockOrTimebase
) -> Float64 {
  let rate = speed(relativeToClockOrTimebase)
  return rate == 0 ? .nan : speed(ofClockOrTimebase) / rate
}

/// Gives how fast one runs on top of the other, and a moment on both.
///
/// - Returns: ``kCMSyncError_RateMustBeNonZero`` when the other stands still.
@discardableResult
public func CMSyncGetRelativeRateAndAnchorTime(
  _ ofClockOrTimebase: CMClockOrTimebase, relativeTo relativeToClockOrTimebase: CMClockOrTimebase,
  relativeRateOut outRelativeRate: UnsafeMutablePointer<Float64>?,
  ofClockOrTimebaseAnchorTimeOut outOfClockOrTimebaseAnchorTime: UnsafeMutablePointer<CMTime>?,
  relativeToClockOrTimebaseAnchorTimeOut outRelativeToClockOrTimebaseAnchorTime: UnsafeMutablePointer<CMTime>?
) -> OSStatus {
  let rate = CMSyncGetRelativeRate(ofClockOrTimebase, relativeTo: relativeToClockOrTimebase)
  guard rate.isFinite else { return kCMSyncError_RateMustBeNonZero }
  let reference = CMSyncGetTime(relativeToClockOrTimebase)
  let anchor = CMSyncConvertTime(reference, from: relativeToClockOrTimebase, to: ofClockOrTimebase)
  outRelativeRate?.pointee = rate
  outOfClockOrTimebaseAnchorTime?.pointee = anchor
  outRelativeToClockOrTimebaseAnchorTime?.pointee = reference
  return noErr
}

/// Gives what one shows when the other shows `time`.
///
/// Two clocks are compared as they are at the moment of the call, and count as equally fast.
///
/// - Returns: Invalid when `fromClockOrTimebase` stands still, or when one is neither clock nor timebase.
public func CMSyncConvertTime(
  _ time: CMTime, from fromClockOrTimebase: CMClockOrTimebase, to toClockOrTimebase: CMClockOrTimebase
) -> CMTime {
  // Climb down only as far as both share, so that nothing is rounded or read that need not be.
  let down = foundations(fromClockOrTimebase)
  let up = foundations(toClockOrTimebase)
  let shared = down.firstIndex { candidate in up.contains { $0 === candidate } }
  var time = time
  for timebase in down[..<(shared ?? down.count - 1)] {
    guard let course = (timebase as? CMTimebase)?.currentCourse else { return .invalid }
    time = course.sourceTime(at: time)
  }
  var meeting = up.count - 1
  if let shared {
    meeting = up.firstIndex { $0 === down[shared] } ?? meeting
  } else if let from = down.last as? CMClock, let to = up.last as? CMClock {
    time = time + to.time - from.time
  } else {
    return .invalid
  }
  for timebase in up[..<meeting].reversed() {
    guard let course = (timebase as? CMTimebase)?.currentCourse else { return .invalid }
    time = course.time(whenSourceIs: time)
  }
  return time
}

/// Whether two may drift apart: their clocks are not the same.
public func CMSyncMightDrift(
  _ clockOrTimebase1: CMClockOrTimebase, otherClockOrTimebase clockOrTimebase2: CMClockOrTimebase
) -> Bool {
  foundations(clockOrTimebase1).last !== foundations(clockOrTimebase2).last
}

/// How fast one runs on top of its clock.
private func speed(_ clockOrTimebase: CMClockOrTimebase) -> Double {
  (clockOrTimebase as? CMTimebase)?.effectiveRate ?? 1
}

/// A timebase, what it runs on, what that runs on, down to the clock.
private func foundations(_ clockOrTimebase: CMClockOrTimebase) -> [CMClockOrTimebase] {
  var found = [clockOrTimebase]
  while let timebase = found.last as? CMTimebase { found.append(timebase.currentCourse.source) }
  return found
}
