internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// What the controls stand at, as clients see it: what was set counts from the setter on, what is measured from the frame on.
  var controls: ControlState {
    let now = driver.controlState
    return state.withLock { $0.ledger.shown(now) }
  }

  /// The number of the newest change that was asked of the device: frames that show it have no lower one.
  var newestChange: UInt64 { state.withLock { $0.ledger.newest } }

  /// What the device's controls can do.
  var capabilities: CameraCapabilities { facts.capabilities }

  /// Changes controls for the setter of `property` and notifies the observers, on this thread.
  ///
  /// - Parameter completion: Called once, on a queue of its own, with the timestamp of the first frame that shows the
  ///   change; with `CMTime.invalid` when there will be none. Handlers of several changes are called in their order.
  func change(_ property: String, _ controls: CameraControl..., completion: ((CMTime) -> Void)? = nil) {
    if let news = apply(property, controls, completion) { notify(news.old, news.new) }
  }

  private func apply(
    _ property: String, _ controls: [CameraControl], _ completion: ((CMTime) -> Void)?
  ) -> ControlLedger.News? {
    let completion = completion.map(Self.once)
    let news = changing.withLock { () -> Result<ControlLedger.News, CaptureDeviceError> in
      let driver = driver
      state.withLock { $0.ledger.begin() }
      do throws(CaptureDeviceError) {
        let number = try driver.apply(controls)
        let now = driver.controlState
        return .success(
          state.withLock { state in
            let news = state.ledger.end(number, controls, at: now, then: completion)
            complete(news.due)
            return news
          })
      } catch {
        state.withLock { $0.ledger.cancel() }
        return .failure(error)
      }
    }
    switch news {
    case .success(let news): return news
    case .failure(let error):
      // Apple's setters have no way to fail; the property then reads as it was, and the reason is logged.
      Log.note("\(localizedName) did not take \(property): \(error.message)")
      if let completion { complete([(completion, .invalid)]) }
      return nil
    }
  }

  /// What sets controls back.
  enum ControlReset {
    /// An input of the device was added to a session.
    case input
    /// The session has another preset.
    case preset
    /// Another format is active.
    case format
  }

  /// Sets back what `reason` sets back; returns the work of notifying observers, if there is any.
  ///
  /// Global tone mapping to off, and the dynamic range to what it is by itself. With a preset and a format the longest exposure
  /// to the default; with a format zoom to 1 or the least that there is. Everything else stays. Call it when a new format is the
  /// active one.
  func resetControls(_ reason: ControlReset) -> (@Sendable () -> Void)? {
    let now = controls
    var resets: [CameraControl] = []
    let least = max(1, Double(leastZoom(now)))
    if reason == .format, now.zoom != least || now.isRampingZoom { resets.append(.zoom(least)) }
    if reason != .input, now.longestExposure != nil { resets.append(.longestExposure(nil)) }
    if now.isGloballyToneMapped { resets.append(.globalToneMapping(false)) }
    let isHDR = activeFormat.isVideoHDRSupported && (adjustsHDR || now.isHDR)
    if now.isHDR != isHDR { resets.append(.videoHDR(isHDR)) }
    guard !resets.isEmpty, let news = apply("its session's settings", resets, nil) else { return nil }
    return { [weak self] in self?.notify(news.old, news.new) }
  }

  /// Notes what held for a frame, on the reader thread; returns the work of notifying observers, if there is any.
  func note(_ conditions: FrameConditions, at timestamp: MonotonicInstant) -> (@Sendable () -> Void)? {
    let news = state.withLock { state -> ControlLedger.News? in
      guard let news = state.ledger.take(conditions, at: timestamp) else { return nil }
      // Under the lock, so that handlers come in the order of their changes.
      complete(news.due)
      return news
    }
    guard let news else { return nil }
    let isSceneNew = news.new.isMonitoringScene && news.new.sceneChanges > news.old.sceneChanges
    guard isSceneNew || observerTable.count > 0 else { return nil }
    return { [weak self] in
      guard let self else { return }
      notify(news.old, news.new, isFirstFrame: news.isFirstFrame)
      if isSceneNew { notifySubjectAreaChanged() }
    }
  }

  /// Notifies those who wait for a frame that none will come: the session has stopped, or the device is unplugged.
  func endWaits() {
    complete(state.withLock { $0.ledger.endWaits() }.map { ($0, .invalid) })
  }

  /// Reports a mistake of a setter that has a completion handler, which is called with `CMTime.invalid`.
  func refuse(_ rule: String, _ completion: ((CMTime) -> Void)?) {
    ProgrammingMistake.report(rule: rule)
    if let completion { complete([(Self.once(completion), .invalid)]) }
  }

  /// Waits for the completion handler of a setter.
  nonisolated(nonsending) func completed(_ start: (@escaping (CMTime) -> Void) -> Void) async -> CMTime {
    await withCheckedContinuation { continuation in
      start { continuation.resume(returning: $0) }
    }
  }

  /// Hands completion handlers to their queue; calls no client.
  func complete(_ due: [(ControlLedger.Completion, CMTime)]) {
    guard !due.isEmpty else { return }
    Self.completions.async {
      for (completion, time) in due { completion(time) }
    }
  }

  /// Where completion handlers are called: never the reader thread, never a session's queue.
  private static let completions = DispatchQueue(label: "obscura.device.completions")

  /// Apple's handlers are not marked as sendable, and clients' closures are not either.
  private static func once(_ handler: @escaping (CMTime) -> Void) -> ControlLedger.Completion {
    let boxed = Handler(call: handler)
    return { boxed.call($0) }
  }

  private struct Handler: @unchecked Sendable {  // Safe because it is called once, on one queue.
    let call: (CMTime) -> Void
  }
}

extension CMTime {
  /// A duration that a device may not report.
  init(nanoseconds: Int64?) {
    self = nanoseconds.map { CMTime(value: $0, timescale: 1_000_000_000) } ?? .invalid
  }
}
