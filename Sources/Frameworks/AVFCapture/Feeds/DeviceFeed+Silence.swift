internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux
internal import StreamParts

extension DeviceFeed {
  /// The silence of a device, as a session follows it.
  struct Silence {
    /// The session's looks until now; `nil` before the device was started, and on a clock that is moved by hand.
    var looks: SilenceDetector?
    /// The look that is planned on a clock that is moved by hand.
    var plannedLook: (any AnyObject & Sendable)?
    /// How long the silence may be.
    var limit = SilenceLimit()
  }

  /// How many nanoseconds a frame takes now: as the driver granted it, or longer where its exposure is, or will be.
  var frameNanoseconds: Int64 {
    max(grantedFrameNanoseconds, device.slowestExposureNanoseconds)
  }

  /// How long the silence may be at present, in nanoseconds.
  ///
  /// Asked before and after the frames' duration is changed, so that the frame that is under way has its own time.
  @discardableResult
  func noteSilenceLimit() -> Int64 {
    let (frame, counts) = (frameNanoseconds, counts)
    return silence.withLock { $0.limit.note(frame: frame, count: counts.captured + counts.lost) }
  }

  var silenceNanoseconds: Int64 { noteSilenceLimit() }

  /// Nanoseconds on the device's clock since it last delivered something, was started, or went on after an interruption; 0 while it
  /// is interrupted.
  var quietNanoseconds: Int64 {
    let last = router.lastNews
    return last.map { device.now.nanoseconds - $0.nanoseconds } ?? 0
  }

  /// Begins to look after the device's silence; the device was started just now.
  ///
  /// On a clock that is moved by hand the clock itself calls, at the moment at which the silence is too long, and `news` is
  /// called then. On others the session looks: see ``lookForSilence(elapsed:asked:)``.
  func lookAfter(_ news: @escaping @Sendable (StreamReport) -> Void) {
    // A driver may take long to start; one that has said meanwhile that nothing will come is not silent.
    router.refreshUnlessInterrupted()
    if device.clock.movesByHand { planLook(news) } else { silence.withLock { $0.looks = SilenceDetector() } }
  }

  /// Ends looking.
  func lookNoMore() {
    let planned = silence.withLock { silence in
      defer { silence = Silence() }
      return silence.plannedLook
    }
    withExtendedLifetime(planned) {}
  }

  private func planLook(_ news: @escaping @Sendable (StreamReport) -> Void) {
    // A frame of the same moment comes first.
    // So often at least, because the limit may have changed meanwhile.
    let rest = min(noteSilenceLimit() - quietNanoseconds + 1, SilenceLimit.leastNanoseconds)
    let planned = device.clock.plan(at: device.now.advanced(byNanoseconds: max(rest, 1))) { [weak self] in
      guard let self, isOpen else { return }
      guard quietNanoseconds > noteSilenceLimit() else { return planLook(news) }
      // At once, for frames may be back before the session has closed the device.
      endRoutes()
      news(.failed(silenceError))
    }
    let former = silence.withLock { silence in
      defer { silence.plannedLook = planned }
      return silence.plannedLook
    }
    withExtendedLifetime(former) {}
  }

  /// Looks whether the device is silent for too long, `elapsed` nanoseconds after the look before, which was to come after
  /// `asked`.
  ///
  /// - Returns: What it finds, and how many nanoseconds later the silence will be too long, if it lasts; `nil` where the clock itself
  ///   looks, or the device has not been started.
  func lookForSilence(elapsed: Int64, asked: Int64) -> (finding: SilenceDetector.Finding, remaining: Int64)? {
    guard silence.withLock({ $0.looks != nil }) else { return nil }
    let (counts, quiet, isBehind, limit) = (counts, quietNanoseconds, isBehind, noteSilenceLimit())
    return silence.withLock { silence in
      guard var looks = silence.looks else { return nil }
      if router.lastNews == nil { looks = SilenceDetector() }
      let finding = looks.look(
        count: counts.captured + counts.lost, quiet: quiet, isBehind: isBehind, elapsed: elapsed,
        asked: asked,
        limit: limit)
      silence.looks = looks
      return (finding, looks.remaining)
    }
  }

  /// The error of a device that is silent for too long.
  var silenceError: CaptureDeviceError {
    CaptureDeviceError(
      .noFrames,
      silenceSentence(
        "start the session again; if that does not help, unplug it and plug it in again.",
        for: noteSilenceLimit()))
  }

  /// One sentence that says how long nothing has come, and then `remedy`.
  func silenceSentence(
    _ remedy: String, because reason: String = "", for nanoseconds: Int64 = SilenceLimit.leastNanoseconds
  ) -> String {
    let seconds = nanoseconds / 1_000_000_000
    return
      "\(facts.name) has delivered no \(facts.isMicrophone ? "sound" : "frame") for \(seconds) seconds\(reason); \(remedy)"
  }
}
