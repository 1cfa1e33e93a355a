internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension CMClock {
  /// Runs `body` on `queue` after a time on this clock.
  ///
  /// - Returns: What keeps it planned on a clock that is moved by hand, which waits for it then; `nil` on others, where nothing does.
  func perform(
    afterNanoseconds nanoseconds: Int64, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? {
    guard movesByHand else {
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: body)
      return nil
    }
    return plan(at: now.advanced(byNanoseconds: nanoseconds)) { queue.carry(body) }
  }

  /// The present moment on the clock.
  var now: MonotonicInstant {
    if self === CMClock.hostTimeClock { return .now }
    return MonotonicInstant(
      nanoseconds: CMTimeConvertScale(time, timescale: 1_000_000_000, method: .default).value)
  }
}
