internal import Glibc

/// The clock that goes on while the machine is asleep, and that is never set.
///
/// For schedules of hours and days; moments of frames and timeouts are on `CLOCK_MONOTONIC` (``MonotonicInstant``), which stands still
/// meanwhile.
package enum BootClock {
  /// Nanoseconds since the machine was booted, time asleep included.
  ///
  /// C: `clock_gettime(CLOCK_BOOTTIME)`.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
