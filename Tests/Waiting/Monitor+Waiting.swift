package import Linux

extension MonotonicInstant {
  /// When a wait that begins with the call gives up: half a minute ahead.
  ///
  /// Far beyond what a busy machine takes, so it says that something never happens, not that it is slow.
  package static var limitOfWaits: MonotonicInstant { .now.advanced(byNanoseconds: 30_000_000_000) }

  /// Whether it is less than ten seconds ago.
  ///
  /// For what must return within a second though something hangs: code that waits for that does not return at all, and ten
  /// seconds leave a busy machine its time.
  package var isRecent: Bool { MonotonicInstant.now < advanced(byNanoseconds: 10_000_000_000) }
}

extension Monitor {
  /// Blocks until a change makes `isTrue` true of the value; false when none does within half a minute.
  ///
  /// Each change of the value wakes the caller to look again, so it returns with the event and no later.
  package func wait(_ isTrue: (Value) -> Bool) -> Bool {
    wait(until: .limitOfWaits, for: isTrue, then: { _ in true }) ?? false
  }

  /// The value as it is.
  package var now: Value { withLock { $0 } }
}

extension Monitor where Value: Equatable {
  /// Blocks until the value is `expected`; false when it is not within half a minute.
  package func wait(for expected: Value) -> Bool { wait { $0 == expected } }
}
