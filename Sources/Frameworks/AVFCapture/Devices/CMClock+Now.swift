internal import CoreMedia
internal import Linux

extension CMClock {
  /// The present moment on the clock.
  var now: MonotonicInstant {
    if self === CMClock.hostTimeClock { return .now }
    return MonotonicInstant(
      nanoseconds: CMTimeConvertScale(time, timescale: 1_000_000_000, method: .default).value)
  }
}
