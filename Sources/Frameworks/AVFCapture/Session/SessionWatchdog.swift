internal import Dispatch
internal import FoundationExtras
internal import Linux

/// The timer by which a session looks after its devices.
struct SessionWatchdog {
  /// When the first look comes.
  static let firstNanoseconds: Int64 = 1_000_000_000

  private var timer: WorldTimer?
  /// When the timer was last set, and to how many nanoseconds.
  private(set) var last = (at: MonotonicInstant(nanoseconds: 0), asked: Int64(0))
  /// Whether the session is to try again for devices that other programs hold.
  var isRetryScheduled = false
  /// Keeps that planned.
  var plannedRetry: (any AnyObject & Sendable)?

  /// Begins to call `look` on `queue`, first after a second, unless that has begun.
  ///
  /// - Returns: The timer of the first look, for ``lookAgain(afterNanoseconds:)``; `nil` when it has begun before.
  mutating func begin(on queue: DispatchQueue, _ look: @escaping @Sendable () -> Void) -> WorldTimer? {
    guard timer == nil else { return nil }
    let timer = WorldTimer(on: queue, leeway: .milliseconds(10), look)
    self.timer = timer
    return lookAgain(afterNanoseconds: Self.firstNanoseconds)
  }

  /// Notes that the next look comes after so many nanoseconds.
  ///
  /// - Returns: The timer, which the caller sets to that, under no lock; `nil` when looking has ended.
  mutating func lookAgain(afterNanoseconds nanoseconds: Int64) -> WorldTimer? {
    guard let timer else { return nil }
    last = (WorldTime.current.now, nanoseconds)
    return timer
  }

  /// Ends looking; the caller cancels the timer, under no lock.
  mutating func end() -> WorldTimer? { timer.take() }
}
