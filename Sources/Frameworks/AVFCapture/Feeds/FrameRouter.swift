internal import CaptureDevice
internal import Dispatch
internal import Linux

/// What a stream reports to its session beside frames.
enum StreamNews: Sendable {
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
    var lastNews: Int64 = 0
    var captured = 0
    var lost = 0
    var conditions: FrameConditions?
  }

  private let device: AVCaptureDevice
  private let clientQueue: DispatchQueue
  private let state = Locked(State())

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
    let old = state.withLock { state in
      defer { state.history = history }
      return state.history
    }
    // A frame that is on its way into the old one does not stay there.
    old?.frames.close()
  }

  var lastNews: Int64 { state.withLock { $0.lastNews } }

  var counts: (captured: Int, lost: Int) { state.withLock { ($0.captured, $0.lost) } }

  func refresh() {
    let now = device.now.nanoseconds
    state.withLock { $0.lastNews = now }
  }

  func take(_ event: StreamEvent, news: @Sendable (StreamNews) -> Void) {
    switch event {
    case .frame(let frame):
      let conditions = frame.conditions
      let (history, areNew) = state.withLock { state in
        state.lastNews = frame.timestamp.nanoseconds
        state.captured += 1
        defer { state.conditions = conditions }
        return (state.history?.frames, state.conditions !== conditions)
      }
      // Before a client can be shown the frame, and ask for it.
      history?.take(frame)
      if areNew, let report = device.note(conditions, at: frame.timestamp) {
        clientQueue.async(execute: report)
      }
      hand(.frame(frame), to: .video)
    case .dropped(let drop):
      let history = state.withLock { state in
        state.lastNews = drop.timestamp.nanoseconds
        state.lost += 1
        return state.history?.frames
      }
      history?.take(drop)
      hand(.lost(drop), to: device.facts.isMicrophone ? .audio : .video)
    case .audio(let audio):
      state.withLock { state in
        state.lastNews = audio.timestamp.nanoseconds
        state.captured += 1
      }
      hand(.audio(audio), to: .audio)
    case .depth(let depth): hand(.depth(depth), to: .depth)
    case .depthDropped(let drop): hand(.lost(drop), to: .depth)
    case .interrupted(let interruption):
      history?.frames.forget()
      news(.interrupted(interruption))
    case .resumed:
      refresh()
      news(.resumed)
    case .failed(let error):
      history?.frames.forget()
      news(.failed(error))
    }
  }

  private func hand(_ sample: MediaSample, to media: MediaKind) {
    for route in routes where route.media == media { route.sink?.receive(sample, over: route) }
  }
}
