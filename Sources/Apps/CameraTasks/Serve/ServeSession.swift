internal import AVFCapture
package import AVFoundation
internal import Dispatch
internal import FoundationExtras
internal import Linux
package import VirtualCameras

/// A feed of a session's pictures to other programs; used on one queue.
private protocol PictureFeed: Sendable {
  func offer(_ session: AVCaptureSession)
  func withdraw()
}

extension VirtualCameraFeed: PictureFeed {}
extension SharedFrameFeed: PictureFeed {}

/// A session whose pictures other programs find as a camera of PipeWire's, or read in memory.
package final class ServeSession: Sendable {
  /// The settings of a camera that is offered.
  package struct Plan: Sendable {
    /// The name that people read in lists of cameras.
    package var title = "Obscura Camera"
    /// The look of the pictures; `nil` for none.
    package var filter: ServedFilter?
    /// The format and rate of the camera.
    package var movie = MoviePlan()
    /// How long, in seconds; `nil` until it is stopped.
    package var seconds: Double?

    package init() {}
  }

  /// The pause before a camera that PipeWire has not, or no longer, is offered again.
  static let pauseNanoseconds: Int64 = 500_000_000

  private struct State {
    var camera = VirtualCameraState.off
    var isOfferedOnce = false
    /// The reason why a ring takes no frames.
    var trouble: SharedFrameProblem?
  }

  private let run: CameraRun
  private let plan: Plan
  private let isPersistent: Bool
  private let feed: any PictureFeed
  private let queue: DispatchQueue
  private let state: Monitor<State>

  /// A session with `camera`, set as the plan wants it.
  ///
  /// - Parameters:
  ///   - ring: Where programs read the frames, instead of a camera; the session does not close it.
  ///   - open: Offers a camera; PipeWire's when `nil`.
  ///   - stop: Ends it when it is requested.
  ///   - waiting: Whether it goes on when the camera was away and is back, and waits for a PipeWire that is not there at first.
  ///   - report: What becomes of the camera that is offered, on a queue of the session's.
  /// - Throws: ``CameraTaskError``.
  package init(
    camera: AVCaptureDevice, plan: Plan, ring: SharedFrameRing? = nil,
    open: VirtualCameraFeed.Opening? = nil, stop: StopRequest = StopRequest(),
    waiting: CameraWaiting? = nil, report: @escaping @Sendable (VirtualCameraState) -> Void
  ) throws(CameraTaskError) {
    self.plan = plan
    isPersistent = waiting != nil
    let state = Monitor(State())
    self.state = state
    queue = DispatchQueue(label: "obscura.serve")
    run = try CameraRun(camera: camera, stop: stop, waiting: waiting)
    if let ring {
      feed = SharedFrameFeed(ring) { problem in state.withLock { $0.trouble = problem } }
    } else {
      let opening: VirtualCameraFeed.Opening
      if let open { opening = open } else { opening = Self.opening(title: plan.title) }
      feed = VirtualCameraFeed(queue: queue, open: opening) { news in
        let isNews = state.withLock { state in
          defer { state.camera = news }
          if news.isOffered { state.isOfferedOnce = true }
          return state.camera != news
        }
        if isNews { report(news) }
      }
    }
    if let filter = plan.filter {
      for case let input as AVCaptureDeviceInput in run.session.inputs where input.device === camera {
        filter.apply(to: input)
      }
    }
    try MovieSession.setFormat(of: camera, plan.movie)
  }

  private static func opening(title: String) -> VirtualCameraFeed.Opening {
    { (report) throws(VirtualCameraProblem) in try PipeWireCamera(title: title, report) }
  }

  /// Starts the camera, and offers its pictures until the plan's end, a requested stop, or trouble.
  ///
  /// PipeWire may end and come again meanwhile. Who reads a ring stays while the camera is away.
  /// - Throws: ``CameraTaskError``.
  package func serve() throws(CameraTaskError) {
    try run.start()
    defer {
      queue.sync { feed.withdraw() }
      run.stop()
    }
    let end = plan.seconds.map { WorldTime.current.now.advanced(byNanoseconds: Int64($0 * 1e9)) }
    do throws(CameraTaskError) {
      while end.map({ WorldTime.current.now < $0 }) ?? true {
        queue.sync { feed.offer(run.session) }
        let (camera, isOfferedOnce, trouble) = state.withLock { ($0.camera, $0.isOfferedOnce, $0.trouble) }
        if let trouble { throw CameraTaskError(.failed, trouble.description) }
        if case .failed(let problem) = camera, !isOfferedOnce, !isPersistent {
          throw CameraTaskError(.failed, problem.description)
        }
        let soon = WorldTime.current.now.advanced(byNanoseconds: Self.pauseNanoseconds)
        try run.sleep(until: end.map { min($0, soon) } ?? soon)
        try run.waitForReturn(until: end)
      }
    } catch {
      // That is how most end.
      guard error.code == .stopped else { throw error }
    }
  }
}
