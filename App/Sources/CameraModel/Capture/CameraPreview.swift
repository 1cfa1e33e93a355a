import AVFoundation

/// The camera's preview: the layer that the window shows, and how its pictures lie.
package final class CameraPreview: @unchecked Sendable {
  // Safe because the layer's session is used on the session's queue alone, its place in the window on the main thread.

  /// The layer to show; on the main thread.
  package let layer = AVCaptureVideoPreviewLayer()

  private static let unit = CGRect(x: 0, y: 0, width: 1, height: 1)

  /// The newest frame's geometry in a square of one by one, which converts between the picture as shown and the sensor; `nil` before
  /// the first frame.
  var unitGeometry: PreviewGeometry? {
    layer.frames.takeNewest()?.geometry(gravity: .resize, in: Self.unit)
  }

  /// The geometry that the connection will give the camera's first frame; on the session's queue.
  var plannedGeometry: PreviewGeometry {
    let connection = layer.connection
    return PreviewGeometry(
      pictureSize: Self.unit.size, rotationAngle: Int(connection?.videoRotationAngle ?? 0),
      isMirrored: connection?.isVideoMirrored ?? false, gravity: .resize, bounds: Self.unit)
  }

  /// Whether the preview is in no session yet; on the session's queue.
  var isDetached: Bool { layer.session == nil }

  /// Puts the preview into a session; on the session's queue, before the session starts.
  func attach(to session: AVCaptureSession) {
    layer.session = session
  }

  /// Whether the preview is shown like a mirror; on the session's queue.
  func setMirrored(_ isMirrored: Bool) {
    guard let connection = layer.connection, connection.isVideoMirroringSupported else { return }
    connection.automaticallyAdjustsVideoMirroring = false
    connection.isVideoMirrored = isMirrored
  }
}
