/// Counters of a kernel camera's stream since its last start; for `doctor` and for tests.
package struct StreamDiagnosis: Sendable, Hashable {
  /// Frames that the driver counted up to the stop.
  package var captured = 0
  /// Frames handed to the receiver.
  package var delivered = 0
  /// Frames lost because clients held every buffer that they may.
  package var droppedOutOfBuffers = 0
  /// Frames that the driver skipped, marked broken, or that did not parse.
  package var droppedDiscontinuity = 0
  /// Frames that bear the time of their arrival, because the driver's stamp was of another clock, far off, or did
  /// not advance.
  package var arrivalStamps = 0
  /// Times that the driver's sequence numbers stood still, went back, or jumped.
  package var renumberings = 0
  /// Times that the driver refused a buffer that came back; it was offered again later.
  package var refusedReturns = 0

  /// Counters at zero.
  package init() {}

  /// All dropped frames; with ``delivered`` they make up ``captured``.
  package var dropped: Int { droppedOutOfBuffers + droppedDiscontinuity }
}
