extension AVCaptureSession {
  /// The quality that a session asks of its devices.
  ///
  /// Apple: `AVCaptureSession.Preset`.
  public typealias Preset = AVCaptureSessionPreset
}
