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
    var isMaking = false
    var hasMore = false
    var pictures = 0
    var late = 0
  }

  private let layer = AVCaptureVideoPreviewLayer()
  private let frames: PreviewFrames
  private let queue = DispatchQueue(label: "camera.preview", qos: .userInteractive)
  private let shared = Guarded(Shared())
  private var pool: (size: CGSize, pool: CVPixelBufferPool)?

  init() {
    frames = layer.frames
    frames.setFrameHandler { [weak self] in self?.note() }
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

  private func note() {
    let begins = shared.change { shared in
      if shared.isMaking {
        if shared.hasMore { shared.late += 1 }
        shared.hasMore = true
        return false
      }
      shared.isMaking = true
      return true
    }
    if begins { queue.async { self.make() } }
  }

  private func make() {
    repeat {
      makeOne()
    } while shared.change { shared in
      if !shared.hasMore { shared.isMaking = false }
      defer { shared.hasMore = false }
      return shared.hasMore
    }
  }

  private func makeOne() {
    guard let frame = frames.takeNewest() else { return }
    let (place, filter, handler) = shared.change { ($0.place, $0.filter, $0.handler) }
    let fit = frame.geometry(gravity: .resizeAspect, in: CGRect(origin: .zero, size: place)).pictureRect
    let size = CGSize(width: fit.width.rounded(), height: fit.height.rounded())
    guard size.width >= 2, size.height >= 2, let buffer = makeBuffer(size) else { return }
    layer.bounds = CGRect(origin: .zero, size: size)
    layer.videoGravity = .resize
    guard (try? layer.drawPicture(into: buffer)) == true else { return }
    if let matrix = filter.matrix { Self.change(buffer, by: matrix) }
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

  private static func change(_ buffer: CVPixelBuffer, by matrix: ColorMatrix) {
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
    matrix.apply(
      to: base, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
      bytesPerRow: CVPixelBufferGetBytesPerRow(buffer))
  }

  private func makeBuffer(_ size: CGSize) -> CVPixelBuffer? {
    if pool?.size != size {
      var made: CVPixelBufferPool?
      let wanted: [CFString: Any] = [
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA,
        kCVPixelBufferWidthKey: Int(size.width), kCVPixelBufferHeightKey: Int(size.height),
      ]
      CVPixelBufferPoolCreate(nil, nil, wanted, &made)
      pool = made.map { (size, $0) }
    }
    guard let pool else { return nil }
    var buffer: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBuffer(nil, pool.pool, &buffer)
    return buffer
  }
}
