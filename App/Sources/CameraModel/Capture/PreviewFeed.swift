import AVFoundation
import Dispatch

/// A picture of the preview, ready to be shown.
package struct LivePicture: Sendable {
  /// BGRA, upright, mirrored where mirrors are wanted.
  package let picture: PictureBytes
  /// The size of the camera's frames, upright.
  package let frameSize: CGSize
  /// Seconds from the exposure until the picture was made.
  package let latency: Double
}

/// Makes pictures of the newest frames for the screen, on a queue of its own.
///
/// Frames that come while a picture is made are left out but the newest one. Pictures have the size of the place where they
/// are shown, so that they are scaled once only.
package final class PreviewFeed: @unchecked Sendable {
  // Safe because what changes is guarded, or used on `queue` alone.

  private struct Shared {
    var handler: (@Sendable (LivePicture) -> Void)?
    var place = CGSize(width: 960, height: 720)
    var geometry: PreviewGeometry?
    var filter = PhotoFilter.none
    var pictures = 0
    var late = 0
  }

  private let layer = AVCaptureVideoPreviewLayer()
  private let frames: PreviewFrames
  private let painter: FramePainter
  private let shared = Guarded(Shared())

  init() {
    frames = layer.frames
    painter = FramePainter(layer)
    let task = CombinedTask(label: "camera.preview", qos: .userInteractive) { [weak self] in self?.make() }
    frames.setFrameHandler { [weak self] in
      if task.request() { self?.shared.change { $0.late += 1 } }
    }
  }

  deinit {
    frames.setFrameHandler(nil)
  }

  /// Calls `handler` with each picture, on the feed's queue.
  package func setHandler(_ handler: (@Sendable (LivePicture) -> Void)?) {
    shared.change { $0.handler = handler }
  }

  /// The size of the place where pictures are shown, in the screen's pixels.
  package func setPlace(_ size: CGSize) {
    shared.change { $0.place = size }
  }

  /// The look of the pictures from the next one on.
  func setFilter(_ filter: PhotoFilter) {
    shared.change { $0.filter = filter }
  }

  /// Pictures made until now, and frames that were left out because the next one was there.
  package var counts: (pictures: Int, late: Int) { shared.change { ($0.pictures, $0.late) } }

  /// Where the newest frame lies in a square of one by one: what converts between the picture as shown and the sensor.
  var unitGeometry: PreviewGeometry? { shared.change { $0.geometry } }

  /// Whether the feed is in no session yet; on the session's queue.
  var isDetached: Bool { layer.session == nil }

  /// Puts the feed into a session; on the session's queue, before the session starts.
  func attach(to session: AVCaptureSession) {
    layer.session = session
  }

  /// Whether the preview is shown like a mirror; on the session's queue.
  func setMirrored(_ isMirrored: Bool) {
    guard let connection = layer.connection, connection.isVideoMirroringSupported else { return }
    connection.automaticallyAdjustsVideoMirroring = false
    connection.isVideoMirrored = isMirrored
  }

  /// How the connection shows the camera, before its first frame; on the session's queue.
  var plannedGeometry: PreviewGeometry {
    let connection = layer.connection
    return PreviewGeometry(
      pictureSize: CGSize(width: 1, height: 1), rotationAngle: Int(connection?.videoRotationAngle ?? 0),
      isMirrored: connection?.isVideoMirrored ?? false, gravity: .resize,
      bounds: CGRect(x: 0, y: 0, width: 1, height: 1))
  }

  private func make() {
    guard let frame = frames.takeNewest() else { return }
    let (place, filter, handler) = shared.change { ($0.place, $0.filter, $0.handler) }
    guard let buffer = painter.paint(frame, in: place, filter) else { return }
    let geometry = frame.geometry(gravity: .resize, in: CGRect(x: 0, y: 0, width: 1, height: 1))
    shared.change { shared in
      shared.pictures += 1
      shared.geometry = geometry
    }
    let isTurned = frame.rotationAngle % 180 != 0
    let whole = geometry.pictureSize
    let latency = CMClock.hostTimeClock.time.seconds - frame.timestamp.seconds
    guard let picture = PictureBytes(buffer) else { return }
    handler?(
      LivePicture(
        picture: picture, frameSize: isTurned ? CGSize(width: whole.height, height: whole.width) : whole,
        latency: latency))
  }
}
