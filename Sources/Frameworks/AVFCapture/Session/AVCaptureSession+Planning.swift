internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// Plans what calls see of the structure, and notes the outcome with devices and connections.
  ///
  /// Between begin and commit that is the draft: every question about formats, support and connections is answered for what the
  /// commit will bring, and what a client sets upon such an answer stays. The devices themselves run as before until the commit.
  /// What observers are to be notified of waits in the outbox.
  ///
  /// - Parameter forDevices: Whether the devices are asked for: between begin and commit they run what was committed.
  /// - Returns: What was planned, and for which structure.
  @discardableResult
  func replan(forDevices: Bool = false) -> (structure: SessionStructure, verdict: PlanVerdict) {
    // Kept until the lock is left: a commit may let it go meanwhile.
    var edits = SessionEdits()
    let plan: (structure: SessionStructure, verdict: PlanVerdict) = planning.withLock {
      edits = core.withLock { $0.edits }
      let shown = edits.structure
      let effects = shown.devices.compactMap { device in
        device.videoEffects.note(deliversDepth: shown.deliversDepth(device), in: self, of: device)
      }
      let verdict = GraphPlanner.plan(shown.graph(), facts: shown.facts())
      let news = effects + note(verdict.plan, for: shown, isCommitted: !edits.isOpen)
      if !news.isEmpty { core.withLock { $0.outbox.add(news) } }
      guard forDevices, let graph = edits.running?.graph else { return (shown, verdict) }
      return (edits.committed, GraphPlanner.plan(graph, facts: edits.committed.facts()))
    }
    for output in edits.structure.outputs { output.planDidChange() }
    return plan
  }

  /// Notes a plan with devices and connections; returns the work of notifying observers.
  private func note(
    _ plan: CapturePlan?, for structure: SessionStructure, isCommitted: Bool
  ) -> [@Sendable () -> Void] {
    var news: [@Sendable () -> Void] = []
    for device in structure.devices {
      if let plan, let report = adopt(plan, device) { news.append(report) }
    }
    for connection in structure.connections where connection.media != nil {
      let isLost = plan?.missing.contains(connection.deviceID) ?? true
      let refusal = plan?.refused[connection.id]
      connection.note(refusal: refusal)
      if let report = connection.note(isActive: !isLost && refusal == nil) { news.append(report) }
      let stabilized = plan?.connections[connection.id]?.stream.stabilization ?? .off
      if let report = connection.note(stabilization: stabilized) { news.append(report) }
    }
    for connection in structure.connections where connection.media == nil {
      let hasMedia = connection.sink?.connections.contains { $0.media != nil && $0.isActive } ?? false
      connection.note(refusal: hasMedia ? nil : "no picture and no sound comes to its output")
      if let report = connection.note(isActive: hasMedia) { news.append(report) }
    }
    // Media of another format comes with the commit.
    if isCommitted, core.withLock({ $0.runner.face.isRunning }) {
      news += structure.inputs.flatMap(\.ports).map { port in { port.reportFormat() } }
    }
    return news
  }

  /// Gives a device the format and colours that were planned for it; returns the work of notifying observers, if there is any.
  ///
  /// A device that streams for another session keeps that one's until it is opened here.
  func adopt(_ plan: CapturePlan, _ device: AVCaptureDevice) -> (@Sendable () -> Void)? {
    let id = device.uniqueID
    guard let format = plan.formats[id] else { return nil }
    guard device.streamingFormat == nil || core.withLock({ $0.feeds.open[id]?.device === device }) else {
      return nil
    }
    return device.adopt(format: format, usesP3: plan.usesP3[id] ?? false)
  }

  var presentPlan: CapturePlan? { present.plan }

  /// What calls see of the structure, and its plan.
  var present: (structure: SessionStructure, plan: CapturePlan?) {
    let structure = core.withLock { $0.edits.structure }
    return (structure, GraphPlanner.plan(structure.graph(), facts: structure.facts()).plan)
  }
}
