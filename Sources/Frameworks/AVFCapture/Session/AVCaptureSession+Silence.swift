internal import CaptureDevice
internal import Dispatch
internal import Linux

extension AVCaptureSession {
  /// Starts or ends the watch, whichever the state wants.
  func watch() {
    let ended = core.withLock { core -> (any DispatchSourceTimer)? in
      // Cameras that are closed because of heat come back by this watch.
      let isWanted = core.runner.state != .stopped && (!core.feeds.open.isEmpty || core.feeds.isCooling)
      guard isWanted else { return core.watchdog.end() }
      core.watchdog.begin(on: events) { [weak self] in
        guard let self else { return }
        lookForSilence()
        heedSystemPressure()
        let pause: Int64 = isCalm ? 4_000_000_000 : 1_000_000_000
        self.core.withLock { $0.watchdog.lookAgain(afterNanoseconds: pause) }
      }
      return nil
    }
    ended?.cancel()
  }

  /// Whether all devices have spoken just now and nothing is hot: then the watch looks again after some seconds, for each
  /// look costs as much CPU time as some frames.
  var isCalm: Bool {
    let feeds = core.withLock { core in
      core.feeds.withheld.isEmpty ? Array(core.feeds.open.values) : nil
    }
    // Not the level: processors that are busy raise it too, and lead to nothing that the watch would do.
    return feeds?.allSatisfy {
      $0.device.pressure.current.factors.isEmpty && $0.silence() < FeedSilence.timeoutNanoseconds / 5
    } ?? false
  }

  func lookForSilence() {
    let (feeds, last) = core.withLock { core in
      let isRunning = core.runner.state == .running
      return (
        isRunning ? core.feeds.open.filter { core.feeds.withheld[$0.key] == nil } : [:], core.watchdog.last
      )
    }
    let elapsed = MonotonicInstant.now.nanoseconds - last.at.nanoseconds
    let seconds = FeedSilence.timeoutNanoseconds / 1_000_000_000
    for feed in feeds.values {
      let what = feed.facts.isMicrophone ? "sound" : "frame"
      switch feed.lookForSilence(elapsed: elapsed, asked: last.asked) {
      case .nothing: break
      case .starved:
        Log.note(
          "\(feed.facts.name) has delivered no \(what) for \(seconds) seconds because the machine is too busy; close other "
            + "programs, or choose a smaller format.")
      case .timedOut:
        let sentence =
          "\(feed.facts.name) has delivered no \(what) for \(seconds) seconds; "
          + "unplug it and plug it in again, then start the session."
        take(.failed(CaptureDeviceError(.noFrames, sentence)), from: feed)
      }
    }
  }
}
