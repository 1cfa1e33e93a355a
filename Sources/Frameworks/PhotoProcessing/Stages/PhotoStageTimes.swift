package import Linux

/// The times at which a photo passed each stage, on `CLOCK_MONOTONIC`; `nil` for a stage that it did not reach.
///
/// Real time also when the devices run on a simulated clock, in whose time processing takes none: it is what the machine took, and nothing is
/// decided by it there.
package struct PhotoStageTimes: Sendable, Hashable {
  /// `capturePhoto(with:delegate:)` was called.
  package var pressed: MonotonicInstant
  /// Its turn had come: the frame was chosen, or the device was asked for one.
  package var chosen: MonotonicInstant?
  /// The last of its frames was there.
  package var captured: MonotonicInstant?
  /// Developing began: the pictures before it were through.
  package var developing: MonotonicInstant?
  /// The pictures were developed.
  package var processed: MonotonicInstant?
  /// Encoding began.
  package var encoding: MonotonicInstant?
  /// The file was written.
  package var encoded: MonotonicInstant?

  package init(pressed: MonotonicInstant) {
    self.pressed = pressed
  }

  /// The moment of the call, for these times.
  package static var now: MonotonicInstant { .now }

  /// Nanoseconds that developing took, and encoding; 0 for a stage that was not reached.
  package var work: (developing: Int64, encoding: Int64) {
    func span(_ begin: MonotonicInstant?, _ end: MonotonicInstant?) -> Int64 {
      guard let begin, let end else { return 0 }
      return end.nanoseconds - begin.nanoseconds
    }
    return (span(developing, processed), span(encoding, encoded))
  }
}
