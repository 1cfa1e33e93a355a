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
      let (conditions, now) = (frame.conditions, device.now)
      let (history, areNew, gone) = state.withLock { state in
        state.lastNews = now
        state.captured += 1
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
      hand(.frame(frame), to: .video)
    case .dropped(let drop):
      let now = device.now
      let history = state.withLock { state in
        state.lastNews = now
        state.lost += 1
        return state.history?.frames
      }
      history?.take(drop)
      voice.forget()
      hand(.lost(drop), to: device.facts.isMicrophone ? .audio : .video)
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
      state.withLock { $0.lastNews = nil }
      history?.frames.forget()
      forgetNewest()
      news(.interrupted(interruption))
    case .resumed:
      refresh()
      news(.resumed)
    case .failed(let error):
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
}
