internal import CameraFrames
internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// A report of a stream to its session beside frames.
enum StreamReport: Sendable {
  case interrupted(StreamInterruption)
  case resumed
  case failed(CaptureDeviceError)
}

/// Hands a stream's frames to the outputs, on the device's reader thread.
final class FrameRouter: Sendable {
  typealias History = (plan: HistoryPlan, frames: FrameHistory)

  private struct State {
    var routes: [MediaRoute] = []
    var history: History?
    /// Whether the newest frame is kept for a history to come, and that frame.
    var keepsNewest = false
    var newest: CapturedFrame?
    /// When something last came, by the device's clock; `nil` while the device says that nothing will come.
    var lastNews: MonotonicInstant?
    var captured = 0
    var lost = 0
    var conditions: FrameConditions?
    /// Of a coded stream while pictures of it are wanted.
    var decoder: StreamDecoder?

    /// Whether pictures of a coded stream are wanted.
    var needsPictures: Bool {
      history != nil || keepsNewest || routes.contains { $0.media == .video && !$0.isCoded }
    }

    /// Keeps a frame as the newest, where that is wanted; returns the one before, for the caller to let go under no lock.
    mutating func keep(_ frame: CapturedFrame) -> CapturedFrame? {
      guard keepsNewest else { return nil }
      defer {
        newest = CapturedFrame(
          content: frame.content.with(inFlight: nil), timestamp: frame.timestamp, sequence: frame.sequence,
          conditions: frame.conditions, inFlight: nil)
      }
      return newest
    }
  }

  private let device: AVCaptureDevice
  private let clientQueue: DispatchQueue
  private let state = Locked(State())
  /// The newest depth maps, while a photo output wants them.
  let depths = DepthHistory()
  /// Photos that wait for a picture of a coded stream.
  let stills = DecodedStills()
  private let voice = IsolatedVoice()

  init(device: AVCaptureDevice, clientQueue: DispatchQueue) {
    self.device = device
    self.clientQueue = clientQueue
  }

  var routes: [MediaRoute] { state.withLock { $0.routes } }

  /// Replaces the routes, and ends those that no new one continues.
  func setRoutes(_ routes: [MediaRoute]) {
    // The old ones go after the lock is left: with them may go an output.
    let old = state.withLock { state in
      defer { state.routes = routes }
      return state.routes
    }
    for route in old where !routes.contains(where: { $0.continues(route) }) { route.lifetime.end() }
  }

  var history: History? { state.withLock { $0.history } }

  func setHistory(_ history: History?) {
    let (old, newest) = state.withLock { state in
      defer {
        state.history = history
        state.keepsNewest = false
        state.newest = nil
      }
      return (state.history, state.newest)
    }
    // A frame that is on its way into the old one does not stay there.
    old?.frames.close()
    if let newest { history?.frames.take(newest) }
  }

  /// Keeps the newest frame, for the next history to begin with what a viewfinder shows; until ``setHistory(_:)``.
  func keepNewest() { state.withLock { $0.keepsNewest = true } }

  /// Keeps it no longer.
  func stopKeepingNewest() {
    let newest = state.withLock { state in
      state.keepsNewest = false
      return state.newest.take()
    }
    withExtendedLifetime(newest) {}
  }

  /// When something last came, by the device's clock; `nil` while the device says that nothing will come.
  var lastNews: MonotonicInstant? { state.withLock { $0.lastNews } }

  var counts: (captured: Int, lost: Int) { state.withLock { ($0.captured, $0.lost) } }

  func refresh() {
    let now = device.now
    state.withLock { $0.lastNews = now }
  }

  /// The same, unless the device says that nothing will come.
  func refreshUnlessInterrupted() {
    let now = device.now
    state.withLock { if $0.lastNews != nil { $0.lastNews = now } }
  }

  func take(_ event: StreamEvent, news: @Sendable (StreamReport) -> Void) {
    switch event {
    case .frame(let frame):
      let now = device.now
      state.withLock { state in
        state.lastNews = now
        state.captured += 1
      }
      guard frame.content.coded != nil else { return show(frame) }
      hand(.frame(frame), isCoded: true)
      decoder()?.take(frame)
    case .dropped(let drop):
      let now = device.now
      let (history, decoder) = state.withLock { state in
        state.lastNews = now
        state.lost += 1
        return (state.history?.frames, state.decoder)
      }
      voice.forget()
      if device.facts.isMicrophone { return hand(.lost(drop), to: .audio) }
      hand(.lost(drop), isCoded: true)
      if let decoder { return decoder.take(drop) }
      history?.take(drop)
      hand(.lost(drop), isCoded: false)
    case .audio(let audio):
      let now = device.now
      state.withLock { state in
        state.lastNews = now
        state.captured += 1
      }
      if let audio = voice.process(audio) { hand(.audio(audio), to: .audio) }
    case .depth(let depth):
      depths.take(depth)
      device.videoEffects.depthCame(depth)
      hand(.depth(depth), to: .depth)
    case .depthDropped(let drop):
      depths.takeLoss(at: drop.timestamp)
      hand(.lost(drop), to: .depth)
    case .interrupted(let interruption):
      let decoder = state.withLock { state in
        state.lastNews = nil
        return state.decoder
      }
      decoder?.breakOff()
      history?.frames.forget()
      forgetNewest()
      news(.interrupted(interruption))
    case .resumed:
      refresh()
      news(.resumed)
    case .failed(let error):
      stills.fail(error)
      history?.frames.forget()
      news(.failed(error))
    }
  }

  private func forgetNewest() {
    let newest = state.withLock { $0.newest.take() }
    withExtendedLifetime(newest) {}
  }

  private func hand(_ sample: MediaSample, to media: MediaKind) {
    for route in routes where route.media == media { route.sink?.receive(sample, over: route) }
  }

  private func hand(_ sample: MediaSample, isCoded: Bool) {
    for route in routes where route.media == .video && route.isCoded == isCoded {
      route.sink?.receive(sample, over: route)
    }
  }

  // MARK: Pictures

  /// Hands a frame with a picture to all that want pictures; of a coded stream on the decoder's queue.
  private func show(_ frame: CapturedFrame) {
    let conditions = frame.conditions
    let (history, areNew, gone) = state.withLock { state in
      defer { state.conditions = conditions }
      return (state.history?.frames, state.conditions !== conditions, state.keep(frame))
    }
    withExtendedLifetime(gone) {}
    device.videoEffects.frameCame(at: frame.timestamp, on: device) { effect in
      routes.contains { $0.processor.effects.contains { $0 === effect } }
    }
    // Before a client can be shown the frame, and ask for it.
    history?.take(frame)
    if areNew, let report = device.note(conditions, at: frame.timestamp) {
      clientQueue.carry(report)
    }
    hand(.frame(frame), isCoded: false)
  }

  /// The decoder of a coded stream; `nil` while no picture of it is wanted.
  private func decoder() -> StreamDecoder? {
    let wantsStill = stills.areAwaited
    let (decoder, gone) = state.withLock { state -> (StreamDecoder?, StreamDecoder?) in
      guard state.needsPictures || wantsStill else { return (nil, state.decoder.take()) }
      if state.decoder == nil {
        state.decoder = StreamDecoder(opens: LiveDecoderOpening.usual) { [weak self] in self?.take($0) }
      }
      return (state.decoder, nil)
    }
    gone?.close()
    return decoder
  }

  private func take(_ output: StreamDecoder.Output) {
    switch output {
    case .frame(let frame):
      show(frame)
      stills.take(frame)
    case .lost(let drop):
      state.withLock { $0.history?.frames }?.take(drop)
      hand(.lost(drop), isCoded: false)
    }
  }

  /// Lets go of the decoder, and ends the wait for pictures of a coded stream.
  func endDecoding(_ error: CaptureDeviceError) {
    let decoder = state.withLock { $0.decoder.take() }
    decoder?.close()
    stills.fail(error)
  }
}
