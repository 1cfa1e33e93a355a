public import Dispatch
public import Foundation
public import FoundationExtras
internal import Linux

/// The timers that wait for times of one timebase.
final class TimebaseTimers: Sendable {
  /// A client's timer; `plan` sets when it fires: so many seconds from now, or never.
  struct Entry: @unchecked Sendable {  // Safe because timers may be planned from any thread.
    let timer: AnyObject
    let plan: (TimeInterval?) -> Void
    var fireTime: CMTime?
  }

  private let entries = Locked<[ObjectIdentifier: Entry]>([:])

  func add(_ entry: Entry) {
    let old = entries.withLock { $0.updateValue(entry, forKey: ObjectIdentifier(entry.timer)) }
    withExtendedLifetime(old) {}
    entry.plan(nil)
  }

  /// Forgets a timer, which then never fires; `false` when it was not there.
  func remove(_ timer: AnyObject) -> Bool {
    let entry = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(timer)) }
    entry?.plan(nil)
    return entry != nil
  }

  func setFireTime(_ time: CMTime?, of timer: AnyObject) -> Entry? {
    entries.withLock { entries in
      entries[ObjectIdentifier(timer)]?.fireTime = time
      return entries[ObjectIdentifier(timer)]
    }
  }

  func reschedule(on timebase: CMTimebase) {
    let waiting = entries.withLock { Array($0.values) }
    for entry in waiting { schedule(entry, on: timebase) }
  }

  func schedule(_ entry: Entry, on timebase: CMTimebase) {
    guard let fireTime = entry.fireTime else { return }
    let now = timebase.timeAndRate.time
    let rate = timebase.effectiveRate
    guard fireTime.isNumeric, rate != 0 else { return entry.plan(nil) }
    let delay = (fireTime - now).seconds / rate
    guard delay > 0 else {
      // It fires once for each time it was set.
      _ = setFireTime(nil, of: entry.timer)
      return entry.plan(0)
    }
    entry.plan(timebase.ultimateSourceClock.movesByHand ? nil : delay)
  }
}

extension CMTimebase {
  /// An interval for repeating timers that never comes around; 256 years.
  public static let veryLongTimeInterval: CFTimeInterval = 256 * 365 * 24 * 60 * 60

  /// A date for timers that are not to fire by themselves.
  public static let farFuture: CFAbsoluteTime = Date.distantFuture.timeIntervalSinceReferenceDate

  /// Lets a timer fire by this timeline's time, on the queue it was made with; resume it as usual.
  ///
  /// - Throws: nothing today; Apple's call may.
  public func addTimer<T>(_ timer: T) throws where T: DispatchSourceTimer {
    timers.add(
      TimebaseTimers.Entry(
        timer: timer as AnyObject,
        plan: { delay in
          let deadline = delay.map { DispatchTime.now() + $0 } ?? .distantFuture
          timer.schedule(deadline: deadline, repeating: .never, leeway: .nanoseconds(0))
        }))
  }

  /// Lets a timer fire by this timeline's time, on a run loop.
  ///
  /// - Parameter timer: Repeating with ``veryLongTimeInterval``, so that firing does not end it.
  public func addTimer(_ timer: Timer, on runloop: RunLoop) throws {
    runloop.add(timer, forMode: .common)
    timers.add(
      TimebaseTimers.Entry(
        timer: timer,
        plan: { delay in timer.fireDate = delay.map { Date(timeIntervalSinceNow: $0) } ?? .distantFuture }))
  }

  /// Lets a timer no longer fire by this timeline's time.
  ///
  /// - Throws: `invalidParameter` when it does not.
  public func removeTimer<T>(_ timer: T) throws where T: DispatchSourceTimer {
    guard timers.remove(timer as AnyObject) else { throw Error.invalidParameter }
  }

  /// Lets a timer no longer fire by this timeline's time.
  ///
  /// - Throws: `invalidParameter` when it does not.
  public func removeTimer(_ timer: Timer) throws {
    guard timers.remove(timer) else { throw Error.invalidParameter }
  }

  /// Sets when a timer fires next, once; at once when that time has passed.
  ///
  /// - Throws: `invalidParameter` when the timer was not added or the time is invalid.
  public func setTimerNextFireTime<T>(_ timer: T, fireTime: CMTime) throws where T: DispatchSourceTimer {
    try setFireTime(fireTime, of: timer as AnyObject)
  }

  /// Sets when a timer fires next, once; at once when that time has passed.
  ///
  /// - Throws: `invalidParameter` when the timer was not added or the time is invalid.
  public func setTimerNextFireTime(_ timer: Timer, fireTime: CMTime) throws {
    try setFireTime(fireTime, of: timer)
  }

  /// Lets a timer fire now.
  ///
  /// - Throws: `invalidParameter` when the timer was not added.
  public func setTimerToFireImmediately<T>(_ timer: T) throws where T: DispatchSourceTimer {
    try fireNow(timer as AnyObject)
  }

  /// Lets a timer fire now.
  ///
  /// - Throws: `invalidParameter` when the timer was not added.
  public func setTimerToFireImmediately(_ timer: Timer) throws {
    try fireNow(timer)
  }

  private func setFireTime(_ fireTime: CMTime, of timer: AnyObject) throws {
    guard fireTime.isValid, let entry = timers.setFireTime(fireTime, of: timer) else {
      throw Error.invalidParameter
    }
    timers.schedule(entry, on: self)
  }

  private func fireNow(_ timer: AnyObject) throws {
    guard let entry = timers.setFireTime(nil, of: timer) else { throw Error.invalidParameter }
    entry.plan(0)
  }
}

/// Lets a dispatch timer fire by a timeline's time; see `CMTimebase.addTimer(_:)`.
@discardableResult
public func CMTimebaseAddTimerDispatchSource(_ timebase: CMTimebase, timerSource: any DispatchSourceTimer)
  -> OSStatus
{
  status { try timebase.addTimer(timerSource) }
}

/// Lets a dispatch timer no longer fire by a timeline's time.
@discardableResult
public func CMTimebaseRemoveTimerDispatchSource(_ timebase: CMTimebase, timerSource: any DispatchSourceTimer)
  -> OSStatus
{
  status { try timebase.removeTimer(timerSource) }
}

/// Sets when a dispatch timer fires next, once; at once when that time has passed.
///
/// - Parameter flags: 0; none are defined.
@discardableResult
public func CMTimebaseSetTimerDispatchSourceNextFireTime(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer, fireTime: CMTime, flags: UInt32
) -> OSStatus {
  status { try timebase.setTimerNextFireTime(timerSource, fireTime: fireTime) }
}

/// Lets a dispatch timer fire now.
@discardableResult
public func CMTimebaseSetTimerDispatchSourceToFireImmediately(
  _ timebase: CMTimebase, timerSource: any DispatchSourceTimer
) -> OSStatus {
  status { try timebase.setTimerToFireImmediately(timerSource) }
}

/// Lets a timer fire by a timeline's time, on a run loop.
@discardableResult
public func CMTimebaseAddTimer(_ timebase: CMTimebase, timer: Timer, runloop: RunLoop) -> OSStatus {
  status { try timebase.addTimer(timer, on: runloop) }
}

/// Lets a timer no longer fire by a timeline's time.
@discardableResult
public func CMTimebaseRemoveTimer(_ timebase: CMTimebase, timer: Timer) -> OSStatus {
  status { try timebase.removeTimer(timer) }
}

/// Sets when a timer fires next, once; at once when that time has passed.
///
/// - Parameter flags: 0; none are defined.
@discardableResult
public func CMTimebaseSetTimerNextFireTime(
  _ timebase: CMTimebase, timer: Timer, fireTime: CMTime, flags: UInt32
) -> OSStatus {
  status { try timebase.setTimerNextFireTime(timer, fireTime: fireTime) }
}

/// Lets a timer fire now.
@discardableResult
public func CMTimebaseSetTimerToFireImmediately(_ timebase: CMTimebase, timer: Timer) -> OSStatus {
  status { try timebase.setTimerToFireImmediately(timer) }
}

/// The result code of a call that throws.
private func status(_ body: () throws -> Void) -> OSStatus {
  do {
    try body()
    return noErr
  } catch {
    return OSStatus(clamping: (error as NSError).code)
  }
}
