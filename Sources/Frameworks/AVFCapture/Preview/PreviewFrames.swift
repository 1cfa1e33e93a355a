internal import CameraFrames
package import AVFCore
internal import CaptureDevice
internal import CoreVideo
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// The frames of a preview layer, for the host that draws it: always the newest frame, never a queue.
///
/// The camera's thread only exchanges the newest frame under a lock; the host is notified on a queue of the preview's own and
/// takes the frame whenever it draws. A frame that was replaced before it was taken is dropped as late, and every frame is
/// counted. Nothing is copied: a frame is the camera's picture with the turn and mirroring to draw it by, see
/// ``PreviewFrame``. Pictures that must be made (of JPEG, or with an effect) are made on the preview's queue, one at a time, the
/// newest first,
/// unless another output of the session has made them already.
///
/// The newest frame stays after the session has stopped, as the last picture on the screen does, and goes when the layer
/// leaves the session. Thread-safe.
public final class PreviewFrames: Sendable {
  private struct State {
    var connections: [AVCaptureConnection] = []
    var handler: (@Sendable () -> Void)?
    var statistics = DeliveryStatistics()
    var newest: PreviewFrame?
    /// Notes that the newest frame is shown.
    var shownFrames: (any ShownFrameLog)?
    /// The lifetime of the newest frame's route: the host is called for the frame until that ends.
    var lifetime: RouteLifetime?
    /// Held until the host was called for the newest frame.
    var inFlight: (any AnyObject & Sendable)?
    var isNewestTaken = true
    /// Waits to be decoded.
    var compressed: Arrival?
    var isDecoding = false
    var isSignalling = false
    var isPreviewing = false
    /// Whether the session has said that no frame comes, and none has come since.
    var rests = true
    var isEnded = false
    var previewing: (@Sendable (_ was: Bool, _ isNow: Bool) -> Void)?
    var reference: LayerReference?
    var connectsByItself = true
    var defersStart = false
  }

  private struct Arrival {
    var frame: CapturedFrame
    var route: MediaRoute
  }

  package let id = NodeID()
  /// Notifies the host of frames, and observers of previewing; decodes.
  private let queue = DispatchQueue(label: "obscura.preview", qos: .userInteractive)
  private let state = Locked(State())

  init() {}

  // MARK: For hosts

  /// Takes the newest frame to draw it, and again for every time that it is drawn; `nil` before the first one.
  ///
  /// Never blocks for longer than it takes to exchange a frame.
  public func takeNewest() -> PreviewFrame? {
    let (frame, shownFrames) = state.withLock { state -> (PreviewFrame?, (any ShownFrameLog)?) in
      guard !state.isNewestTaken else { return (state.newest, nil) }
      state.isNewestTaken = true
      state.statistics.settle(.delivered)
      return (state.newest, state.shownFrames)
    }
    if let frame { shownFrames?.noteShown(frame.sequence) }
    return frame
  }

  /// Calls `handler` after a new frame has come, on the preview's own serial queue; `nil` ends it.
  ///
  /// Frames that come while the handler runs are reported together, by one more call. Do no more in it than to ask for a redraw
  /// on the thread that draws. A call that is under way may end after this has returned.
  public func setFrameHandler(_ handler: (@Sendable () -> Void)?) {
    // The old one goes after the lock is left: with it may go what a client captured.
    let old = state.withLock { state in
      defer { state.handler = handler }
      return state.handler
    }
    withExtendedLifetime(old) {}
  }

  // MARK: For the layer and tests

  /// The counts of all frames until now; delivered are those that a host took.
  package var statistics: DeliveryStatistics { state.withLock { $0.statistics } }

  /// The layer that the frames are for; `nil` once it is gone.
  var layer: AVCaptureVideoPreviewLayer? { reference?.layer }

  var reference: LayerReference? {
    get { state.withLock { $0.reference } }
    set { state.withLock { $0.reference = newValue } }
  }

  package var connectsByItself: Bool {
    get { state.withLock { $0.connectsByItself } }
    set { state.withLock { $0.connectsByItself = newValue } }
  }

  package var isDeferredStartEnabled: Bool {
    get { state.withLock { $0.defersStart } }
    set { state.withLock { $0.defersStart = newValue } }
  }

  /// Whether frames come.
  var isPreviewing: Bool { state.withLock { $0.isPreviewing } }

  /// Has `report` called, on the preview's queue, when ``isPreviewing`` has changed.
  func observePreviewing(_ report: @escaping @Sendable (_ was: Bool, _ isNow: Bool) -> Void) {
    let old = state.withLock { state in
      defer { state.previewing = report }
      return state.previewing
    }
    withExtendedLifetime(old) {}
  }

  /// The layer is gone: nothing is taken or reported any more.
  func end() {
    let old = state.withLock { state in
      state.isEnded = true
      return state.previewing.take()
    }
    withExtendedLifetime(old) {}
    setFrameHandler(nil)
    forgetFrames()
  }

  /// Lets the newest frame go, and what waits.
  func forgetFrames() {
    let old = state.withLock { state in
      defer {
        state.newest = nil
        state.shownFrames = nil
        state.lifetime = nil
        state.inFlight = nil
        state.compressed = nil
      }
      if !state.isNewestTaken { state.statistics.settle(.unwanted) }
      if state.compressed != nil { state.statistics.settle(.unwanted) }
      state.isNewestTaken = true
      return (state.newest, state.inFlight, state.compressed)
    }
    // A device's buffer goes back to its driver here, outside the lock.
    withExtendedLifetime(old) {}
  }
}

extension PreviewFrames: MediaSink {
  package var requirements: OutputRequirements {
    OutputRequirements(role: .preview, media: [.video])
  }

  package var connections: [AVCaptureConnection] { state.withLock { $0.connections } }

  package func add(_ connection: AVCaptureConnection) {
    state.withLock { $0.connections.append(connection) }
  }

  package func remove(_ connection: AVCaptureConnection) {
    state.withLock { $0.connections.removeAll { $0 === connection } }
  }

  package func attach(_ route: MediaRoute) {}

  package func endCaptures(with error: AVError) { rest() }

  /// Ends previewing.
  package func rest() {
    let report = state.withLock { state in
      state.rests = true
      defer { state.isPreviewing = false }
      return state.isPreviewing ? state.previewing : nil
    }
    if let report { queue.carry { report(true, false) } }
  }

  // MARK: Frames, on the device's reader thread

  package func receive(_ sample: MediaSample, over route: MediaRoute) {
    switch sample {
    case .frame(let frame): receive(Arrival(frame: frame, route: route))
    case .lost(let drop):
      state.withLock { state in
        state.statistics.admit()
        state.statistics.settle(.lost(LostSample(drop).reason))
      }
    case .audio, .depth: break
    }
  }

  private func receive(_ arrival: Arrival) {
    let isWanted = state.withLock { state in
      if state.isEnded { state.statistics.refuse() } else { state.statistics.admit() }
      return !state.isEnded
    }
    guard isWanted else { return }
    if let pixels = arrival.route.processor.pictureAtHand(of: arrival.frame) { return show(arrival, pixels) }
    let (old, starts) = state.withLock { state -> (Arrival?, Bool) in
      if state.compressed != nil { state.statistics.settle(.lost(.late)) }
      defer {
        state.compressed = arrival
        state.isDecoding = true
      }
      return (state.compressed, !state.isDecoding)
    }
    withExtendedLifetime(old) {}
    if starts { queue.async { [self] in decode() } }
  }

  /// Makes one picture.
  ///
  /// The next has its turn behind the call of the host, which would never come where frames are faster than their pictures.
  private func decode() {
    guard let arrival = nextCompressed() else { return }
    do {
      let hold = arrival.frame.inFlight.map(InFlight.Hold.init)
      try InFlight.run(under: hold) {
        show(arrival, try arrival.route.processor.picture(of: arrival.frame))
      }
    } catch {
      // A broken picture is a lost frame; the preview goes on with the next.
      state.withLock { $0.statistics.settle(.lost(.discontinuity)) }
    }
    queue.async { [self] in decode() }
  }

  private func nextCompressed() -> Arrival? {
    state.withLock { state in
      defer { state.compressed = nil }
      if state.compressed == nil { state.isDecoding = false }
      return state.compressed
    }
  }

  /// Makes a frame the newest one and has the host called.
  private func show(_ arrival: Arrival, _ pixels: CVPixelBuffer) {
    let frame = PreviewFrame(arrival.frame, pixels: pixels, plan: arrival.route.plan)
    let (old, starts) = state.withLock { state -> ((PreviewFrame?, (any AnyObject & Sendable)?), Bool) in
      // The layer or the route may have gone while the frame was decoded.
      guard !state.isEnded, !arrival.route.isEnded else {
        state.statistics.settle(.lost(.discontinuity))
        return ((nil, nil), false)
      }
      // One that had to be decoded may be overtaken by the next, which is at hand.
      if state.lifetime === arrival.route.lifetime, let newest = state.newest,
        newest.timestamp > frame.timestamp
      {
        state.statistics.settle(.lost(.late))
        return ((nil, nil), false)
      }
      if !state.isNewestTaken { state.statistics.settle(.lost(.late)) }
      let old = (state.newest, state.inFlight)
      state.newest = frame
      state.shownFrames = arrival.route.shownFrames
      state.lifetime = arrival.route.lifetime
      state.isNewestTaken = false
      state.rests = false
      guard state.handler != nil || !state.isPreviewing else {
        state.inFlight = nil
        return (old, false)
      }
      state.inFlight = arrival.frame.inFlight
      defer { state.isSignalling = true }
      return (old, !state.isSignalling)
    }
    withExtendedLifetime(old) {}
    if starts { queue.async { [self] in signal() } }
  }

  private func signal() {
    let (handler, report, inFlight, lifetime) = state.withLock { state in
      state.isSignalling = false
      // A frame that was under way when its route ended starts nothing, and the host is not called for it.
      let isFed = state.lifetime.map { !$0.isEnded } ?? false
      let begins = isFed && !state.rests && !state.isPreviewing
      if begins { state.isPreviewing = true }
      defer { state.inFlight = nil }
      return (
        isFed ? state.handler : nil, begins ? state.previewing : nil, state.inFlight,
        isFed ? state.lifetime : nil
      )
    }
    InFlight.run(under: inFlight.map(InFlight.Hold.init)) {
      report?(false, true)
      handler?()
      lifetime?.noteDelivered(holding: inFlight)
    }
  }
}
