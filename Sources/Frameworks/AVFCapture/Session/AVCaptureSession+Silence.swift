internal import CaptureDevice
internal import Dispatch
internal import Linux

extension AVCaptureSession {
  /// Starts or ends the watch, whichever the state wants.
  func watch() {
    let ended: (any DispatchSourceTimer)? = core.withLock { core in
      // Cameras that are closed because of heat come back by this watch.
      let isCooling = core.withheld.values.contains(.videoDeviceNotAvailableDueToSystemPressure)
      let wanted = core.state != .stopped && (!core.feeds.isEmpty || isCooling)
      if wanted, core.watchdog == nil {
        let timer = DispatchSource.makeTimerSource(queue: events)
        core.schedule(timer, nanoseconds: 1_000_000_000)
        timer.setEventHandler { [weak self] in
          guard let self else { return }
          lookForSilence()
          heedSystemPressure()
          let pause: Int64 = isCalm ? 4_000_000_000 : 1_000_000_000
          self.core.withLock { core in
            if let watchdog = core.watchdog { core.schedule(watchdog, nanoseconds: pause) }
          }
        }
        timer.resume()
        core.watchdog = timer
      } else if !wanted, let timer = core.watchdog {
        core.watchdog = nil
        return timer
      }
      return nil
    }
    ended?.cancel()
  }

  /// Whether all devices have spoken just now and nothing is hot: then the watch looks again after some seconds, for each
  /// look costs as much CPU time as some frames.
  var isCalm: Bool {
    let feeds = core.withLock { core in core.withheld.isEmpty ? Array(core.feeds.values) : nil }
    // Not the level: processors that are busy raise it too, and lead to nothing that the watch would do.
    return feeds?.allSatisfy {
      $0.device.pressure.current.factors.isEmpty && $0.silence() < FeedSilence.timeoutNanoseconds / 5
    } ?? false
  }

  func lookForSilence() {
    let (feeds, last) = core.withLock { core in
      (core.state == .running ? core.feeds.filter { core.withheld[$0.key] == nil } : [:], core.lastLook)
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

extension AVCaptureSession.Core {
  /// Has the watch look again after so many nanoseconds.
  mutating func schedule(_ timer: any DispatchSourceTimer, nanoseconds: Int64) {
    lastLook = (.now, nanoseconds)
    timer.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .milliseconds(200))
  }
}
