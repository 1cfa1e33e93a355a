internal import CaptureDevice

extension AVCaptureDevice.Format {
  /// Whether pictures of the format can be stabilized so; `off` and `auto` always can.
  ///
  /// Apple: `AVCaptureDevice.Format.isVideoStabilizationModeSupported(_:)`.
  public func isVideoStabilizationModeSupported(
    _ videoStabilizationMode: AVCaptureVideoStabilizationMode
  ) -> Bool {
    switch videoStabilizationMode {
    case .off, .auto: true
    default: videoStabilizationMode.resolved(among: streamFormat?.stabilizationModes ?? []) != .off
    }
  }
}
