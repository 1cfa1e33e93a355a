internal import CaptureDevice
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  /// Plans the committed structure and notes the outcome with devices and connections.
  ///
  /// What their observers are to be notified of waits in the outbox.
  @discardableResult
  func replan() -> (structure: SessionStructure, verdict: PlanVerdict) {
    let plan: (structure: SessionStructure, verdict: PlanVerdict) = planning.withLock {
      let structure = core.withLock { $0.edits.committed }
      let graph = structure.graph()
      let verdict = GraphPlanner.plan(graph, facts: structure.facts())
      var news: [@Sendable () -> Void] = []
      for case let input as AVCaptureDeviceInput in structure.inputs {
        let device = input.device
        guard let format = verdict.plan?.formats[device.uniqueID] else { continue }
        if let report = device.adopt(format: format, usesP3: verdict.plan?.usesP3[device.uniqueID] ?? false) {
          news.append(report)
        }
      }
      for connection in structure.connections {
        let isLost = verdict.plan?.missing.contains(connection.deviceID) ?? true
        let refusal = verdict.plan?.refused[connection.id]
        connection.note(refusal: refusal)
        if let report = connection.note(isActive: !isLost && refusal == nil) { news.append(report) }
        let stabilized = verdict.plan?.connections[connection.id]?.stream.stabilization ?? .off
        if let report = connection.note(stabilization: stabilized) { news.append(report) }
      }
      if core.withLock({ $0.runner.face.isRunning }) {
        news += structure.inputs.flatMap(\.ports).map { port in { port.reportFormat() } }
      }
      if !news.isEmpty { core.withLock { $0.outbox.add(news) } }
      return (structure, verdict)
    }
    for output in plan.structure.outputs { output.planDidChange() }
    return plan
  }

  var presentPlan: CapturePlan? { present.plan }

  /// What calls see of the structure, and its plan.
  var present: (structure: SessionStructure, plan: CapturePlan?) {
    let structure = core.withLock { $0.edits.structure }
    return (structure, GraphPlanner.plan(structure.graph(), facts: structure.facts()).plan)
  }
}
