package import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Calls a handler when a timebase reaches a time.
///
/// Goes off once for each time it was set. On a clock that moves by hand it goes off as soon as the clock was moved past the time:
/// then the handler has returned before the clock's move does. Thread-safe.
package final class TimebaseAlarm: Sendable {
  private let timebase: CMTimebase
  private let identity: Identity

  private final class Identity: Sendable {}

  /// An alarm that is not set.
  ///
  /// - Parameters:
  ///   - timebase: Whose time counts.
  ///   - queue: Where the handler is called.
  ///   - handler: Called when the time has come, or has passed already when the alarm was set.
  package init(on timebase: CMTimebase, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    self.timebase = timebase
    identity = Identity()
    let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    timer.setEventHandler(handler: handler)
    timer.schedule(deadline: .distantFuture)
    timer.resume()
    let planned = Planned(timer: timer)
    timebase.timers.add(
      TimebaseTimers.Entry(
        timer: identity,
        plan: { delay in
          if delay == 0 {
            planned.timer.schedule(deadline: .distantFuture)
            queue.carry(handler)
          } else {
            planned.timer.schedule(
              deadline: delay.map { DispatchTime.now() + $0 } ?? .distantFuture, leeway: .nanoseconds(0))
          }
        }))
    self.planned = planned
  }

  private let planned: Planned

  private struct Planned: @unchecked Sendable {  // Safe because timers may be planned from any thread.
    let timer: any DispatchSourceTimer
  }

  deinit {
    _ = timebase.timers.remove(identity)
    planned.timer.cancel()
  }

  /// Sets the time at which it goes off; `nil` for never.
  package func set(_ time: CMTime?) {
    guard let entry = timebase.timers.setFireTime(time, of: identity) else { return }
    guard time != nil else { return entry.plan(nil) }
    timebase.timers.schedule(entry, on: timebase)
  }
}
