public import FoundationExtras
internal import Linux

/// Seconds on the host's steady clock, the one that frames are stamped with.
///
/// C: `clock_gettime(CLOCK_MONOTONIC)`. It never jumps and does not advance while the machine sleeps.
public func CACurrentMediaTime() -> CFTimeInterval {
  CFTimeInterval(MonotonicInstant.now.nanoseconds) / 1_000_000_000
}
