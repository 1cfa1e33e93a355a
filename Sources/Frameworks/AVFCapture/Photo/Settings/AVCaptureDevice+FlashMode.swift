internal import CaptureDevice

extension AVCaptureDevice {
  /// The mode of the flash for a photo: off, on, or automatic.
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

extension AVCaptureDevice.FlashMode {
  init(_ mode: FlashMode) {
    self =
      switch mode {
      case .off: .off
      case .on: .on
      case .auto: .auto
      }
  }

  /// Whether the flash fires for a picture that is taken while a camera's controls stand at `controls`.
  func fires(when controls: ControlState) -> Bool {
    switch self {
    case .off: false
    case .on: true
    case .auto: controls.isDark
    }
  }
}

extension FlashMode {
  init(_ mode: AVCaptureDevice.FlashMode) {
    self =
      switch mode {
      case .off: .off
      case .on: .on
      case .auto: .auto
      }
  }
}
