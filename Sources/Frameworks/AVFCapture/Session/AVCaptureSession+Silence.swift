internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux
internal import StreamParts

extension AVCaptureSession {
  /// How long the watch waits at most while all devices speak, in nanoseconds: each look costs as much CPU time as some frames.
  private static let calmNanoseconds: Int64 = 4_000_000_000
  /// How long it waits at most otherwise.
  private static let pauseNanoseconds: Int64 = 1_000_000_000

  /// Starts or ends the watch, whichever the state wants.
  func watch() {
    let (begun, ended) = core.withLock { core -> (WorldTimer?, WorldTimer?) in
      // Cameras that are closed because of heat come back by this watch.
      let isWanted = core.runner.state != .stopped && (!core.feeds.open.isEmpty || core.feeds.isCooling)
      guard isWanted else { return (nil, core.watchdog.end()) }
      let begun = core.watchdog.begin(on: events) { [weak self] in
        guard let self else { return }
        let remaining = lookForSilence()
        heedSystemPressure()
        let pause = min(isCalm ? Self.calmNanoseconds : Self.pauseNanoseconds, remaining ?? .max)
        self.core.withLock { $0.watchdog.lookAgain(afterNanoseconds: pause) }?.set(afterNanoseconds: pause)
      }
      return (begun, nil)
    }
    begun?.set(afterNanoseconds: SessionWatchdog.firstNanoseconds)
    ended?.cancel()
  }

  /// Whether all devices have spoken just now and nothing is hot: then the watch looks again after some seconds.
  var isCalm: Bool {
    let feeds = core.withLock { core in
      core.feeds.withheld.isEmpty ? Array(core.feeds.open.values) : nil
    }
    // Not the level: processors that are busy raise it too, and lead to nothing that the watch would do.
    return feeds?.allSatisfy {
      $0.device.pressure.current.factors.isEmpty
        && $0.quietNanoseconds < SilenceLimit.leastNanoseconds / 5
    } ?? false
  }

  /// Ends the devices that are silent for too long, whatever becomes of the others meanwhile.
  ///
  /// - Returns: How many nanoseconds later one of the others will be, if its silence lasts.
  private func lookForSilence() -> Int64? {
    let (feeds, last) = core.withLock { (Array($0.feeds.open.values), $0.watchdog.last) }
    let elapsed = WorldTime.current.now.nanoseconds - last.at.nanoseconds
    var remaining: Int64?
    for feed in feeds {
      guard let look = feed.lookForSilence(elapsed: elapsed, asked: last.asked) else { continue }
      switch look.finding {
      case .timedOut:
        take(.failed(feed.silenceError), from: feed)
        continue
      case .starved:
        Log.note(
          feed.silenceSentence(
            "close other programs, or choose a smaller format.", because: " because the machine is too busy"))
      case .nothing: break
      }
      remaining = min(look.remaining, remaining ?? .max)
    }
    return remaining
  }
}
