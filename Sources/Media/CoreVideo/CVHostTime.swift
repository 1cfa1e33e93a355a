internal import Linux

/// The host clock's present tick: nanoseconds of `CLOCK_MONOTONIC`, the clock of frame stamps.
public func CVGetCurrentHostTime() -> UInt64 {
  UInt64(MonotonicInstant.now.nanoseconds)
}

/// How many ticks of the host clock make a second: 1,000,000,000.
public func CVGetHostClockFrequency() -> Double {
  1_000_000_000
}

/// The smallest difference between two ticks of the host clock: 1.
public func CVGetHostClockMinimumTimeDelta() -> UInt32 {
  1
}
