public import Foundation
public import FoundationExtras

extension CMTimebase {
  /// What the timeline runs on: a clock or a timebase.
  ///
  /// Setting it keeps the time.
  public var source: any CMSyncProtocol {
    get { currentCourse.source as? any CMSyncProtocol ?? CMClock.hostTimeClock }
    set { setSource(newValue as AnyObject) }
  }

  /// The clock that the timeline runs on; `nil` when it is a timebase.
  public var sourceClock: CMClock? { currentCourse.source as? CMClock }

  /// The timebase that the timeline runs on; `nil` when it is a clock.
  public var sourceTimebase: CMTimebase? { currentCourse.source as? CMTimebase }

  /// The clock at the bottom.
  public var ultimateSourceClock: CMClock {
    let source = currentCourse.source
    return source as? CMClock ?? (source as? CMTimebase)?.ultimateSourceClock ?? .hostTimeClock
  }

  /// The older spelling of ``source``.
  public var master: any CMSyncProtocol {
    get { source }
    set { source = newValue }
  }

  /// The older spelling of ``sourceClock``.
  public var masterClock: CMClock? { sourceClock }

  /// The older spelling of ``sourceTimebase``.
  public var masterTimebase: CMTimebase? { sourceTimebase }

  /// The older spelling of ``ultimateSourceClock``.
  public var ultimateMasterClock: CMClock { ultimateSourceClock }

  func setSource(_ source: CMClockOrTimebase) {
    guard sourceDependents(source) != nil, !isBelow(source) else { return }
    sourceDependents(currentCourse.source)?.remove(self)
    let moment = CMSyncGetTime(source)
    change { course in
      course.anchor = course.time
      course.sourceAnchor = moment
      course.source = source
    }
    sourceDependents(source)?.add(self)
  }

  /// Whether a timebase runs on this one, so that running on it would be a circle.
  private func isBelow(_ other: CMClockOrTimebase) -> Bool {
    guard let timebase = other as? CMTimebase else { return false }
    return timebase === self || isBelow(timebase.currentCourse.source)
  }

  /// The time now, in a timescale.
  public func time(withTimescale timescale: CMTimeScale, rounding: CMTimeRoundingMethod = .default) -> CMTime
  {
    CMTimeConvertScale(time, timescale: timescale, method: rounding)
  }

  /// Sets the time now.
  ///
  /// - Throws: `invalidParameter` when the time is not a number.
  public func setTime(_ time: CMTime) throws {
    try throwUnlessSucceeded(CMTimebaseSetTime(self, time: time))
  }

  /// Sets the time that the timeline shows when its source shows `referenceTime`.
  ///
  /// - Throws: `invalidParameter` when a time is not a number.
  public func setAnchorTime(_ anchorTime: CMTime, referenceTime: CMTime) throws {
    try throwUnlessSucceeded(
      CMTimebaseSetAnchorTime(self, timebaseTime: anchorTime, immediateSourceTime: referenceTime))
  }

  /// Sets the speed from now on; 0 stops.
  ///
  /// - Throws: `invalidParameter` when the rate is not finite.
  public func setRate(_ rate: Double) throws {
    try throwUnlessSucceeded(CMTimebaseSetRate(self, rate: rate))
  }

  /// Sets the speed, and the time that the timeline shows when its source shows `referenceTime`.
  ///
  /// - Throws: `invalidParameter` when the rate is not finite or a time is not a number.
  public func setRateAndAnchorTime(rate: Double, anchorTime: CMTime, referenceTime: CMTime) throws {
    try throwUnlessSucceeded(
      CMTimebaseSetRateAndAnchorTime(
        self, rate: rate, anchorTime: anchorTime, immediateSourceTime: referenceTime))
  }

  /// Waits until every notification of earlier changes is posted, which is so when the changing calls have returned.
  public func notificationBarrier() throws {}

  /// The speed on top of the clock has changed, here or below.
  ///
  /// Posted with the time of the event.
  public static let effectiveRateChanged = Notification.Name(kCMTimebaseNotification_EffectiveRateChanged)

  /// The time was set.
  ///
  /// Posted with the time of the event.
  public static let timeJumped = Notification.Name(kCMTimebaseNotification_TimeJumped)

  /// Names of entries in a notification's `userInfo`.
  ///
  /// Apple: `CMTimebase.NotificationKey`.
  public struct NotificationKey: RawRepresentable, Sendable, Hashable {
    /// The name.
    public var rawValue: CFString

    /// The entry with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// The time on the timebase at the event, as a dictionary for `CMTimeMakeFromDictionary`.
    public static let eventTime = NotificationKey(rawValue: kCMTimebaseNotificationKey_EventTime)
  }
}

/// The speed on top of the clock has changed.
public let kCMTimebaseNotification_EffectiveRateChanged: CFString =
  "kCMTimebaseNotification_EffectiveRateChanged"
/// The time was set.
public let kCMTimebaseNotification_TimeJumped: CFString = "kCMTimebaseNotification_TimeJumped"
/// The time on the timebase at the event, as a dictionary for `CMTimeMakeFromDictionary`.
public let kCMTimebaseNotificationKey_EventTime: CFString = "kCMTimebaseNotificationKey_EventTime"

/// Makes a timeline on top of a clock; it shows zero and stands still.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
  allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
  timebaseOut.pointee = CMTimebase(on: sourceClock)
  return noErr
}

/// Makes a timeline on top of another one; it shows zero and stands still.
@discardableResult
public func CMTimebaseCreateWithSourceTimebase(
  allocator: CFAllocator?, sourceTimebase: CMTimebase, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
  timebaseOut.pointee = CMTimebase(on: sourceTimebase)
  return noErr
}

/// The older spelling of `CMTimebaseCreateWithSourceClock`.
@discardableResult
public func CMTimebaseCreateWithMasterClock(
  allocator: CFAllocator?, masterClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
  CMTimebaseCreateWithSourceClock(allocator: allocator, sourceClock: masterClock, timebaseOut: timebaseOut)
}

/// The older spelling of `CMTimebaseCreateWithSourceTimebase`.
@discardableResult
public func CMTimebaseCreateWithMasterTimebase(
  allocator: CFAllocator?, masterTimebase: CMTimebase, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
  CMTimebaseCreateWithSourceTimebase(
    allocator: allocator, sourceTimebase: masterTimebase, timebaseOut: timebaseOut)
}

/// Gives what a timeline runs on.
public func CMTimebaseCopySource(_ timebase: CMTimebase) -> CMClockOrTimebase {
  timebase.currentCourse.source
}

/// Gives the clock that a timeline runs on; `nil` when it is a timebase.
public func CMTimebaseCopySourceClock(_ timebase: CMTimebase) -> CMClock? { timebase.sourceClock }

/// Gives the timebase that a timeline runs on; `nil` when it is a clock.
public func CMTimebaseCopySourceTimebase(_ timebase: CMTimebase) -> CMTimebase? { timebase.sourceTimebase }

/// Gives the clock at the bottom.
public func CMTimebaseCopyUltimateSourceClock(_ timebase: CMTimebase) -> CMClock {
  timebase.ultimateSourceClock
}

/// Lets a timeline run on a clock from now on, without changing its time.
@discardableResult
public func CMTimebaseSetSourceClock(_ timebase: CMTimebase, newSourceClock: CMClock) -> OSStatus {
  timebase.setSource(newSourceClock)
  return noErr
}

/// Lets a timeline run on another one from now on, without changing its time.
///
/// - Returns: ``kCMTimebaseError_InvalidParameter`` when that would be a circle.
@discardableResult
public func CMTimebaseSetSourceTimebase(_ timebase: CMTimebase, newSourceTimebase: CMTimebase) -> OSStatus {
  timebase.setSource(newSourceTimebase)
  return timebase.sourceTimebase === newSourceTimebase ? noErr : kCMTimebaseError_InvalidParameter
}

/// Gives the time now.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }

/// Gives the time now, in a timescale.
public func CMTimebaseGetTimeWithTimeScale(
  _ timebase: CMTimebase, timescale: CMTimeScale, method: CMTimeRoundingMethod
) -> CMTime {
  timebase.time(withTimescale: timescale, rounding: method)
}

/// Sets the time now.
///
/// - Returns: ``kCMTimebaseError_InvalidParameter`` when the time is not a number.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
  CMTimebaseSetAnchorTime(
    timebase, timebaseTime: time, immediateSourceTime: CMSyncGetTime(timebase.currentCourse.source))
}

/// Sets the time that a timeline shows when its source shows `immediateSourceTime`.
///
/// - Returns: ``kCMTimebaseError_InvalidParameter`` when a time is not a number.
@discardableResult
public func CMTimebaseSetAnchorTime(_ timebase: CMTimebase, timebaseTime: CMTime, immediateSourceTime: CMTime)
  -> OSStatus
{
  guard timebaseTime.isNumeric, immediateSourceTime.isNumeric else {
    return kCMTimebaseError_InvalidParameter
  }
  timebase.change {
    $0.anchor = timebaseTime
    $0.sourceAnchor = immediateSourceTime
  }
  return noErr
}

/// Gives how fast a timeline runs on top of its source.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Float64 { timebase.rate }

/// Gives the time now and the rate, of one moment.
@discardableResult
public func CMTimebaseGetTimeAndRate(
  _ timebase: CMTimebase, timeOut: UnsafeMutablePointer<CMTime>?, rateOut: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  let now = timebase.timeAndRate
  timeOut?.pointee = now.time
  rateOut?.pointee = now.rate
  return noErr
}

/// Sets the speed from now on; 0 stops.
///
/// - Returns: ``kCMTimebaseError_InvalidParameter`` when the rate is not finite.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Float64) -> OSStatus {
  guard rate.isFinite else { return kCMTimebaseError_InvalidParameter }
  let moment = CMSyncGetTime(timebase.currentCourse.source)
  timebase.change { course in
    course.anchor = course.time(whenSourceIs: moment)
    course.sourceAnchor = moment
    course.rate = rate
  }
  return noErr
}

/// Sets the speed, and the time that a timeline shows when its source shows `immediateSourceTime`.
///
/// - Returns: ``kCMTimebaseError_InvalidParameter`` when the rate is not finite or a time is not a number.
@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
  _ timebase: CMTimebase, rate: Float64, anchorTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
  guard rate.isFinite, anchorTime.isNumeric, immediateSourceTime.isNumeric else {
    return kCMTimebaseError_InvalidParameter
  }
  timebase.change {
    $0.anchor = anchorTime
    $0.sourceAnchor = immediateSourceTime
    $0.rate = rate
  }
  return noErr
}

/// Gives how fast a timeline runs on top of its clock.
public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Float64 { timebase.effectiveRate }

/// Waits until every notification of earlier changes is posted, which is so when the changing calls have returned.
@discardableResult
public func CMTimebaseNotificationBarrier(_ timebase: CMTimebase) -> OSStatus { noErr }
