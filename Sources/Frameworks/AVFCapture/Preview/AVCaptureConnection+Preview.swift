extension AVCaptureConnection {
  /// A connection of a camera's port to a preview layer; it works once a session has it.
  ///
  /// The layer must be in the session: `AVCaptureVideoPreviewLayer.setSessionWithNoConnection(_:)`. Apple:
  /// `AVCaptureConnection.init(inputPort:videoPreviewLayer:)`.
  public convenience init(
    inputPort port: AVCaptureInput.Port, videoPreviewLayer layer: AVCaptureVideoPreviewLayer
  ) {
    self.init(port: port, sink: layer.frames)
  }

  /// The layer that shows the media; `nil` for an output, and once the layer is gone.
  ///
  /// Apple: `AVCaptureConnection.videoPreviewLayer`.
  public var videoPreviewLayer: AVCaptureVideoPreviewLayer? {
    (sink as? PreviewFrames)?.layer
  }
}
