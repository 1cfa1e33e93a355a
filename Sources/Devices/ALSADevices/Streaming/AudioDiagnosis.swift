/// Counters of a microphone's stream since its last start; for `doctor` and for tests.
package struct AudioDiagnosis: Sendable, Hashable {
  /// Chunks that the device has taken, read or lost.
  package var captured = 0
  /// Chunks handed to the receiver.
  package var delivered = 0
  /// Chunks lost, because they were not read in time or the card slept.
  package var dropped = 0
  /// Overruns: the device had no room left for unread samples.
  package var overruns = 0
  /// Chunks for which the device had no stamp, or an impossible one.
  package var arrivalStamps = 0
  /// Jumps of the device's stamps.
  package var jumps = 0

  /// Counters at zero.
  package init() {}
}
