extension AVCaptureDevice.Format {
  /// The classes of outputs that cannot be used while this format is active: none, for pictures are made of every format.
  ///
  /// Apple: `AVCaptureDevice.Format.unsupportedCaptureOutputClasses`.
  public var unsupportedCaptureOutputClasses: [AnyClass] { [] }
}
