internal import AVFCore
internal import CaptureDevice
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// Opens, changes, and closes what differs from the plan.
  func apply() -> SessionEvent {
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
      guard let refusal = connection.takeUnreportedRefusal() else { continue }
      let name = structure.device(connection.deviceID)?.localizedName ?? connection.deviceID
      Log.note("A connection of \(name) is inactive: \(refusal).")
    }
    closeFeeds(thatDifferFrom: plan, of: structure)
    for connection in structure.connections where plan.connections[connection.id] == nil {
      connection.unroute()
    }
    for (id, configuration) in plan.streams.sorted(by: { $0.key < $1.key }) {
      if isCancelled { return .settled }
      let ways = structure.ways(from: id, plan: plan)
      if let feed = core.withLock({ $0.feeds.open[id] }) {
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

  func route(_ ways: [DeviceFeed.Way], to feed: DeviceFeed) {
    feed.keepHistory(
      ways.firstResult { $0.connection.sink?.requirements.keepsHistory == true ? $0.plan.history : nil })
    feed.connect(ways)
    // Only now it is known what the driver has granted.
    for way in ways { way.connection.output?.planDidChange() }
  }

  func closeFeeds(thatDifferFrom plan: CapturePlan, of structure: SessionStructure) {
    let feeds = core.withLock { $0.feeds.open }
    for (id, feed) in feeds {
      let asked = feed.asked.withLock { $0 }
      // Another object of the same identifier was plugged in after the feed's, whose end may not be known here yet.
      if let wanted = plan.streams[id], structure.device(id) === feed.device {
        if wanted == asked { continue }
        // More or fewer buffers are worth no gap in the viewfinder; photos of the past do with those that are there.
        var sameButRate = asked
        sameButRate.bufferCount = wanted.bufferCount
        if sameButRate == wanted { continue }
        sameButRate.frameDuration = wanted.frameDuration
        if sameButRate == wanted, feed.setFrameDuration(wanted) { continue }
      }
      core.withLock { $0.feeds.forget(id) }
      close(
        feed,
        because: AVError(
          .sessionConfigurationChanged,
          because: "The capture ended because the session's configuration changed; try again."))
      if plan.streams[id] == nil { feed.device.endWaits() }
    }
    core.withLock { core in
      for id in core.feeds.withheld.keys where plan.streams[id] == nil { core.feeds.withheld[id] = nil }
    }
  }

  /// Opens and starts one device; `false` when the session cannot go on.
  func open(_ device: AVCaptureDevice, _ configuration: StreamConfiguration, _ ways: [DeviceFeed.Way])
    -> Bool
  {
    if isWithheldByPressure(device) || isWithheldBySleep(device) { return true }
    let id = device.uniqueID
    do {
      let feed = try HeldDevices.shared.open(device, configuration, clientQueue: events) { self.isCancelled }
      // Noted before the start: the first news may come before it returns.
      core.withLock { core in
        core.feeds.open[id] = feed
        core.feeds.withheld[id] = nil
      }
      route(ways, to: feed)
      do throws(CaptureDeviceError) {
        try feed.start { [weak self, weak feed, events] news in
          guard let feed else { return }
          events.async { [weak self] in self?.take(news, from: feed) }
        }
        return true
      } catch {
        core.withLock { $0.feeds.open[id] = nil }
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
  func isWithheld(_ device: AVCaptureDevice, _ refusal: HeldDevices.Refusal) -> Bool {
    if refusal.error.code == .deviceBusy, !refusal.isOurs {
      core.withLock {
        $0.feeds.withheld[device.uniqueID] = InterruptionReason(.inUseByAnotherClient, of: device.facts)
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
  func tryAgainLater() {
    let isScheduled = core.withLock { core in
      defer { core.watchdog.isRetryScheduled = true }
      return core.watchdog.isRetryScheduled
    }
    guard !isScheduled else { return }
    events.asyncAfter(deadline: .now() + 0.5) { [weak self] in
      guard let self else { return }
      let isWaiting = core.withLock { core in
        core.watchdog.isRetryScheduled = false
        return core.runner.state == .interrupted && core.feeds.areHeldByOthers
      }
      if isWaiting { handle(.commit) }
    }
  }

  func closeAll() {
    forgetSleep()
    let (feeds, failure) = core.withLock { ($0.feeds.forgetAll(), $0.runner.failure) }
    let error =
      failure
      ?? AVError(
        .sessionNotRunning,
        because: "The capture ended because its session was stopped; start it, then try again.")
    for feed in feeds { close(feed, because: error) }
    for case let input as AVCaptureDeviceInput in core.withLock({ $0.edits.committed.inputs }) {
      input.device.endWaits()
    }
  }

  func close(_ feed: DeviceFeed, because error: AVError) {
    let connections = core.withLock { $0.edits.structure.connections + $0.edits.committed.connections }
    var sinks: [any MediaSink] = []
    for connection in connections where connection.forget(feed) {
      if let sink = connection.sink, !sinks.contains(where: { $0 === sink }) {
        sinks.append(sink)
      }
    }
    feed.close()
    for sink in sinks { sink.endCaptures(with: error) }
  }

  /// Closes the devices that `choose` withholds; a session whose devices a thread works on keeps them, for that thread asks itself.
  func interrupt(because reason: String, _ choose: (inout SessionFeeds) -> [DeviceFeed]) {
    let feeds = core.withLock { core in
      core.runner.state == .running || core.runner.state == .interrupted ? choose(&core.feeds) : []
    }
    guard !feeds.isEmpty else { return }
    for feed in feeds {
      close(feed, because: AVError(.sessionWasInterrupted, because: "The capture ended because \(reason)."))
      feed.device.endWaits()
    }
    handle(.streamInterrupted)
  }
}

extension SessionStructure {
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
