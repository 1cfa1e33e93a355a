package import AVFCore
package import CaptureDevice
internal import CoreVideo
internal import Dispatch
internal import Linux

/// What a host draws a preview layer's picture from: always the newest frame, never a queue.
///
/// The camera's thread only exchanges the newest frame under a lock; the host is told on a queue of the preview's own and
/// takes the frame whenever it draws. A frame that was replaced before anybody took it is dropped as late, and every frame is
/// counted. Nothing is copied: a frame is the device's own buffer with the turn and mirroring to draw it by, see
/// ``PreviewFrame``. Frames of cameras that send JPEG are decoded on the preview's queue, one at a time, the newest first,
/// unless another output of the session has decoded them already.
///
/// The newest frame stays after the session has stopped, as the last picture on the screen does, and goes when the layer
/// leaves the session. Thread-safe.
public final class PreviewFrames: Sendable {
  private struct State {
    var connections: [AVCaptureConnection] = []
    var handler: (@Sendable () -> Void)?
    var statistics = DeliveryStatistics()
    var newest: PreviewFrame?
    /// Where to note that the newest frame is shown, and the frames to come.
    var newestHistory: FrameHistory?
    var history: FrameHistory?
    /// Where decoded frames are shared with other outputs.
    var opened: DecodedFrames?
    /// Held until the host was told of the newest frame.
    var inFlight: (any AnyObject & Sendable)?
    var isNewestTaken = true
    /// Waits to be decoded.
    var compressed: (frame: CapturedFrame, plan: ConnectionPlan)?
    var isDecoding = false
    var isSignalling = false
    var isPreviewing = false
    /// Whether the session has said that no frame comes, and none has come since.
    var rests = true
    var isEnded = false
    var previewing: (@Sendable (_ was: Bool, _ isNow: Bool) -> Void)?
    var reference: LayerReference?
    var connectsByItself = true
  }

  package let id = NodeID()
  /// Tells the host of frames, and observers of previewing; decodes.
  private let queue = DispatchQueue(label: "obscura.preview", qos: .userInteractive)
  private let decoder = FrameDecoder()
  private let state = Locked(State())

  init() {}

  // MARK: For hosts

  /// Takes the newest frame to draw it, and again for every time that it is drawn; `nil` before the first one.
  ///
  /// Never blocks for longer than it takes to exchange a frame.
  public func takeNewest() -> PreviewFrame? {
    let (frame, history) = state.withLock { state -> (PreviewFrame?, FrameHistory?) in
      guard !state.isNewestTaken else { return (state.newest, nil) }
      state.isNewestTaken = true
      state.statistics.settle(wasTaken: true)
      return (state.newest, state.newestHistory)
    }
    if let frame { history?.noteShown(frame.sequence) }
    return frame
  }

  /// Calls `handler` after a new frame has come, on the preview's own serial queue; `nil` ends it.
  ///
  /// Frames that come while the handler runs are told together, by one more call. Do no more in it than to ask for a redraw
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

  /// What became of every frame until now; delivered is what a host took.
  package var statistics: DeliveryStatistics { state.withLock { $0.statistics } }

  /// The layer that the frames are for; `nil` once it is gone.
  var layer: AVCaptureVideoPreviewLayer? { reference?.layer }

  var reference: LayerReference? {
    get { state.withLock { $0.reference } }
    set { state.withLock { $0.reference = newValue } }
  }

  /// Whether the session connects the preview to cameras that are added.
  var connectsByItself: Bool {
    get { state.withLock { $0.connectsByItself } }
    set { state.withLock { $0.connectsByItself = newValue } }
  }

  /// Whether frames come.
  var isPreviewing: Bool { state.withLock { $0.isPreviewing } }

  /// Has `tell` called, on the preview's queue, when ``isPreviewing`` has changed.
  func observePreviewing(_ tell: @escaping @Sendable (_ was: Bool, _ isNow: Bool) -> Void) {
    let old = state.withLock { state in
      defer { state.previewing = tell }
      return state.previewing
    }
    withExtendedLifetime(old) {}
  }

  /// The layer is gone: nothing is taken or told any more.
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
        state.newestHistory = nil
        state.inFlight = nil
        state.compressed = nil
      }
      if !state.isNewestTaken { state.statistics.settle(wasTaken: false) }
      if state.compressed != nil { state.statistics.settle(wasTaken: false) }
      state.isNewestTaken = true
      return (state.newest, state.inFlight, state.compressed)
    }
    // A device's buffer goes back to its driver here, outside the lock.
    withExtendedLifetime(old) {}
  }
}

extension PreviewFrames: FrameSink {
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

  package func prepare(for plan: ConnectionPlan, connection: AVCaptureConnection) {}

  package func noteShownFrames(in history: FrameHistory?) {
    let old = state.withLock { state in
      defer { state.history = history }
      return state.history
    }
    withExtendedLifetime(old) {}
  }

  package func shareDecodedFrames(_ opened: DecodedFrames) {
    let old = state.withLock { state in
      defer { state.opened = opened }
      return state.opened
    }
    withExtendedLifetime(old) {}
  }

  package func endCaptures(with error: AVError) { rest() }

  /// Ends previewing.
  package func rest() {
    let tell = state.withLock { state in
      state.rests = true
      defer { state.isPreviewing = false }
      return state.isPreviewing ? state.previewing : nil
    }
    if let tell { queue.async { tell(true, false) } }
  }

  // MARK: Frames, on the device's reader thread

  package func receive(
    _ frame: CapturedFrame, through connection: AVCaptureConnection, plan: ConnectionPlan
  ) {
    if case .pixels(let pixels) = frame.picture {
      let isWanted = state.withLock { state in
        state.statistics.captured += 1
        if state.isEnded { state.statistics.unwanted += 1 } else { state.statistics.pending += 1 }
        return !state.isEnded
      }
      if isWanted { show(PreviewFrame(frame, pixels: pixels, plan: plan), inFlight: frame.inFlight) }
      return
    }
    let (old, starts) = state.withLock { state -> ((CapturedFrame, ConnectionPlan)?, Bool) in
      state.statistics.captured += 1
      guard !state.isEnded else {
        state.statistics.unwanted += 1
        return (nil, false)
      }
      state.statistics.pending += 1
      if state.compressed != nil { state.statistics.settle(.late) }
      defer {
        state.compressed = (frame, plan)
        state.isDecoding = true
      }
      return (state.compressed, !state.isDecoding)
    }
    withExtendedLifetime(old) {}
    if starts { queue.async { [self] in decode() } }
  }

  package func receive(
    _ drop: DroppedFrame, through connection: AVCaptureConnection, plan: ConnectionPlan
  ) {
    state.withLock { state in
      state.statistics.captured += 1
      state.statistics.pending += 1
      state.statistics.settle(LostFrame(drop).reason)
    }
  }

  private func decode() {
    while let (frame, plan) = nextCompressed() {
      do {
        let pixels = try decoder.open(frame, sharing: state.withLock { $0.opened })
        show(PreviewFrame(frame, pixels: pixels, plan: plan), inFlight: frame.inFlight)
      } catch {
        // A broken picture is a lost frame; the preview goes on with the next.
        state.withLock { $0.statistics.settle(.discontinuity) }
      }
    }
  }

  private func nextCompressed() -> (frame: CapturedFrame, plan: ConnectionPlan)? {
    state.withLock { state in
      defer { state.compressed = nil }
      if state.compressed == nil { state.isDecoding = false }
      return state.compressed
    }
  }

  /// Makes `frame` the newest one and has the host told.
  private func show(_ frame: PreviewFrame, inFlight: (any AnyObject & Sendable)?) {
    let (old, starts) = state.withLock { state -> ((PreviewFrame?, (any AnyObject & Sendable)?), Bool) in
      // The layer may have gone while the frame was decoded.
      guard !state.isEnded else {
        state.statistics.settle(wasTaken: false)
        return ((nil, nil), false)
      }
      if !state.isNewestTaken { state.statistics.settle(.late) }
      let old = (state.newest, state.inFlight)
      state.newest = frame
      state.newestHistory = state.history
      state.isNewestTaken = false
      state.rests = false
      guard state.handler != nil || !state.isPreviewing else {
        state.inFlight = nil
        return (old, false)
      }
      state.inFlight = inFlight
      defer { state.isSignalling = true }
      return (old, !state.isSignalling)
    }
    withExtendedLifetime(old) {}
    if starts { queue.async { [self] in signal() } }
  }

  private func signal() {
    // A frame that was under way when its connection was switched off starts nothing.
    let isFed = connections.contains { $0.isRouted }
    let (handler, tell, inFlight) = state.withLock { state in
      state.isSignalling = false
      let begins = isFed && !state.rests && !state.isPreviewing
      if begins { state.isPreviewing = true }
      defer { state.inFlight = nil }
      return (state.handler, begins ? state.previewing : nil, state.inFlight)
    }
    withExtendedLifetime(inFlight) {
      tell?(false, true)
      handler?()
    }
  }
}
