package import CameraFrames
package import CaptureDevice
package import Linux

/// A camera that exposes photos while it runs.
///
/// Thread-safe.
package protocol PhotoExposer: Sendable {
  /// The way from its frames to their pictures, as it was at the press.
  var processor: FrameProcessor { get }
  /// The newest frames, for photos of the past; `nil` when none are kept.
  var history: FrameHistory? { get }

  /// Claims the depth map of a frame's moment; `nil` where depth is not measured. Waits for nothing.
  func claimDepth(at moment: MonotonicInstant) -> DepthClaim?

  /// The depth of a photo that a claimed map is of; `nil` when its memory cannot be had.
  func depthData(of map: CapturedDepth, as request: PhotoDepthRequest) -> AVDepthData?

  /// Delivers a past frame's full-size picture, or the next exposure when `frame` is `nil` or cannot be had any more.
  ///
  /// - Parameters:
  ///   - request: The request to the device if the next exposure is needed.
  ///   - completion: Called exactly once; must only enqueue. On the calling thread, before this returns, when the frame's
  ///     picture is at hand; else on any thread. A manual clock waits for the frame.
  func expose(
    _ request: StillRequest, of frame: PastFrame?,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void)
}

extension PhotoExposer {
  /// None.
  package func claimDepth(at moment: MonotonicInstant) -> DepthClaim? { nil }

  /// None.
  package func depthData(of map: CapturedDepth, as request: PhotoDepthRequest) -> AVDepthData? { nil }
}
