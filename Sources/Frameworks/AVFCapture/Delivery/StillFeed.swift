package import CameraFrames
package import CaptureDevice

/// The running device behind a connection, as photos use it.
///
/// Thread-safe.
package protocol StillFeed: AnyObject, Sendable {
  /// The device.
  var device: AVCaptureDevice { get }
  /// What is known of it.
  var facts: DeviceFacts { get }
  /// The way from its frames to their pictures.
  var processor: FrameProcessor { get }
  /// The newest frames, for photos of the past; `nil` when none are kept.
  var history: FrameHistory? { get }
  /// The newest depth maps, for photos; empty while no photo output wants any.
  var depths: DepthHistory { get }
  /// How many frames the device has delivered since it was opened.
  var deliveredFrames: Int { get }
  /// How many nanoseconds a frame takes now.
  var frameNanoseconds: Int64 { get }
  /// How many nanoseconds it may send nothing at present without being dead.
  var silenceNanoseconds: Int64 { get }
  /// Whether a frame is due that the machine gave the device no time to make.
  var isBehind: Bool { get }

  /// How long after its exposure a frame is kept back, because the stabilization looks ahead.
  var lookAheadNanoseconds: Int64 { get }

  /// Delivers one full-size picture, once, on the thread of the device's events.
  ///
  /// - Parameters:
  ///   - request: The size is one of the stream format's still sizes.
  ///   - completion: Called exactly once; must only enqueue. `noFrames` when the device does not stream any more (then on
  ///     the calling thread).
  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void)
}
