package import Linux
internal import StreamParts

/// The device's clock on ours, for both sensors of a run, so that what was seen at one time has one time.
///
/// A recording that begins anew has another relation to our clock; each lap has its own, and the sensors of a run may be in different ones.
package struct SensorTimes {
  private var laps: [Int: CameraClock] = [:]

  /// Knows nothing yet.
  package init() {}

  /// When a frame was made that the device stamped with `microseconds` in its lap `lap` and that arrived at `arrival`.
  package mutating func instant(ofMicroseconds microseconds: UInt64, lap: Int, arrival: MonotonicInstant)
    -> MonotonicInstant
  {
    let clock = laps[lap] ?? CameraClock()
    laps[lap] = clock
    laps[lap - 2] = nil
    // More than a hundred years are no time.
    let nanoseconds = Int64(min(microseconds, 1 << 52)) * 1000
    return clock.instant(of: nanoseconds, arrival: arrival)
  }
}
