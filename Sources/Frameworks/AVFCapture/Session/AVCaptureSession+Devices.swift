internal import AVFCore
internal import CaptureDevice
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// How long `stopRunning()` waits for another thread that works on the devices.
  ///
  /// A second is the promise; what is left is for the caller.
  private static let stopTimeoutNanoseconds: Int64 = 900_000_000

  // MARK: The machine

  /// Brings an event, does the work that it asks for on this thread, and tells the clients.
  func handle(_ first: SessionEvent) {
    var event: SessionEvent? = first
    while let current = event {
      // An error that is forgotten, with what it names, goes after the lock is left.
      let (work, failure) = core.withLock { core in
        let failure = core.failure
        return (core.take(current, of: self), failure)
      }
      withExtendedLifetime(failure) {}
      switch work {
      case .nothing: event = nil
      case .apply: event = apply()
      case .close:
        closeAll()
        event = .closed
      case .wait:
        _ = core.wait {
          $0.state.isSettled
        } then: { _ in
        }
      case .waitForStop:
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: AVCaptureSession.stopTimeoutNanoseconds)
        _ = core.wait(until: deadline) {
          $0.state == .stopped
        } then: { _ in
        }
        event = nil
      }
    }
    watch()
    deliver()
    // The machine went to sleep while a thread worked on the devices.
    if SystemSleep.shared.isAsleep { fallAsleep() }
  }

  /// Tells the clients what is due, in order; one thread at a time, under no lock.
  ///
  /// A call from inside a client's handler leaves its news to the delivery that is going on.
  func deliver() {
    while true {
      let due = core.withLock { core -> [@Sendable () -> Void] in
        guard !core.isDelivering, !core.outbox.isEmpty else { return [] }
        core.isDelivering = true
        defer { core.outbox = [] }
        return core.outbox
      }
      guard !due.isEmpty else { return }
      HeldLocks.assertNone(in: "AVCaptureSession.deliver()")
      for tell in due { tell() }
      core.withLock { $0.isDelivering = false }
    }
  }

  // MARK: Planning

  /// Plans the committed structure and notes the outcome with devices and connections.
  ///
  /// What their observers are to be told waits in the outbox.
  @discardableResult
  func replan() -> (structure: Structure, verdict: PlanVerdict) {
    let plan: (structure: Structure, verdict: PlanVerdict) = planning.withLock {
      let structure = core.withLock { $0.committed }
      let graph = structure.graph()
      let verdict = GraphPlanner.plan(graph, facts: structure.facts())
      var news: [@Sendable () -> Void] = []
      for case let input as AVCaptureDeviceInput in structure.inputs {
        let device = input.device
        guard let format = verdict.plan?.formats[device.uniqueID] else { continue }
        if let tell = device.adopt(format: format, usesP3: verdict.plan?.usesP3[device.uniqueID] ?? false) {
          news.append(tell)
        }
      }
      for connection in structure.connections {
        let isLost = verdict.plan?.missing.contains(connection.deviceID) ?? true
        let refusal = verdict.plan?.refused[connection.id]
        connection.note(refusal: refusal)
        if let tell = connection.note(isActive: !isLost && refusal == nil) { news.append(tell) }
        let stabilized = verdict.plan?.connections[connection.id]?.stream.stabilization ?? .off
        if let tell = connection.note(stabilization: stabilized) { news.append(tell) }
      }
      if !news.isEmpty { core.withLock { $0.outbox += news } }
      return (structure, verdict)
    }
    for output in plan.structure.outputs { output.planDidChange() }
    return plan
  }

  /// What `connection` does with frames under what calls see now; `nil` without a plan for it.
  func plannedConnection(_ connection: AVCaptureConnection) -> ConnectionPlan? {
    let structure = core.withLock { $0.structure }
    return GraphPlanner.plan(structure.graph(), facts: structure.facts()).plan?.connections[connection.id]
  }

  // MARK: Bringing devices in line

  /// Opens, changes, and closes what differs from the plan.
  private func apply() -> SessionEvent {
    followSleep()
    let (structure, verdict) = replan()
    let plan: CapturePlan
    switch verdict {
    case .valid(let valid): plan = valid
    case .adjusted(let adjusted, let reasons):
      plan = adjusted
      if ProcessInfo.processInfo.environment["OBSCURA_LOG"] == "info" {
        reasons.forEach { Log.note($0.description) }
      }
    case .invalid(let refusal):
      fail(with: AVError(refusal, structure))
      return .failed
    }
    if let overload = structure.overload(of: plan) {
      fail(with: overload)
      return .failed
    }
    for connection in structure.connections {
      guard let refusal = connection.takeUntoldRefusal() else { continue }
      let name = structure.device(connection.deviceID)?.localizedName ?? connection.deviceID
      Log.note("A connection of \(name) is inactive: \(refusal).")
    }
    closeFeeds(thatDifferFrom: plan)
    for connection in structure.connections where plan.connections[connection.id] == nil {
      connection.unroute()
    }
    for (id, configuration) in plan.streams.sorted(by: { $0.key < $1.key }) {
      if isCancelled { return .settled }
      let ways = structure.ways(from: id, plan: plan)
      if let feed = core.withLock({ $0.feeds[id] }) {
        route(ways, to: feed)
        continue
      }
      guard let device = structure.device(id) else { continue }
      if !open(device, configuration, ways) { return .failed }
    }
    for sink in structure.sinks where !sink.connections.contains(where: { plan.connections[$0.id] != nil }) {
      sink.rest()
    }
    return .settled
  }

  private var isCancelled: Bool {
    core.withLock { $0.state == .cancelling }
  }

  /// Whether a device is among those that deliver nothing for now.
  func withholds(_ device: AVCaptureDevice) -> Bool {
    core.withLock { $0.withheld[device.uniqueID] != nil }
  }

  private func fail(with error: AVError) {
    core.withLock { core in
      if core.failure == nil { core.failure = error }
    }
  }

  private func route(_ ways: [DeviceFeed.Way], to feed: DeviceFeed) {
    feed.keepHistory(
      ways.firstResult { $0.connection.sink?.requirements.keepsHistory == true ? $0.plan.history : nil })
    feed.connect(ways)
    // Only now it is known what the driver has granted.
    for way in ways { way.connection.output?.planDidChange() }
  }

  private func closeFeeds(thatDifferFrom plan: CapturePlan) {
    let feeds = core.withLock { $0.feeds }
    for (id, feed) in feeds {
      let asked = feed.asked.withLock { $0 }
      if let wanted = plan.streams[id] {
        if wanted == asked { continue }
        // More or fewer buffers are worth no gap in the viewfinder; photos of the past do with those that are there.
        var sameButRate = asked
        sameButRate.bufferCount = wanted.bufferCount
        if sameButRate == wanted { continue }
        sameButRate.frameDuration = wanted.frameDuration
        if sameButRate == wanted, feed.setFrameDuration(wanted) { continue }
      }
      core.withLock { core in
        core.feeds[id] = nil
        core.withheld[id] = nil
      }
      close(
        feed,
        because: AVError(
          .sessionConfigurationChanged,
          because: "The capture ended because the session's configuration changed; try again."))
      if plan.streams[id] == nil { feed.device.endWaits() }
    }
    core.withLock { core in
      for id in core.withheld.keys where plan.streams[id] == nil { core.withheld[id] = nil }
    }
  }

  /// Opens and starts one device; `false` when the session cannot go on.
  private func open(_ device: AVCaptureDevice, _ configuration: StreamConfiguration, _ ways: [DeviceFeed.Way])
    -> Bool
  {
    if isWithheldByPressure(device) || isWithheldBySleep(device) { return true }
    let id = device.uniqueID
    do {
      let feed = try HeldDevices.shared.open(device, configuration, clientQueue: events) { self.isCancelled }
      // Noted before the start: the first news may come before it returns.
      core.withLock { core in
        core.feeds[id] = feed
        core.withheld[id] = nil
      }
      route(ways, to: feed)
      do throws(CaptureDeviceError) {
        try feed.start { [weak self, weak feed, events] news in
          guard let feed else { return }
          events.async { [weak self] in self?.take(news, from: feed) }
        }
        return true
      } catch {
        core.withLock { $0.feeds[id] = nil }
        feed.close()
        throw HeldDevices.Refusal(error: error, isOurs: false)
      }
    } catch let refusal as HeldDevices.Refusal {
      return isWithheld(device, refusal)
    } catch {
      fail(
        with: AVError(
          .unknown, because: "\(device.localizedName) could not be opened: \(error)", device: device))
      return false
    }
  }

  /// Whether a refused device may come later: then it is waited for, else the session fails.
  private func isWithheld(_ device: AVCaptureDevice, _ refusal: HeldDevices.Refusal) -> Bool {
    if refusal.error.code == .deviceBusy, !refusal.isOurs {
      core.withLock {
        $0.withheld[device.uniqueID] = InterruptionReason(.inUseByAnotherClient, of: device.facts)
      }
      tryAgainLater()
      return true
    }
    if refusal.error.code == .deviceBusy {
      fail(
        with: AVError(
          .deviceAlreadyUsedByAnotherSession,
          because:
            "\(device.localizedName) cannot be started because another session of this program runs with it; "
            + "stop that one first.", device: device))
    } else {
      fail(with: AVError(refusal.error, device: device))
    }
    return false
  }

  /// Looks again in half a second whether another program has let go of a device.
  private func tryAgainLater() {
    let isScheduled = core.withLock { core in
      defer { core.isRetryScheduled = true }
      return core.isRetryScheduled
    }
    guard !isScheduled else { return }
    events.asyncAfter(deadline: .now() + 0.5) { [weak self] in
      guard let self else { return }
      let isWaiting = core.withLock { core in
        core.isRetryScheduled = false
        return core.state == .interrupted
          && core.withheld.values.contains {
            $0 == .videoDeviceInUseByAnotherClient || $0 == .audioDeviceInUseByAnotherClient
          }
      }
      if isWaiting { handle(.commit) }
    }
  }

  private func closeAll() {
    forgetSleep()
    let (feeds, failure) = core.withLock { core in
      defer {
        core.feeds = [:]
        core.withheld = [:]
        core.asleep = []
      }
      return (core.feeds, core.failure)
    }
    let error =
      failure
      ?? AVError(
        .sessionNotRunning,
        because: "The capture ended because its session was stopped; start it, then try again.")
    for feed in feeds.values { close(feed, because: error) }
    for case let input as AVCaptureDeviceInput in core.withLock({ $0.committed.inputs }) {
      input.device.endWaits()
    }
  }

  func close(_ feed: DeviceFeed, because error: AVError) {
    let connections = core.withLock { $0.structure.connections + $0.committed.connections }
    var sinks: [any MediaSink] = []
    for connection in connections where connection.forget(feed) {
      if let sink = connection.sink, !sinks.contains(where: { $0 === sink }) {
        sinks.append(sink)
      }
    }
    feed.close()
    for sink in sinks { sink.endCaptures(with: error) }
  }

  // MARK: News from devices

  /// Takes what a stream told; on the queue of events.
  private func take(_ news: StreamNews, from feed: DeviceFeed) {
    let id = feed.facts.uniqueID
    guard core.withLock({ $0.feeds[id] === feed }) else { return }
    switch news {
    case .failed(let error):
      if goesOn(without: feed, after: error) { return }
      fail(with: AVError(error, device: feed.device))
      noteLoss(of: feed, after: error)
      handle(.streamFailed)
      // A quick hand may have plugged it in again while the session was being closed.
      if feed.device.plugCount != feed.plugCount { devicesCameBack() }
    case .interrupted(let interruption):
      core.withLock { $0.withheld[id] = InterruptionReason(interruption, of: feed.facts) }
      let error = AVError(
        .sessionWasInterrupted,
        because:
          "The capture ended because \(feed.facts.name) was withheld; try again when the interruption has ended."
      )
      let sinks = core.withLock { $0.structure.sinks }
      for sink in sinks where sink.connections.contains(where: { $0.isFed(by: feed) }) {
        sink.endCaptures(with: error)
      }
      handle(.streamInterrupted)
    case .resumed:
      core.withLock { $0.withheld[id] = nil }
      handle(.streamResumed)
    }
  }

  /// Ends the feed of a microphone that is lost while a camera streams; `false` when the session must end.
  ///
  /// Apple says that a session posts a runtime error when a device is lost, and not what becomes of the others. Nobody who
  /// looks at a preview wants it to end because a headset was pulled out: the session posts the error, the microphone's
  /// connections become inactive, and the pictures go on. A reset of the media service takes everything with it.
  private func goesOn(without feed: DeviceFeed, after error: CaptureDeviceError) -> Bool {
    guard feed.facts.isMicrophone, error.code != .mediaServicesReset else { return false }
    let lost = AVError(error, device: feed.device)
    let goesOn = core.withLock { core in
      guard core.state == .running || core.state == .reconfiguring || core.state == .interrupted,
        core.feeds.values.contains(where: { !$0.facts.isMicrophone })
      else { return false }
      core.feeds[feed.facts.uniqueID] = nil
      core.withheld[feed.facts.uniqueID] = nil
      core.outbox.append { [weak self] in
        self?.post(.runtimeErrorNotification, [AVCaptureSessionErrorKey: lost])
      }
      return true
    }
    guard goesOn else { return false }
    close(feed, because: lost)
    // Not by planning: the news of the stream comes before that of the device, which counts as plugged in until then.
    let news = connections.filter { $0.deviceID == feed.facts.uniqueID }
      .compactMap { $0.note(isActive: false) }
    core.withLock { $0.outbox = news + $0.outbox }
    // It may have been the one that the session was waiting for.
    handle(.streamResumed)
    return true
  }

  // MARK: Watching over silence

  /// Starts or ends the watch, whichever the state wants.
  private func watch() {
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
  private var isCalm: Bool {
    let feeds = core.withLock { core in core.withheld.isEmpty ? Array(core.feeds.values) : nil }
    // Not the level: processors that are busy raise it too, and lead to nothing that the watch would do.
    return SystemPressure.shared.current.factors.isEmpty
      && feeds?.allSatisfy { $0.silence() < FeedSilence.timeoutNanoseconds / 5 } ?? false
  }

  private func lookForSilence() {
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
  fileprivate mutating func schedule(_ timer: any DispatchSourceTimer, nanoseconds: Int64) {
    lastLook = (.now, nanoseconds)
    timer.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .milliseconds(200))
  }

  /// Goes where `event` leads and puts what clients are to be told into the outbox; returns what is to be done.
  fileprivate mutating func take(_ brought: SessionEvent, of session: AVCaptureSession) -> SessionWork {
    // What is withheld may have changed since the event was brought.
    let event: SessionEvent
    // A client that has stopped the session meanwhile waits for nothing.
    if brought == .deviceReturned, lost.isEmpty { return .nothing }
    switch brought {
    case .settled, .settledWithoutDevice: event = withheld.isEmpty ? .settled : .settledWithoutDevice
    case .streamResumed, .streamInterrupted: event = withheld.isEmpty ? .streamResumed : .streamInterrupted
    default: event = brought
    }
    let response = state.response(to: event)
    let isNewFailure = (event == .streamFailed || event == .failed) && response.next != state
    state = response.next
    if event == .settled || event == .settledWithoutDevice { lost = [] }
    if isNewFailure, let failure {
      outbox.append { [weak session] in
        session?.post(.runtimeErrorNotification, [AVCaptureSessionErrorKey: failure])
      }
    }
    show(SessionFace(state, isWithheld: !withheld.isEmpty), of: session)
    // An error that came while a client was stopping the session is nobody's news.
    if state == .stopped { failure = nil }
    return response.work
  }

  /// Notes what clients see now and puts its changes into the outbox.
  private mutating func show(_ new: SessionFace, of session: AVCaptureSession) {
    let old = face
    guard new != old else { return }
    face = new
    // Whoever misses the picture and the audio is told of the picture.
    let reason = withheld.values.min { left, right in
      left != .audioDeviceInUseByAnotherClient && right == .audioDeviceInUseByAnotherClient
    }
    let pressure = pressure
    outbox.append { [weak session] in session?.tell(old, new, reason, pressure) }
  }
}

extension AVCaptureSession {
  fileprivate func post(_ name: Notification.Name, _ information: [String: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: information)
  }

  /// Tells observers what changed: properties first, then the notification that says why.
  fileprivate func tell(
    _ old: SessionFace, _ new: SessionFace, _ reason: InterruptionReason?,
    _ pressure: AVCaptureDevice.SystemPressureState?
  ) {
    if old.isInterrupted != new.isInterrupted {
      observerTable.changed(
        \AVCaptureSession.isInterrupted, of: self, from: old.isInterrupted, to: new.isInterrupted)
    }
    if old.isRunning != new.isRunning {
      observerTable.changed(\AVCaptureSession.isRunning, of: self, from: old.isRunning, to: new.isRunning)
    }
    if new.isInterrupted, !old.isInterrupted {
      var information: [String: Any] = [:]
      if let reason { information[AVCaptureSessionInterruptionReasonKey] = reason.rawValue }
      if reason == .videoDeviceNotAvailableDueToSystemPressure, let pressure {
        information[AVCaptureSessionInterruptionSystemPressureStateKey] = pressure
      }
      post(.wasInterruptedNotification, information)
    } else if old.isInterrupted, new.isRunning {
      post(.interruptionEndedNotification)
    } else if new.isRunning, !old.isRunning {
      post(.didStartRunningNotification)
    } else if old.isRunning || old.isInterrupted {
      post(.didStopRunningNotification)
    }
    for output in outputs { output.sessionDidChange() }
  }
}

extension Notification.Name {
  fileprivate static let runtimeErrorNotification = AVCaptureSession.runtimeErrorNotification
  fileprivate static let wasInterruptedNotification = AVCaptureSession.wasInterruptedNotification
  fileprivate static let interruptionEndedNotification = AVCaptureSession.interruptionEndedNotification
  fileprivate static let didStartRunningNotification = AVCaptureSession.didStartRunningNotification
  fileprivate static let didStopRunningNotification = AVCaptureSession.didStopRunningNotification
}

extension AVCaptureSession.InterruptionReason {
  /// The reason that Apple has for it; none names a shutter, so that is the camera withheld by the system, and there is
  /// one only for microphones.
  fileprivate init(_ interruption: StreamInterruption, of facts: DeviceFacts) {
    if facts.isMicrophone {
      self = .audioDeviceInUseByAnotherClient
      return
    }
    self =
      switch interruption {
      case .privacy: .videoDeviceNotAvailableInBackground
      case .inUseByAnotherClient: .videoDeviceInUseByAnotherClient
      }
  }
}

extension AVCaptureSession.Structure {
  fileprivate func device(_ id: String) -> AVCaptureDevice? {
    inputs.firstResult { input in
      (input as? AVCaptureDeviceInput)?.device.uniqueID == id ? (input as? AVCaptureDeviceInput)?.device : nil
    }
  }

  /// The ways that the device's frames take under `plan`.
  fileprivate func ways(from id: String, plan: CapturePlan) -> [DeviceFeed.Way] {
    connections.compactMap { connection in
      guard let planned = plan.connections[connection.id], planned.deviceID == id else { return nil }
      return DeviceFeed.Way(connection: connection, plan: planned)
    }
  }
}

extension AVError {
  /// What a session says when there is no plan.
  fileprivate convenience init(_ refusal: PlanRefusal, _ structure: AVCaptureSession.Structure) {
    switch refusal {
    case .deviceMissing(let id):
      if let device = structure.device(id) {
        self.init(
          .deviceNotConnected,
          because:
            "\(device.localizedName) cannot be started because it is not connected; plug it in, or remove it "
            + "from the session.", device: device)
      } else {
        self.init(.deviceNotConnected)
      }
    case .formatUnusable:
      self.init(.unsupportedDeviceActiveFormat, because: refusal.description)
    case .presetUnsupported, .formatMissing, .looseConnection:
      self.init(.sessionConfigurationChanged, because: refusal.description)
    }
  }
}
