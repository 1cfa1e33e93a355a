internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension CMClock {
  /// Runs `body` on `queue` after a time on this clock, as long as what is returned is kept.
  func perform(
    afterNanoseconds nanoseconds: Int64, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) -> WorldTimer {
    let timer = WorldTimer(on: queue, time: worldTime, body)
    timer.set(afterNanoseconds: nanoseconds)
    return timer
  }

  /// The present moment on the clock.
  var now: MonotonicInstant {
    // Asked for each frame: without the way through fractions.
    if self === CMClock.hostTimeClock { return worldTime.now }
    return
      MonotonicInstant(
        nanoseconds: CMTimeConvertScale(time, timescale: 1_000_000_000, method: .default).value)
  }
}
