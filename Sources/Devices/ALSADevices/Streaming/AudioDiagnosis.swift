/// What a microphone's stream has seen since its last start; for `doctor` and for tests.
package struct AudioDiagnosis: Sendable, Hashable {
  /// Chunks that the device has taken, read or lost.
  package var captured = 0
  /// Chunks handed to the receiver.
  package var delivered = 0
  /// Chunks lost, because they were not read in time or the card slept.
  package var dropped = 0
  /// How often the device ran out of room for what was not read yet.
  package var overruns = 0
  /// How often the device had no stamp, or one that could not be right.
  package var arrivalStamps = 0
  /// How often the device's stamps have jumped.
  package var jumps = 0

  /// Nothing seen yet.
  package init() {}
}
