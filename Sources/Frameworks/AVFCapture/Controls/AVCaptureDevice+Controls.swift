internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// The values of the controls, as clients see them: what was set counts from the setter on, what is measured from the frame on.
  var controls: ControlState {
    let now = driver.controlState
    return state.withLock { $0.ledger.shown(now) }
  }

  /// The number of the newest change that was asked of the device: frames that show it have no lower one.
  var newestChange: UInt64 { state.withLock { $0.ledger.newest } }

  /// The capabilities of the device's controls.
  var capabilities: CameraCapabilities { facts.capabilities }

  /// Changes controls for the setter of `property` and notifies the observers, on this thread.
  ///
  /// - Parameter completion: Called once, on a queue of its own, with the timestamp of the first frame that shows the
  ///   change; with `CMTime.invalid` when there will be none. Handlers of several changes are called in their order.
  func change(_ property: String, _ controls: CameraControl..., completion: ((CMTime) -> Void)? = nil) {
    if let news = apply(property, controls, completion) { notify(news) }
  }

  private func apply(
    _ property: String, _ controls: [CameraControl], _ completion: ((CMTime) -> Void)?
  ) -> ControlLedger.News? {
    let request = ControlLedger.Request(
      property: property, controls: controls, completion: completion.map(Self.once))
    let asked = changing.withLock {
      if awaitsFormat, state.withLock({ $0.ledger.hasPostponed }) { return postpone([request]) }
      return ask([request])
    }
    // The requests are released after the lock is left, because releasing a client's closure may run its code.
    return asked.isEmpty ? nil : state.withLock { $0.ledger.news() }
  }

  /// Whether the open stream has another format than the active one, which a commit will bring.
  private var awaitsFormat: Bool {
    state.withLock { state in
      state.stream.map { $0.format != state.settings.format(of: state.facts) } ?? false
    }
  }

  /// Asks the driver for what waits, in the order of the calls, and then for `requests`; under the lock on changes.
  ///
  /// What it refuses while the stream has another format than the active one waits for the stream of that: a range that the active
  /// format has, or its wider dynamic range, cannot be had before.
  ///
  /// - Returns: The requests that were asked for.
  private func ask(_ requests: [ControlLedger.Request]) -> [ControlLedger.Request] {
    var due = state.withLock { $0.ledger.takePostponed() } + requests
    let all = due
    while let request = due.first {
      due.removeFirst()
      let driver = driver
      state.withLock { $0.ledger.begin() }
      do throws(CaptureDeviceError) {
        let number = try driver.apply(request.controls)
        let now = driver.controlState
        state.withLock { state in
          complete(state.ledger.end(number, request.controls, at: now, then: request.completion))
        }
      } catch {
        if error.code == .controlUnsupported, awaitsFormat {
          _ = postpone([request] + due)
          break
        }
        let now = driver.controlState
        state.withLock { state in
          state.ledger.cancel(at: now)
          // What no client has asked for has to be so in any case: of a device that is gone it reads so.
          if request.property == nil { state.ledger.postpone(request, at: now) }
        }
        // Apple's setters have no way to fail; the property then reads as it was, and the reason is logged.
        if let property = request.property {
          Log.note("\(localizedName) did not take \(property): \(error.message)")
        }
        if let completion = request.completion { complete([(completion, .invalid)]) }
      }
    }
    return all
  }

  private func postpone(_ requests: [ControlLedger.Request]) -> [ControlLedger.Request] {
    let now = driver.controlState
    state.withLock { state in
      for request in requests { state.ledger.postpone(request, at: now) }
    }
    return requests
  }

  /// Asks the driver for what has waited for the stream that is open now, or for none to be open; returns the work of notifying
  /// observers, if there is any.
  func catchUp() -> (@Sendable () -> Void)? {
    let asked = changing.withLock { awaitsFormat ? [] : ask([]) }
    guard !asked.isEmpty else { return nil }
    let news = state.withLock { $0.ledger.news() }
    return { [weak self] in self?.notify(news) }
  }

  /// The reason for a reset of controls.
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
    return { [weak self] in self?.notify(news) }
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
      notify(news)
      if isSceneNew { notifySubjectAreaChanged() }
    }
  }

  /// Notes that no frames come any more: the session has stopped, is interrupted, or goes on without the device.
  ///
  /// Those who wait for a frame hear that none will come, the lamp goes dark, and what was on its way has ended. Apple's lamps go
  /// dark, too, and stay so until a client lights them again.
  ///
  /// - Parameter answers: Whether the driver answers; one that hangs is not waited for, and darkens its lamp when it answers again.
  /// - Returns: The work of notifying observers, if there is any.
  func rest(answers: Bool = true) -> (@Sendable () -> Void)? {
    endWaits()
    videoEffects.streamEnded(on: self)
    let before = state.withLock { $0.ledger.reported }
    var ends: [CameraControl] = []
    if before.isRampingZoom { ends.append(.endZoomRamp) }
    if before.torchMode != .off { ends.append(.torch(.off, level: 0)) }
    if !ends.isEmpty {
      // Done by who asks the driver next, so that it comes once, and before what a client wants later.
      let request = ControlLedger.Request(property: nil, controls: ends, completion: nil)
      state.withLock { $0.ledger.postpone(request, at: before) }
    }
    // What a camera measures is worth asking for where an observer hears of it.
    let isAsked = observerTable.count > 0 || !ends.isEmpty
    let answer = isAsked ? askPostponed(forAtMost: answers ? Self.answerNanoseconds : 0) : nil
    let news = state.withLock { state in
      state.ledger.rest(at: answer)
      return state.ledger.news()
    }
    guard news.old != news.new else { return nil }
    return { [weak self] in self?.notify(news) }
  }

  /// How long a stop waits for a driver's answer.
  private static let answerNanoseconds: Int64 = 250_000_000

  /// Asks the driver on another thread for what waits, for one that hangs must not hold up a stop.
  ///
  /// - Returns: The state of the controls then; `nil` when the driver did not answer in time. The request is carried out when it
  ///   answers, and observers are notified then.
  private func askPostponed(forAtMost nanoseconds: Int64) -> ControlState? {
    enum Answer { case awaited, given(ControlState), late }
    let answer = Monitor(Answer.awaited)
    // Serial: a driver that hangs takes one thread, however often it is asked.
    resting.async { [self] in
      _ = changing.withLock { ask([]) }
      let now = driver.controlState
      let isLate = answer.withLock { answer in
        if case .late = answer { return true }
        answer = .given(now)
        return false
      }
      guard isLate else { return }
      notify(
        state.withLock { state in
          state.ledger.note(now)
          return state.ledger.news()
        })
    }
    _ = answer.wait(until: HangLimit(nanoseconds: nanoseconds).deadline) {
      if case .given = $0 { true } else { false }
    } then: { _ in
    }
    return answer.withLock { answer in
      if case .given(let state) = answer { return state }
      answer = .late
      return nil
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
    Self.completions.carry {
      for (completion, time) in due { completion(time) }
    }
  }

  /// The queue of completion handlers: never the reader thread, never a session's queue.
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
