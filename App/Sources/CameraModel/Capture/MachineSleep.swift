import Glibc

/// The time that the machine was asleep, for schedules that go on meanwhile: the times of pictures stand still.
enum MachineSleep {
  /// Nanoseconds since the machine was booted.
  ///
  /// C: `CLOCK_BOOTTIME` without `CLOCK_MONOTONIC`.
  static var nanoseconds: Int64 { time(CLOCK_BOOTTIME) - time(CLOCK_MONOTONIC) }

  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
