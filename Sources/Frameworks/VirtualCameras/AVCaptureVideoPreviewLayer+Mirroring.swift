internal import AVFoundation

extension AVCaptureVideoPreviewLayer {
  /// Shows what the camera sees, not a mirror of it, over the connection that the session has at present.
  func endMirroring() {
    guard let connection, connection.isVideoMirroringSupported else { return }
    connection.automaticallyAdjustsVideoMirroring = false
    connection.isVideoMirrored = false
  }
}
