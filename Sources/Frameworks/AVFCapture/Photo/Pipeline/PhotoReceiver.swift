internal import CaptureDevice
package import PhotoProcessing

/// The receiver of a photo, to which the pipeline reports each step at most once and in order.
///
/// Thread-safe; must only enqueue.
package protocol PhotoReceiver: Sendable {
  /// The photo is under way.
  func begin()
  /// The exposure begins.
  func beginExposure()
  /// The exposure is over; `inFlight`, for which a manual clock waits, is kept until the end.
  func endExposure(inFlight: (any AnyObject & Sendable)?)
  /// A picture is finished, or failed with `error`; in the pictures' order, of each exposure the raw one first.
  func finish(_ index: Int, _ result: PhotoResult, error: (any Error)?)
}
