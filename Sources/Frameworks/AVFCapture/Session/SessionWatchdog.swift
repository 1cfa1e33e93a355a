internal import Dispatch
internal import Linux

/// The timer by which a session looks after its devices.
struct SessionWatchdog {
  private var timer: (any DispatchSourceTimer)?
  /// When the timer was last set, and to how many nanoseconds.
  private(set) var last = (at: MonotonicInstant(nanoseconds: 0), asked: Int64(0))
  /// Whether the session is to try again for devices that other programs hold.
  var isRetryScheduled = false
  /// Keeps that planned on a clock that is moved by hand.
  var plannedRetry: (any AnyObject & Sendable)?

  /// Begins to call `look` on `queue`, first after a second, unless that has begun.
  mutating func begin(on queue: DispatchQueue, _ look: @escaping @Sendable () -> Void) {
    guard timer == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    self.timer = timer
    lookAgain(afterNanoseconds: 1_000_000_000)
    timer.setEventHandler(handler: look)
    timer.resume()
  }

  /// Has the next look come after so many nanoseconds, unless looking has ended.
  mutating func lookAgain(afterNanoseconds nanoseconds: Int64) {
    guard let timer else { return }
    last = (.now, nanoseconds)
    timer.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .milliseconds(10))
  }

  /// Ends looking; the caller cancels the timer, under no lock.
  mutating func end() -> (any DispatchSourceTimer)? { timer.take() }
}
