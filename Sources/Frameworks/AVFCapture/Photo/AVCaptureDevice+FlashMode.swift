extension AVCaptureDevice {
  /// Whether a flash fires with a photo.
  ///
  /// Source: [AVCaptureDevice.FlashMode](https://developer.apple.com/documentation/avfoundation/avcapturedevice/flashmode).
  public enum FlashMode: Int, Sendable {
    /// Never.
    case off = 0
    /// Always.
    case on = 1
    /// When the scene is dark.
    case auto = 2
  }
}
