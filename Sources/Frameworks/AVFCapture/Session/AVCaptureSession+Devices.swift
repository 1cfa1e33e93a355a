internal import AVFCore
internal import CameraFrames
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// Opens, changes, and closes what differs from the plan.
  func apply() -> SessionEvent {
    followSleep()
    let (structure, verdict) = replan(forDevices: true)
    var plan: CapturePlan
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
    let deferral = holdBack(under: plan, of: structure)
    if !deferral.held.isEmpty { plan = firstPlan(of: structure, without: deferral.held) ?? plan }
    for connection in structure.connections {
      guard let refusal = connection.takeUnreportedRefusal() else { continue }
      let name = structure.device(connection.deviceID)?.localizedName ?? connection.deviceID
      Log.note("A connection of \(name) is inactive: \(refusal).")
    }
    closeFeeds(thatDifferFrom: plan, of: structure)
    for connection in structure.connections where plan.connections[connection.id] == nil {
      let wasFed = connection.isFed
      connection.unroute()
      // What is switched off may be switched on again; what the configuration refuses has ended.
      guard wasFed, let refusal = plan.refused[connection.id] else { continue }
      connection.sink?.endCaptures(
        with: AVError(.sessionConfigurationChanged, because: "The capture ended because \(refusal)."))
    }
    // Between begin and commit the cameras have those that were committed.
    let effects = core.withLock { $0.edits.running }?.effects ?? structure.effects
    // Cameras first: their frames come while a microphone is still being opened.
    let microphones = Set(structure.devices.filter(\.facts.isMicrophone).map(\.uniqueID))
    let ids = plan.streams.keys.sorted {
      (microphones.contains($0) ? 1 : 0, $0) < (microphones.contains($1) ? 1 : 0, $1)
    }
    for id in ids {
      guard let configuration = plan.streams[id] else { continue }
      if isCancelled { return .settled }
      let ways = structure.ways(from: id, plan: plan)
      if let feed = core.withLock({ $0.feeds.open[id] }) {
        route(ways, to: feed, effects: effects[id] ?? [])
        continue
      }
      guard let device = structure.device(id) else { continue }
      if !open(device, configuration, ways, plan, effects[id] ?? []) { return .failed }
    }
    // A draft that came back to the format of before has opened nothing.
    for device in structure.devices where device.streamingFormat != nil { report(device.catchUp()) }
    for sink in structure.sinks where !sink.connections.contains(where: { plan.connections[$0.id] != nil }) {
      sink.rest()
    }
    awaitFirstSamples()
    if deferral.isOver { announceDeferredStart(hasRun: true) }
    return .settled
  }

  var isCancelled: Bool {
    core.withLock { $0.runner.state == .cancelling }
  }

  /// Whether a device is among those that deliver nothing for now.
  func withholds(_ device: AVCaptureDevice) -> Bool {
    core.withLock { $0.feeds.withheld[device.uniqueID] != nil }
  }

  func fail(with error: AVError) {
    core.withLock { $0.runner.fail(with: error) }
  }

  func route(_ ways: [DeviceFeed.Way], to feed: DeviceFeed, effects: [FrameEffect]) {
    let history = ways.first { way in
      way.plan.history != nil && way.connection.sink?.requirements.keepsHistory == true
    }
    if let sink = history?.connection.sink, holdsBack(sink.id) {
      feed.awaitHistory()
    } else {
      feed.keepHistory(history?.plan.history)
    }
    feed.keepDepth(
      ways.contains { way in
        way.plan.stream.depth != nil && way.connection.sink?.requirements.takesDepth == true
      })
    feed.connect(ways, effects: effects)
    // Only now it is known what the driver has granted.
    for way in ways { way.connection.output?.planDidChange() }
  }

  func closeFeeds(thatDifferFrom plan: CapturePlan, of structure: SessionStructure) {
    let feeds = core.withLock { $0.feeds.open }
    for (id, feed) in feeds {
      let asked = feed.asked.withLock { $0 }
      // Another object of the same identifier was plugged in after the feed's, whose end may not be known here yet.
      if let wanted = plan.streams[id], structure.device(id) === feed.device {
        if wanted == asked || feed.adapt(to: wanted) { continue }
      }
      core.withLock { $0.feeds.forget(id) }
      let answers = close(
        feed,
        because: AVError(
          .sessionConfigurationChanged,
          because: "The capture ended because the session's configuration changed; try again."))
      if plan.streams[id] == nil { rest(feed.device, answers: answers) }
    }
    core.withLock { core in
      for id in core.feeds.withheld.keys where plan.streams[id] == nil { core.feeds.withheld[id] = nil }
      core.feeds.left.formIntersection(plan.streams.keys)
    }
  }

  /// Opens and starts one device; `false` when the session cannot go on.
  func open(
    _ device: AVCaptureDevice, _ configuration: StreamConfiguration, _ ways: [DeviceFeed.Way],
    _ plan: CapturePlan, _ effects: [FrameEffect]
  ) -> Bool {
    if isWithheldByPressure(device) || isWithheldBySleep(device) { return true }
    let id = device.uniqueID
    // Its preview is there already when a deferred start opens it, and goes on.
    let mayBeLeft = core.withLock { $0.feeds.left.contains(id) || $0.deferral.isRunning }
    do {
      let feed = try HeldDevices.shared.open(device, configuration, clientQueue: events) { self.isCancelled }
      // Noted before the start: the first news may come before it returns.
      core.withLock { core in
        core.feeds.open[id] = feed
        core.feeds.withheld[id] = nil
        core.feeds.left.remove(id)
      }
      // Another session may have had the device until now.
      if core.withLock({ !$0.edits.isOpen }) { report(adopt(plan, device)) }
      report(device.catchUp())
      route(ways, to: feed, effects: effects)
      do throws(CaptureDeviceError) {
        try feed.start { [weak self, weak feed, events] news in
          guard let feed else { return }
          events.carry { [weak self] in self?.take(news, from: feed) }
        }
        return true
      } catch {
        core.withLock { $0.feeds.open[id] = nil }
        feed.close()
        throw HeldDevices.Refusal(error: error, isOurs: false)
      }
    } catch let refusal as HeldDevices.Refusal {
      if isWithheld(device, refusal) { return true }
      let error = AVError(refusal, device)
      // What goes on without a device does so when trying it again is in vain.
      if mayBeLeft, core.withLock({ $0.feeds.havePictures(without: id) }) {
        leave(device, because: error)
        return true
      }
      fail(with: error)
      return false
    } catch {
      fail(
        with: AVError(
          .unknown, because: "\(device.localizedName) could not be opened: \(error)", device: device))
      return false
    }
  }

  /// Whether a refused device may come later: then it is waited for.
  func isWithheld(_ device: AVCaptureDevice, _ refusal: HeldDevices.Refusal) -> Bool {
    // Once: what a client does with the lamp of a camera that is waited for stays.
    let isNews = core.withLock { $0.feeds.withheld[device.uniqueID] == nil }
    if !refusal.isOurs, isNews { rest(device) }
    guard refusal.error.code == .deviceBusy, !refusal.isOurs else { return false }
    core.withLock {
      $0.feeds.withheld[device.uniqueID] = InterruptionReason(.inUseByAnotherClient, of: device.facts)
    }
    tryAgainLater(on: device.clock)
    return true
  }

  /// Looks again in half a second of the device's clock whether another program has let go of a device.
  private func tryAgainLater(on clock: CMClock) {
    let isScheduled = core.withLock { core in
      defer { core.watchdog.isRetryScheduled = true }
      return core.watchdog.isRetryScheduled
    }
    guard !isScheduled else { return }
    let planned = clock.perform(afterNanoseconds: 500_000_000, on: events) { [weak self] in
      guard let self else { return }
      let (isWaiting, done) = core.withLock { core in
        core.watchdog.isRetryScheduled = false
        return (
          core.runner.state == .interrupted && core.feeds.areHeldByOthers, core.watchdog.plannedRetry.take()
        )
      }
      withExtendedLifetime(done) {}
      if isWaiting { handle(.commit) }
    }
    core.withLock { if $0.watchdog.isRetryScheduled { $0.watchdog.plannedRetry = planned } }
  }

  func closeAll() {
    forgetSleep()
    let (feeds, failure, captures) = core.withLock {
      ($0.feeds.forgetAll(), $0.runner.failure, $0.deferral.end())
    }
    let error =
      failure
      ?? AVError(
        .sessionNotRunning,
        because: "The capture ended because its session was stopped; start it, then try again.")
    for feed in feeds { rest(feed.device, answers: forget(feed).answers) }
    // All of them, also those whose device is closed already, because it was to be opened anew, or was never opened.
    for sink in knownSinks { sink.endCaptures(with: error) }
    for device in core.withLock({ $0.edits.committed.devices })
    where device.streamingFormat == nil && !feeds.contains(where: { $0.device === device }) {
      rest(device)
    }
    // Those that waited for a deferred start: nothing streams for them now.
    for goOn in captures { goOn() }
  }

  /// Notes that a device brings no frames any more.
  func rest(_ device: AVCaptureDevice, answers: Bool = true) {
    guard device.streamingFormat == nil || core.withLock({ $0.feeds.open[device.uniqueID] != nil }) else {
      return
    }
    report(device.rest(answers: answers))
  }

  /// Has observers notified with what else is due.
  private func report(_ news: (@Sendable () -> Void)?) {
    if let news { core.withLock { $0.outbox.add([news]) } }
  }

  /// Closes a feed and ends what its sinks have under way; whether its driver has answered at once.
  @discardableResult
  func close(_ feed: DeviceFeed, because error: AVError) -> Bool {
    let (sinks, answers) = forget(feed)
    for sink in sinks { sink.endCaptures(with: error) }
    return answers
  }

  /// Closes the device; returns the sinks that it fed, whose captures are to be ended, and whether its driver has answered at once.
  private func forget(_ feed: DeviceFeed) -> (sinks: [any MediaSink], answers: Bool) {
    let connections = core.withLock { $0.edits.structure.connections + $0.edits.committed.connections }
    var sinks: [any MediaSink] = []
    for connection in connections where connection.forget(feed) {
      if let sink = connection.sink, !sinks.contains(where: { $0 === sink }) {
        sinks.append(sink)
      }
    }
    return (sinks, feed.close())
  }

  /// The sinks as committed and as calls see them, each once.
  var knownSinks: [any MediaSink] {
    let all = core.withLock { $0.edits.committed.sinks + $0.edits.structure.sinks }
    var sinks: [any MediaSink] = []
    for sink in all where !sinks.contains(where: { $0 === sink }) { sinks.append(sink) }
    return sinks
  }

  /// Closes the devices that `choose` withholds; a session whose devices a thread works on keeps them, for that thread asks itself.
  func interrupt(because reason: String, _ choose: (inout SessionFeeds) -> [DeviceFeed]) {
    let feeds = core.withLock { core in
      core.runner.state == .running || core.runner.state == .interrupted ? choose(&core.feeds) : []
    }
    guard !feeds.isEmpty else { return }
    for feed in feeds {
      let answers = close(
        feed, because: AVError(.sessionWasInterrupted, because: "The capture ended because \(reason)."))
      rest(feed.device, answers: answers)
    }
    handle(.streamInterrupted)
  }
}

extension SessionStructure {
  /// The effects on its cameras' pictures, by the devices' identifiers.
  ///
  /// The user's effects come before a client's, which gets pictures that have them.
  var effects: [String: [FrameEffect]] {
    let pairs = inputs.compactMap { input in
      (input as? AVCaptureDeviceInput).map { input in
        (
          input.device.uniqueID,
          [input.device.videoEffects.effect(of: input.device), input.effect].compactMap { $0 }
        )
      }
    }
    return Dictionary(pairs) { $1 }
  }

  func device(_ id: String) -> AVCaptureDevice? {
    inputs.firstResult { input in
      (input as? AVCaptureDeviceInput)?.device.uniqueID == id ? (input as? AVCaptureDeviceInput)?.device : nil
    }
  }

  /// The ways that the device's frames take under `plan`.
  func ways(from id: String, plan: CapturePlan) -> [DeviceFeed.Way] {
    connections.compactMap { connection in
      guard let planned = plan.connections[connection.id], planned.deviceID == id else { return nil }
      return DeviceFeed.Way(connection: connection, plan: planned)
    }
  }
}

extension AVError {
  /// What a session says of a device that it cannot have.
  fileprivate convenience init(_ refusal: HeldDevices.Refusal, _ device: AVCaptureDevice) {
    if refusal.error.code == .deviceBusy {
      self.init(
        .deviceAlreadyUsedByAnotherSession,
        because:
          "\(device.localizedName) cannot be started because another session of this program runs with it; "
          + "stop that one first.", device: device)
    } else {
      self.init(refusal.error, device: device)
    }
  }

  /// What a session says when there is no plan.
  convenience init(_ refusal: PlanRefusal, _ structure: SessionStructure) {
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
