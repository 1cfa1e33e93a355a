public import AVFoundation
public import Dispatch
internal import Linux

/// Offers a session's pictures to other programs as a camera of its own.
///
/// ```swift
/// let feed = VirtualCameraFeed(queue: sessionQueue) { print($0) }
/// sessionQueue.async { feed.offer(session) }
/// ```
///
/// Other programs see them upright and never mirrored, with what changes the camera's pictures (effects, `setPictureChange`), in the size that
/// they chose. Nothing is drawn while none of them watches. It is one more preview of the session, beside what shows it on a screen.
///
/// - Note: Apple's frameworks have nothing like it: there it is an extension of Core Media I/O.
public final class VirtualCameraFeed: @unchecked Sendable {
  // Safe because what changes is guarded, or used on the session's queue alone.

  /// Offers a camera, and reports what becomes of it.
  public typealias Opening =
    @Sendable (@escaping @Sendable (VirtualCameraEvent) -> Void) throws(VirtualCameraProblem) ->
    any VirtualCamera

  /// At most so many pictures a second.
  public static let framesPerSecond = 30

  private struct Shared {
    /// The camera that programs watch, and the size that they chose.
    var watched: (camera: any VirtualCamera, size: CGSize)?
  }

  private let open: Opening
  private let queue: DispatchQueue
  private let report: @Sendable (VirtualCameraState) -> Void
  private let layer = AVCaptureVideoPreviewLayer()
  private let shared = Locked(Shared())
  private var camera: (any VirtualCamera)?
  /// Counts the cameras: reports of an earlier one are ignored.
  private var run = 0

  /// A feed that offers nothing yet.
  ///
  /// - Parameters:
  ///   - queue: The session's queue, on which all methods are called and states are reported.
  ///   - open: Offers the camera; PipeWire's without.
  ///   - report: What becomes of it, on the queue.
  public init(
    queue: DispatchQueue,
    open: @escaping Opening = { (report) throws(VirtualCameraProblem) in try PipeWireCamera(report) },
    report: @escaping @Sendable (VirtualCameraState) -> Void
  ) {
    self.queue = queue
    self.open = open
    self.report = report
    let (shared, frames) = (shared, layer.frames)
    let drawing = VirtualCameraDrawing(layer)
    let task = CombinedTask(label: "obscura.virtual-camera", qos: .userInitiated) {
      let watched = shared.withLock { $0.watched }
      if let watched { drawing.draw(watched.camera, watched.size) }
    }
    frames.setFrameHandler { if shared.withLock({ $0.watched != nil }) { task.request() } }
  }

  deinit {
    layer.frames.setFrameHandler(nil)
    camera?.close()
  }

  /// Offers the camera with this session's pictures; one that is offered stays.
  public func offer(_ session: AVCaptureSession) {
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
  public func withdraw() {
    if camera != nil { close() }
    report(.off)
  }

  /// After a change of the session, which may have another connection: others see what the camera sees, not a mirror.
  public func noteChange() { layer.endMirroring() }

  private func take(_ event: VirtualCameraEvent, of run: Int) {
    guard run == self.run, let camera else { return }
    switch event {
    case .watched(let width, let height):
      shared.withLock { $0.watched = (camera, CGSize(width: width, height: height)) }
      report(.watched)
    case .unwatched:
      shared.withLock { $0.watched = nil }
      report(.offered)
    case .lost(let problem):
      close()
      report(.failed(problem))
    }
  }

  private func close() {
    shared.withLock { $0.watched = nil }
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
