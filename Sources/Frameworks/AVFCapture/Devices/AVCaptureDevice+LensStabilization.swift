extension AVCaptureDevice {
  /// What a stabilized lens did while a photo was exposed.
  ///
  /// Apple: `AVCaptureDevice.LensStabilizationStatus`.
  public enum LensStabilizationStatus: Int, Sendable {
    /// The camera's lens cannot be stabilized, or that cannot be asked for.
    case unsupported = 0
    /// It was not used.
    case off = 1
    /// The lens moved against the hand.
    case active = 2
    /// The hand moved further than the lens can.
    case outOfRange = 3
    /// The lens was not ready for it.
    case unavailable = 4
  }
}
