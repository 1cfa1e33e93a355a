import AVFoundation
import Dispatch

/// Offers the camera's picture to other programs as a camera of its own.
///
/// They see it upright and never mirrored, with the filter of the preview, whatever the screen is for. Nothing is drawn while
/// none of them watches.
final class VirtualCameraFeed: @unchecked Sendable {
  // Safe because what changes is guarded, or used on the session's queue alone.

  /// Offers a camera, and reports what becomes of it.
  typealias Opening =
    @Sendable (@escaping @Sendable (VirtualCameraEvent) -> Void) throws(VirtualCameraProblem) ->
    any VirtualCamera

  /// At most so many pictures a second.
  static let framesPerSecond = 30

  private struct Shared {
    /// The camera that programs watch, and the size that they chose.
    var watched: (camera: any VirtualCamera, size: CGSize)?
  }

  private let open: Opening
  private let queue: DispatchQueue
  private let report: @Sendable (VirtualCameraState) -> Void
  private let layer = AVCaptureVideoPreviewLayer()
  private let shared = Guarded(Shared())
  private var camera: (any VirtualCamera)?
  /// Counts the cameras: reports of an earlier one are ignored.
  private var run = 0

  /// - Parameters:
  ///   - queue: The session's queue, on which all methods are called and states are reported.
  init(
    queue: DispatchQueue, open: @escaping Opening, report: @escaping @Sendable (VirtualCameraState) -> Void
  ) {
    self.queue = queue
    self.open = open
    self.report = report
    let (shared, frames) = (shared, layer.frames)
    let drawing = VirtualCameraDrawing(layer)
    let task = CombinedTask(label: "camera.virtual", qos: .userInitiated) {
      let watched = shared.change { $0.watched }
      if let watched { drawing.draw(watched.camera, watched.size) }
    }
    frames.setFrameHandler { if shared.change({ $0.watched != nil }) { task.request() } }
  }

  deinit {
    layer.frames.setFrameHandler(nil)
    camera?.close()
  }

  /// Offers the camera with this session's pictures; one that is offered stays.
  func offer(_ session: AVCaptureSession) {
    guard camera == nil else { return }
    run += 1
    let (run, queue) = (run, queue)
    do {
      camera = try open { [weak self] event in
        queue.async { [weak self] in self?.take(event, of: run) }
      }
      layer.session = session
      noteChange()
      report(.offered)
    } catch {
      report(.failed(error))
    }
  }

  /// Takes the camera away.
  func withdraw() {
    if camera != nil { close() }
    report(.off)
  }

  /// After a change of the session, which may have another connection: others see what the camera sees, not a mirror.
  func noteChange() {
    guard let connection = layer.connection, connection.isVideoMirroringSupported else { return }
    connection.automaticallyAdjustsVideoMirroring = false
    connection.isVideoMirrored = false
  }

  private func take(_ event: VirtualCameraEvent, of run: Int) {
    guard run == self.run, let camera else { return }
    switch event {
    case .watched(let width, let height):
      shared.change { $0.watched = (camera, CGSize(width: width, height: height)) }
      report(.watched)
    case .unwatched:
      shared.change { $0.watched = nil }
      report(.offered)
    case .lost(let problem):
      close()
      report(.failed(problem))
    }
  }

  private func close() {
    shared.change { $0.watched = nil }
    layer.session = nil
    camera?.close()
    camera = nil
  }
}

/// Draws for the virtual camera; for one thread.
private final class VirtualCameraDrawing: @unchecked Sendable {  // Safe because the task runs on one queue.
  private let frames: PreviewFrames
  private let painter: PreviewPainter
  private let pictures = VirtualCameraPictures()
  private var last = CMTime.negativeInfinity

  init(_ layer: AVCaptureVideoPreviewLayer) {
    frames = layer.frames
    painter = PreviewPainter(layer)
  }

  func draw(_ camera: any VirtualCamera, _ size: CGSize) {
    guard let frame = frames.takeNewest() else { return }
    // A quarter less, as frames do not come to the millisecond.
    let least = CMTime(value: 3, timescale: CMTimeScale(4 * VirtualCameraFeed.framesPerSecond))
    guard !(frame.timestamp >= last && frame.timestamp - last < least) else { return }
    guard let painted = painter.paint(frame, in: size), let picture = pictures.make(painted, size)
    else { return }
    last = frame.timestamp
    camera.show(picture, at: frame.timestamp)
  }
}
