extension AVCaptureConnection {
  /// Whether pictures are stabilized as the device thinks best: `preferredVideoStabilizationMode` is other than `off`.
  ///
  /// Setting `true` prefers `auto`, `false` prefers `off`; `true` where ``isVideoStabilizationSupported`` is `false` is a programming mistake
  /// without effect.
  ///
  /// Apple: `AVCaptureConnection.enablesVideoStabilizationWhenAvailable`; deprecated there.
  public var enablesVideoStabilizationWhenAvailable: Bool {
    get { preferredVideoStabilizationMode != .off }
    set {
      guard newValue != enablesVideoStabilizationWhenAvailable else { return }
      preferredVideoStabilizationMode = newValue ? .auto : .off
    }
  }

  /// Whether pictures are stabilized now: ``activeVideoStabilizationMode`` is other than `off`.
  ///
  /// Apple: `AVCaptureConnection.isVideoStabilizationEnabled`; deprecated there.
  public var isVideoStabilizationEnabled: Bool { activeVideoStabilizationMode != .off }
}
