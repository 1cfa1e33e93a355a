package import Glibc

/// A moment on `CLOCK_MONOTONIC`, the one clock of the house and of the kernel's frame stamps.
public struct MonotonicInstant: Sendable, Hashable, Comparable, Codable {
  /// Nanoseconds since the clock's epoch (on Linux: boot, without time asleep).
  public var nanoseconds: Int64

  /// The moment `nanoseconds` after the clock's epoch.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The moment of the call.
  ///
  /// C: `clock_gettime(CLOCK_MONOTONIC)`; some 20 ns.
  public static var now: MonotonicInstant {
    get {
      var time = Glibc.timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
  }

  /// Whether the left moment is the earlier one.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment `nanoseconds` later.
  public func advanced(byNanoseconds nanoseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: self.nanoseconds + nanoseconds)
  }

  /// The moment `seconds` later, or the last one that can be represented when that is beyond it.
  package func advanced(bySeconds seconds: Double) -> MonotonicInstant {
    let step = Int64(exactly: (seconds * 1e9).rounded()) ?? (seconds < 0 ? .min : .max)
    let (sum, isBeyond) = nanoseconds.addingReportingOverflow(step)
    return MonotonicInstant(nanoseconds: isBeyond ? (step < 0 ? .min : .max) : sum)
  }

  /// The same moment as C's `timespec`.
  package var timespec: timespec {
    Glibc.timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }

  /// Sleeps until this moment; nothing wakes the thread before.
  ///
  /// C: `clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME)`.
  package func sleepUntil() {
    var time = timespec
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
