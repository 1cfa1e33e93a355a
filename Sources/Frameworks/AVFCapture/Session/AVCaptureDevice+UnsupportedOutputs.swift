internal import CaptureDevice

extension AVCaptureDevice.Format {
  /// The classes of outputs that cannot be used while this format is active: those that need pictures, for H.264; else none.
  ///
  /// Their connections are inactive then. A preview layer, which is no output, shows nothing either.
  ///
  /// Apple: `AVCaptureDevice.Format.unsupportedCaptureOutputClasses`.
  public var unsupportedCaptureOutputClasses: [AnyClass] {
    streamFormat?.encoding.form == .coded
      ? [AVCapturePhotoOutput.self, AVCaptureStillImageOutput.self, AVCaptureMetadataOutput.self] : []
  }
}
