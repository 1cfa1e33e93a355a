internal import AVFCore
internal import CaptureDevice
internal import FoundationExtras

/// Inputs, outputs, and what connects them: the objects behind a ``CaptureGraph``.
struct SessionStructure {
  var inputs: [AVCaptureInput] = []
  var outputs: [AVCaptureOutput] = []
  /// What the preview layers draw from.
  var previews: [any MediaSink] = []
  var connections: [AVCaptureConnection] = []
  var preset = AVCaptureSession.Preset.high
  var choosesWideColor = true
  /// Connections that an edit took away and that are to be notified of it.
  var detached: [AVCaptureConnection] = []

  /// Where connections may lead.
  var sinks: [any MediaSink] { outputs + previews }

  static func isElsewhere(_ what: String) -> String {
    "the \(what) is in a session already; remove it there first."
  }

  /// Whether every camera has a format for `preset`; with several cameras each has its own, and there is no preset.
  func allows(_ preset: AVCaptureSession.Preset, _ takesSeveralCameras: Bool) -> Bool {
    if takesSeveralCameras, preset != .inputPriority { return false }
    return devices.allSatisfy { $0.supportsSessionPreset(preset) } && FormatChoice.isKnown(preset)
  }

  var devices: [AVCaptureDevice] {
    inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }
  }

  /// Why `input` cannot be added, or `nil` when it can.
  func refusal(of input: AVCaptureInput, for session: AVCaptureSession) -> String? {
    if inputs.contains(where: { $0 === input }) { return "the input is in the session already." }
    guard let device = (input as? AVCaptureDeviceInput)?.device else { return nil }
    if devices.contains(where: { $0 === device }) {
      return "\(device.localizedName) has an input in the session already."
    }
    if session.takesSeveralCameras, let rule = multiCamRefusal(of: device) { return rule }
    let single: [AVMediaType] = session.takesSeveralCameras ? [.audio] : [.video, .audio]
    for kind in single where device.hasMediaType(kind) {
      if devices.contains(where: { $0.hasMediaType(kind) }) {
        return kind == .video
          ? "the session has a camera already, and takes one; remove its input first."
          : "the session has a microphone already, and takes one; remove its input first."
      }
    }
    guard device.supportsSessionPreset(preset) else {
      return
        "\(device.localizedName) has no format for the preset \(preset.rawValue); choose another preset first."
    }
    return nil
  }

  /// Why `output` cannot be added, or `nil` when it can.
  func refusal(of output: AVCaptureOutput, for session: AVCaptureSession) -> String? {
    if outputs.contains(where: { $0 === output }) { return "the output is in the session already." }
    // Apple's limit is on sessions with one camera; since iOS 16 it leaves video data outputs out. With several cameras each
    // camera may have an output of its own.
    let kind = output.requirements.role.kind
    guard !session.takesSeveralCameras, kind != .videoData else { return nil }
    guard outputs.contains(where: { $0.requirements.role.kind == kind }) else { return nil }
    return "the session has \(kind.rawValue) already, and takes one of each type but of video data outputs."
  }

  /// Why `connection` cannot be added, or `nil` when it can.
  func refusal(of connection: AVCaptureConnection, for session: AVCaptureSession) -> String? {
    if connections.contains(where: { $0 === connection }) {
      return "the connection is in the session already."
    }
    guard let sink = connection.sink, sinks.contains(where: { $0 === sink }) else {
      return sinkIsMissing(connection)
    }
    guard connection.inputPorts.count == 1, let port = connection.inputPorts.first else {
      return "the connection has \(connection.inputPorts.count) ports, and its output takes one."
    }
    guard inputs.contains(where: { $0 === port.input }) else {
      return "the connection's port belongs to no input of the session; add its input first."
    }
    guard sink.requirements.takes(port.mediaType) else {
      return "the output does not take \(port.mediaType.rawValue)."
    }
    // A movie has a track for each input of metadata.
    let isConnected =
      port.mediaType == .metadata
      ? sink.connections.contains { one in one.inputPorts.contains { $0 === port } }
      : sink.hasConnection(with: port.mediaType)
    guard !isConnected else {
      return "the output has a connection for \(port.mediaType.rawValue) already."
    }
    if session.takesSeveralCameras, sink.requirements.role.kind == .videoData, feedsAlike(port, sink) {
      return
        "its camera feeds another video data output already, and with several cameras each feeds one; take frames for "
        + "both uses from that output."
    }
    return nil
  }

  /// Whether a camera's port leads to a sink of that type already.
  private func feedsAlike(_ port: AVCaptureInput.Port, _ sink: any MediaSink) -> Bool {
    guard port.mediaType != .audio else { return false }
    let kind = sink.requirements.role.kind
    return connections.contains { connection in
      connection.inputPorts.contains { $0 === port } && connection.sink?.requirements.role.kind == kind
    }
  }

  func sinkIsMissing(_ connection: AVCaptureConnection) -> String {
    connection.sink?.requirements.role == .preview
      ? "the connection's preview layer is not in the session; call its setSessionWithNoConnection(_:) first."
      : "the connection's output is not in the session; add it first."
  }

  /// Connects an output or preview to the first input of every media that it takes.
  ///
  /// With several cameras to the first that leads to no sink of its type yet, so that each camera has an output of its own; a
  /// preview shares one when there is none left, which outputs may not.
  mutating func connect(_ sink: any MediaSink, in session: AVCaptureSession) {
    for input in inputs { connect(input, sink, in: session) }
    guard session.takesSeveralCameras, sink.requirements.role.kind == .preview else { return }
    for input in inputs { connect(input, sink, in: session, sharingCameras: true) }
  }

  /// Connects an input's ports to an output or preview that takes their media and has none of it yet.
  mutating func connect(
    _ input: AVCaptureInput, _ sink: any MediaSink, in session: AVCaptureSession, sharingCameras: Bool = false
  ) {
    let requirements = sink.requirements
    // What a client brings of metadata is in a movie where the client connects it, never by itself.
    for port in input.ports where port.mediaType != .metadata {
      guard requirements.takes(port.mediaType), !sink.hasConnection(with: port.mediaType) else { continue }
      if session.takesSeveralCameras, !sharingCameras, feedsAlike(port, sink) { continue }
      add(AVCaptureConnection(port: port, sink: sink), in: session)
    }
  }

  mutating func add(_ connection: AVCaptureConnection, in session: AVCaptureSession) {
    connections.append(connection)
    connection.join(session)
    connection.sink?.add(connection)
  }

  mutating func disconnect(where isRemoved: (AVCaptureConnection) -> Bool) {
    for connection in connections where isRemoved(connection) {
      connection.sink?.remove(connection)
      connection.join(nil)
      detached.append(connection)
    }
    connections.removeAll(where: isRemoved)
  }

  /// Whether a connection leads away what a camera measures of depth.
  func deliversDepth(_ device: AVCaptureDevice) -> Bool {
    connections.contains { connection in
      connection.settings.isEnabled
        && connection.inputPorts.contains { port in
          port.mediaType == .depthData && port.isEnabled
            && (port.input as? AVCaptureDeviceInput)?.device === device
        }
    }
  }

  /// The structure as a plain value.
  func graph() -> CaptureGraph {
    var graph = CaptureGraph()
    graph.preset = preset
    graph.choosesWideColor = choosesWideColor
    for case let input as AVCaptureDeviceInput in inputs {
      let enabled = Set(input.ports.filter(\.isEnabled).compactMap { MediaKind(feeding: $0.mediaType) })
      graph.inputs.append(
        .init(
          id: input.id, deviceID: input.device.uniqueID, enabledMedia: enabled,
          isMicrophone: input.device.facts.isMicrophone,
          shortestFrameDuration: [
            input.shortestFrameDuration, input.device.videoEffects.shortestFrameDuration(of: input.device),
          ]
          .compactMap { $0 }.max(), blursByDepth: VideoEffectSettings.shared.choices.blursByDepth))
      graph.inputs[graph.inputs.count - 1].changesPictures =
        input.effect != nil || input.device.videoEffects.draws(on: input.device)
      graph.devices[input.device.uniqueID] = input.device.settings
    }
    graph.outputs = sinks.map { .init(id: $0.id, requirements: $0.requirements) }
    for connection in connections {
      guard let sink = connection.sink, let port = connection.inputPorts.first,
        let media = MediaKind(feeding: port.mediaType)
      else { continue }
      var settings = connection.settings
      // Several ports may share a stream.
      settings.isEnabled = settings.isEnabled && port.isEnabled
      graph.connections.append(
        .init(
          id: connection.id, input: port.input.id, output: sink.id, media: media,
          settings: settings))
    }
    return graph
  }

  /// What is known of the inputs' devices that are plugged in.
  func facts() -> [String: DeviceFacts] {
    var facts: [String: DeviceFacts] = [:]
    for device in devices where device.isConnected { facts[device.uniqueID] = device.facts }
    return facts
  }
}
