internal import AVFCore
internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCaptureSession {
  // MARK: Transactions

  /// Gathers what follows until the matching commit; may be nested.
  ///
  /// Until then the devices run as before, and every property answers for what the commit will bring: after a new preset a device's
  /// `activeFormat` is that preset's, after `addOutput(_:)` the output has its connections, and what it supports is what it will
  /// support. So everything can be configured inside one begin and commit, and what is set there stays. Apple's documentation does
  /// not say what properties answer there; its samples ask inside.
  ///
  /// Apple: `AVCaptureSession.beginConfiguration()`.
  public func beginConfiguration() {
    var isBegun = false
    while !isBegun {
      let committed = core.withLock { $0.edits.isOpen ? nil : $0.edits.committed }
      let running = committed.map { ($0.graph(), $0.effects) }
      isBegun = core.withLock { $0.edits.begin(running) }
    }
  }

  /// Carries out what was gathered since the first begin, when it is the commit of that; harmless without a begin.
  ///
  /// While the session runs, blocks until the devices have accepted. Only what differs restarts. No callback begins after
  /// this returns with media of an input, format or connection that the commit took away: what was under way is dropped, and
  /// counted as a discontinuity.
  ///
  /// Apple: `AVCaptureSession.commitConfiguration()`.
  public func commitConfiguration() {
    let former = core.withLock { $0.edits.commit() }
    guard former != nil else { return }
    if isRunning { configureAudioSession() }
    carryOut()
  }

  /// Plans anew after a change, and carries it out unless a commit will.
  func somethingChanged() {
    if core.withLock({ !$0.edits.isOpen }) { return carryOut() }
    replan()
    deliver()
  }

  private func carryOut() {
    replan()
    handle(.commit)
  }

  /// Changes the structure that calls see, then plans anew, and carries it out unless a commit will.
  ///
  /// - Parameter change: Runs under the editing lock; returns the rule that the change would break, and then must not
  ///   have changed anything.
  /// - Returns: The broken rule.
  private func edit(isCarriedOut: Bool = true, _ change: (inout SessionStructure) -> String?) -> String? {
    // Kept until the locks are left: what the change takes away may go for good.
    var former: SessionStructure?
    let (rule, detached): (String?, [AVCaptureConnection]) = editing.withLock {
      var structure = core.withLock { $0.edits.structure }
      former = structure
      if let rule = change(&structure) { return (rule, []) }
      let detached = structure.detached
      structure.detached = []
      core.withLock { $0.edits.structure = structure }
      return (nil, detached)
    }
    withExtendedLifetime(former) {}
    for connection in detached { connection.note(isActive: false)?() }
    if rule == nil, isCarriedOut { somethingChanged() }
    return rule
  }

  /// Whether what is in `owner` belongs to another session than this.
  private func isElsewhere(_ owner: (any ConnectionOwner)?) -> Bool {
    owner.map { $0 !== self } ?? false
  }

  private func report(_ rule: String?) {
    if let rule { ProgrammingMistake.report(rule: rule) }
  }

  // MARK: Preset

  /// The quality that a session asks of its devices.
  ///
  /// Apple: `AVCaptureSession.Preset`.
  public typealias Preset = AVCaptureSessionPreset

  /// The quality asked of the devices; `high` at first.
  ///
  /// A preset that some input's device lacks is a programming mistake without effect. Becomes `inputPriority` when a
  /// client sets a device's active format. A change resets the devices' frame durations, longest exposure and global tone
  /// mapping. Apple: `AVCaptureSession.sessionPreset`.
  public var sessionPreset: Preset {
    get { core.withLock { $0.edits.structure.preset } }
    set {
      report(
        set(newValue) { structure in
          structure.allows(newValue, takesSeveralCameras)
            ? nil
            : "sessionPreset cannot be \(newValue.rawValue) with the present inputs; "
              + "ask canSetSessionPreset(_:) first."
        })
    }
  }

  private func set(_ preset: Preset, unless refusal: (SessionStructure) -> String?) -> String? {
    var changed: [AVCaptureDevice] = []
    let rule = edit(isCarriedOut: false) { structure in
      if let rule = refusal(structure) { return rule }
      if structure.preset != preset { changed = structure.devices }
      structure.preset = preset
      return nil
    }
    guard rule == nil else { return rule }
    // Under no lock, and before the devices are asked to run otherwise.
    for device in changed { device.resetForSession(isPreset: true) }
    somethingChanged()
    return nil
  }

  /// Whether every input's device has a format for `preset`.
  ///
  /// Apple: `AVCaptureSession.canSetSessionPreset(_:)`.
  public func canSetSessionPreset(_ preset: Preset) -> Bool {
    core.withLock { $0.edits.structure }.allows(preset, takesSeveralCameras)
  }

  /// Whether the session chooses wide colour by itself; on at first.
  ///
  /// It then chooses P3 under the photo preset with a photo output, where the device has it, and sRGB otherwise. Apple:
  /// `AVCaptureSession.automaticallyConfiguresCaptureDeviceForWideColor`.
  public var automaticallyConfiguresCaptureDeviceForWideColor: Bool {
    get { core.withLock { $0.edits.structure.choosesWideColor } }
    set {
      _ = edit { structure in
        structure.choosesWideColor = newValue
        return nil
      }
    }
  }

  /// Whether the camera can be had beside other programs that show it; nothing withholds it here, so there is nothing
  /// to ask for.
  ///
  /// Apple: `AVCaptureSession.isMultitaskingCameraAccessSupported`.
  public var isMultitaskingCameraAccessSupported: Bool { false }

  /// Whether the camera is had beside other programs; `false`, and setting it is a programming mistake without effect.
  ///
  /// Apple: `AVCaptureSession.isMultitaskingCameraAccessEnabled`.
  public var isMultitaskingCameraAccessEnabled: Bool {
    get { false }
    set {
      if newValue {
        ProgrammingMistake.report(
          rule:
            "isMultitaskingCameraAccessEnabled cannot be set; ask isMultitaskingCameraAccessSupported first.")
      }
    }
  }

  /// A client has chosen a device's format by itself.
  func activeFormatWasSet() {
    _ = set(.inputPriority) { _ in nil }
  }

  // MARK: Inputs

  /// Whether `input` can be added: it is in no session, brings no second camera or microphone, and suits the preset.
  ///
  /// Apple: `AVCaptureSession.canAddInput(_:)`.
  public func canAddInput(_ input: AVCaptureInput) -> Bool {
    !isElsewhere(input.membership.owner)
      && core.withLock { $0.edits.structure }.refusal(of: input, for: self) == nil
  }

  /// Adds an input and connects it to every output that takes its media.
  ///
  /// Resets the device's frame durations and global tone mapping. What ``canAddInput(_:)`` refuses is a programming mistake without effect. Apple: `AVCaptureSession.addInput(_:)`.
  public func addInput(_ input: AVCaptureInput) {
    report(add(input, connecting: true))
  }

  /// Adds an input and leaves connecting to the client.
  ///
  /// Apple: `AVCaptureSession.addInputWithNoConnections(_:)`.
  public func addInputWithNoConnections(_ input: AVCaptureInput) {
    report(add(input, connecting: false))
  }

  private func add(_ input: AVCaptureInput, connecting: Bool) -> String? {
    // Kept until the locks are left: it may be gone otherwise.
    var other: (any ConnectionOwner)?
    defer { withExtendedLifetime(other) {} }
    if isElsewhere(input.membership.owner) { return "addInput(_:): \(SessionStructure.isElsewhere("input"))" }
    let rule = edit(isCarriedOut: false) { structure in
      if let rule = structure.refusal(of: input, for: self) { return "addInput(_:): \(rule)" }
      other = input.membership.join(self)
      guard other == nil else { return "addInput(_:): \(SessionStructure.isElsewhere("input"))" }
      structure.inputs.append(input)
      (input as? AVCaptureDeviceInput)?.wasAdded(to: self)
      guard connecting else { return nil }
      for sink in structure.sinks where sink.connectsByItself { structure.connect(input, sink, in: self) }
      return nil
    }
    guard rule == nil else { return rule }
    // Under no lock, and before the device is asked to run.
    (input as? AVCaptureDeviceInput)?.device.resetForSession(isPreset: false)
    somethingChanged()
    return nil
  }

  /// Removes an input with its connections; does nothing when it is not in the session.
  ///
  /// Apple: `AVCaptureSession.removeInput(_:)`.
  public func removeInput(_ input: AVCaptureInput) {
    guard input.membership.owner === self else { return }
    _ = edit { structure in
      guard let index = structure.inputs.firstIndex(where: { $0 === input }) else { return nil }
      structure.inputs.remove(at: index)
      structure.disconnect { connection in connection.inputPorts.contains { $0.input === input } }
      _ = input.membership.join(nil)
      (input as? AVCaptureDeviceInput)?.device.remove(self)
      return nil
    }
    guard let device = (input as? AVCaptureDeviceInput)?.device,
      let news = device.videoEffects.note(deliversDepth: false, in: self, of: device)
    else { return }
    core.withLock { $0.outbox.add([news]) }
    deliver()
  }

  // MARK: Outputs

  /// Whether `output` can be added: it is in no session, and no second one of its type.
  ///
  /// Several video data outputs can be added; ``hardwareCost`` then says what they cost. An ``AVCaptureMultiCamSession`` takes
  /// several outputs of every type.
  ///
  /// Apple: `AVCaptureSession.canAddOutput(_:)`.
  public func canAddOutput(_ output: AVCaptureOutput) -> Bool {
    !isElsewhere(output.membership.owner)
      && core.withLock { $0.edits.structure }.refusal(of: output, for: self) == nil
  }

  /// Adds an output and connects it to the first input of every media it takes.
  ///
  /// In an ``AVCaptureMultiCamSession`` to the first camera that leads to no output of its type yet.
  ///
  /// What ``canAddOutput(_:)`` refuses is a programming mistake without effect. Apple: `AVCaptureSession.addOutput(_:)`.
  public func addOutput(_ output: AVCaptureOutput) {
    report(add(output, connecting: true))
  }

  /// Adds an output and leaves connecting to the client.
  ///
  /// Apple: `AVCaptureSession.addOutputWithNoConnections(_:)`.
  public func addOutputWithNoConnections(_ output: AVCaptureOutput) {
    report(add(output, connecting: false))
  }

  private func add(_ output: AVCaptureOutput, connecting: Bool) -> String? {
    // Kept until the locks are left: it may be gone otherwise.
    var other: (any ConnectionOwner)?
    defer { withExtendedLifetime(other) {} }
    if isElsewhere(output.membership.owner) {
      return "addOutput(_:): \(SessionStructure.isElsewhere("output"))"
    }
    return edit { structure in
      if let rule = structure.refusal(of: output, for: self) { return "addOutput(_:): \(rule)" }
      other = output.membership.join(self)
      guard other == nil else { return "addOutput(_:): \(SessionStructure.isElsewhere("output"))" }
      structure.outputs.append(output)
      guard connecting else { return nil }
      structure.connect(output, in: self)
      return nil
    }
  }

  /// Removes an output with its connections; does nothing when it is not in the session.
  ///
  /// Photos that its device has not delivered end with an error. Apple: `AVCaptureSession.removeOutput(_:)`.
  public func removeOutput(_ output: AVCaptureOutput) {
    guard output.membership.owner === self else { return }
    var isRemoved = false
    _ = edit { structure in
      guard let index = structure.outputs.firstIndex(where: { $0 === output }) else { return nil }
      structure.outputs.remove(at: index)
      structure.disconnect { $0.output === output }
      _ = output.membership.join(nil)
      isRemoved = true
      return nil
    }
    if isRemoved {
      output.endCaptures(
        with: AVError(
          .sessionConfigurationChanged,
          because:
            "The capture ended because its output was removed from the session; add it, then try again."))
    }
  }

  func connectAnew(_ output: AVCaptureOutput) {
    guard output.membership.owner === self else { return }
    _ = edit { structure in
      let requirements = output.requirements
      structure.disconnect { connection in
        connection.output === output
          && connection.inputPorts.contains { !requirements.takes($0.mediaType) }
      }
      // Where a client connects by itself and has not begun to, it goes on alone.
      if !output.connections.isEmpty { structure.connect(output, in: self) }
      return nil
    }
  }

  // MARK: Previews

  /// Takes in what a preview layer draws from, and connects it to the first camera, if asked.
  func add(_ preview: any MediaSink, connecting: Bool) {
    _ = edit { structure in
      structure.previews.append(preview)
      guard connecting else { return nil }
      structure.connect(preview, in: self)
      return nil
    }
  }

  /// Lets go of what a preview layer draws from, with its connection.
  ///
  /// - Parameter isWaiting: Whether to return after the devices know; else that happens on the session's own queue, for
  ///   callers that might be called by a device.
  func remove(_ preview: any MediaSink, isWaiting: Bool = true) {
    _ = edit(isCarriedOut: isWaiting) { structure in
      structure.previews.removeAll { $0 === preview }
      structure.disconnect { $0.sink === preview }
      return nil
    }
    if !isWaiting { events.carry { [weak self] in self?.somethingChanged() } }
  }

  // MARK: Connections

  /// Whether `connection` can be added: both its ends are in the session, they fit, and are not connected yet.
  ///
  /// In an ``AVCaptureMultiCamSession`` a camera feeds one video data output (WWDC 2019, session 249), beside outputs of other types.
  ///
  /// Apple: `AVCaptureSession.canAddConnection(_:)`.
  public func canAddConnection(_ connection: AVCaptureConnection) -> Bool {
    !isElsewhere(connection.owner)
      && core.withLock { $0.edits.structure }.refusal(of: connection, for: self) == nil
  }

  /// Adds a connection that the client has made.
  ///
  /// What ``canAddConnection(_:)`` refuses is a programming mistake without effect. Apple:
  /// `AVCaptureSession.addConnection(_:)`.
  public func addConnection(_ connection: AVCaptureConnection) {
    // Kept until the locks are left.
    let other = connection.owner
    report(
      edit { structure in
        if isElsewhere(other) { return "addConnection(_:): \(SessionStructure.isElsewhere("connection"))" }
        if let rule = structure.refusal(of: connection, for: self) { return "addConnection(_:): \(rule)" }
        structure.add(connection, in: self)
        return nil
      })
    withExtendedLifetime(other) {}
  }

  /// Removes a connection; does nothing when it is not in the session.
  ///
  /// Apple: `AVCaptureSession.removeConnection(_:)`.
  public func removeConnection(_ connection: AVCaptureConnection) {
    guard connection.owner === self else { return }
    _ = edit { structure in
      structure.disconnect { $0 === connection }
      return nil
    }
  }
}
