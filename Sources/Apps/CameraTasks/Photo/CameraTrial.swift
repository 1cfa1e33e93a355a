package import AVFoundation

/// Tries whether a camera can be used, in the way of a photo.
package enum CameraTrial {
  /// Opens `camera` as for a photo, waits for its first frame, and closes it.
  ///
  /// Blocks until the frame is there, at most half a minute.
  /// - Throws: ``CameraTaskError``: what keeps a photo from being taken.
  package static func run(_ camera: AVCaptureDevice) throws(CameraTaskError) {
    let session = try PhotoSession(camera: camera, plan: PhotoPlan())
    defer { session.stop() }
    try session.start()
    try session.waitForFrame()
  }
}
