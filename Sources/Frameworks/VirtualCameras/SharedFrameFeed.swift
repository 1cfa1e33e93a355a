public import AVFoundation
internal import Dispatch

/// Offers a session's frames to other programs of this machine by a ``SharedFrameRing``.
///
/// Each frame is drawn straight into the ring: in the camera's size, upright and never mirrored, with what changes the camera's pictures
/// (effects, `setPictureChange`). Nothing is drawn while no program reads. When drawing takes longer than a frame, frames are left out.
/// It is one more preview of the session, beside what shows it on a screen. While the session stands still, because its camera is away or it
/// was stopped, readers stay and get nothing.
public final class SharedFrameFeed: @unchecked Sendable {
  // Safe because what changes is used on the session's queue alone.

  private let layer = AVCaptureVideoPreviewLayer()

  /// A feed of a ring, which offers nothing yet.
  ///
  /// - Parameters:
  ///   - ring: Where frames are drawn; the feed does not close it.
  ///   - report: Called for each frame that finds no room, on a queue of the feed's own; must not wait.
  public init(_ ring: SharedFrameRing, report: @escaping @Sendable (SharedFrameProblem) -> Void) {
    let drawing = SharedFrameDrawing(layer, ring, report)
    let task = CombinedTask(label: "obscura.shared-frames", qos: .userInitiated) { drawing.draw() }
    layer.frames.setFrameHandler { if ring.isRead { task.request() } }
  }

  deinit { layer.frames.setFrameHandler(nil) }

  /// Offers this session's frames, where none are offered yet; on the session's queue.
  public func offer(_ session: AVCaptureSession) {
    guard layer.session == nil else { return }
    layer.session = session
    noteChange()
  }

  /// Offers no frames any more; on the session's queue.
  public func withdraw() { layer.session = nil }

  /// After a change of the session, which may have another connection: others see what the camera sees, not a mirror.
  public func noteChange() { layer.endMirroring() }
}

/// Draws frames into a ring; for one thread.
private final class SharedFrameDrawing: @unchecked Sendable {  // Safe because the task runs on one queue.
  private let layer: AVCaptureVideoPreviewLayer
  private let ring: SharedFrameRing
  private let report: @Sendable (SharedFrameProblem) -> Void
  private var last = CMTime.invalid

  init(
    _ layer: AVCaptureVideoPreviewLayer, _ ring: SharedFrameRing,
    _ report: @escaping @Sendable (SharedFrameProblem) -> Void
  ) {
    self.layer = layer
    self.ring = ring
    self.report = report
  }

  func draw() {
    // The newest frame stays: one request may find what an earlier one has drawn.
    guard let frame = layer.frames.takeNewest(), frame.timestamp != last else { return }
    last = frame.timestamp
    var (width, height) = (CVPixelBufferGetWidth(frame.pixels), CVPixelBufferGetHeight(frame.pixels))
    if frame.rotationAngle % 180 != 0 { (width, height) = (height, width) }
    layer.bounds = CGRect(origin: .zero, size: CGSize(width: width, height: height))
    layer.videoGravity = .resize
    do throws(SharedFrameProblem) {
      // A frame of a format that cannot be drawn is left out.
      try ring.draw(width: width, height: height, at: frame.timestamp) { buffer in
        (try? layer.drawPicture(of: frame, into: buffer)) != nil
      }
    } catch {
      report(error)
    }
  }
}
