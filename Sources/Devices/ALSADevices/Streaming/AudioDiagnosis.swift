/// What a microphone's stream has seen since its last start; for `doctor` and for tests.
package struct AudioDiagnosis: Sendable, Hashable {
  /// Stretches that the device has taken, read or lost.
  package var captured = 0
  /// Stretches handed to the receiver.
  package var delivered = 0
  /// Stretches lost, because nobody read them in time or the card slept.
  package var dropped = 0
  /// How often the device ran out of room for what nobody had read.
  package var overruns = 0
  /// How often the device had no stamp, or one that could not be right.
  package var arrivalStamps = 0
  /// How often the device's stamps have jumped.
  package var jumps = 0

  /// Nothing seen yet.
  package init() {}
}
