package import CaptureDevice
internal import FoundationExtras

/// Turns a graph into what the devices must do.
///
/// A pure function of the graph and the devices' facts: it opens and asks nothing, so every question of the
/// kind "could this be added" is answered by planning what would be.
package enum GraphPlanner {
  /// Plans `graph`.
  ///
  /// - Parameters:
  ///   - graph: What is asked.
  ///   - facts: What is known of the devices that are plugged in, by unique identifier.
  /// - Returns: A valid plan, one adjusted to what the devices can do with the reasons, or why there is none.
  package static func plan(_ graph: CaptureGraph, facts: [String: DeviceFacts]) -> PlanVerdict {
    var plan = CapturePlan()
    var adjustments: [PlanAdjustment] = []
    for connection in graph.connections {
      guard graph.inputs.contains(where: { $0.id == connection.input }),
        graph.outputs.contains(where: { $0.id == connection.output })
      else { return .invalid(.looseConnection) }
    }
    plan.refused = graph.refusedByPreset
    var graph = graph
    graph.connections.removeAll { plan.refused[$0.id] != nil }
    for input in graph.inputs {
      guard let device = facts[input.deviceID] else {
        guard graph.hasPictures(without: input, facts) else {
          return .invalid(.deviceMissing(input.deviceID))
        }
        plan.missing.insert(input.deviceID)
        adjustments.append(
          PlanAdjustment("The session runs without the device \(input.deviceID), which is not connected.")
        )
        continue
      }
      guard device.media.contains(.video), !device.formats.isEmpty else {
        planAudio(of: input, device, in: graph, into: &plan)
        continue
      }
      var outputs = Outputs(of: input, in: graph)
      guard let choice = choice(for: device, outputs: outputs, in: graph) else {
        return .invalid(
          graph.preset == .inputPriority
            ? .formatMissing(device: device.name)
            : .presetUnsupported(device: device.name, preset: graph.preset))
      }
      let format = device.formats[choice.index]
      let refused = outputs.refuse(format)
      if let reason = refused.first?.reason, outputs.enabled.isEmpty, outputs.depth.isEmpty {
        return .invalid(.formatUnusable(device: device.name, reason: reason))
      }
      for (connection, reason) in refused { plan.refused[connection] = reason }
      let settings = (graph.devices[input.deviceID] ?? .init()).moved(to: choice.index, in: device.formats)
      let usesP3 = format.supportsP3 && usesP3(graph, outputs: outputs, settings: settings)
      plan.formats[input.deviceID] = choice.index
      plan.usesP3[input.deviceID] = usesP3
      let duration = frameDuration(
        of: format, minimum: settings.minimumFrameDuration, maximum: settings.maximumFrameDuration,
        shortest: input.shortestFrameDuration)
      adjustments += reasons(
        device: device, format: format, choice: choice, duration: duration, graph: graph, settings)
      let fed = outputs.fed(in: graph)
      guard !fed.enabled.isEmpty || !fed.depth.isEmpty else { continue }
      var stream = StreamConfiguration(
        format: format, size: choice.size, frameDuration: duration, usesP3: usesP3)
      stream.stabilization = outputs.stabilization(in: format)
      let count = outputs.bufferCount(of: stream, device.capabilities)
      stream.bufferCount = outputs.started(in: graph).bufferCount(of: stream, device.capabilities)
      stream.laterBufferCount = count - stream.bufferCount
      let effectTakesDepth = input.blursByDepth && format.supports(.portrait)
      if outputs.wantsDepth || effectTakesDepth {
        stream.depth = depth(of: format, settings, beside: duration)
      }
      if effectTakesDepth, stream.depth?.format.isAligned == false, !outputs.wantsDepth { stream.depth = nil }
      if effectTakesDepth { stream.depth?.bufferCount += OutputRequirements.effectDepthBuffers }
      if outputs.takesDepthForPhotos {
        stream.depth?.bufferCount += OutputRequirements.photoDepthBuffers
      }
      plan.streams[input.deviceID] = stream
      for connection in fed.depth {
        plan.connections[connection.id] = ConnectionPlan(
          deviceID: input.deviceID, stream: stream, size: stream.depth?.format.size,
          rotation: connection.settings.rotation, isMirrored: connection.settings.isMirrored)
      }
      for (connection, output) in fed.enabled {
        let form = output.requirements.form(
          of: format, through: connection.settings, changed: input.changesPictures)
        let isDecoded = form == .pictures
        let own = isDecoded ? stream.decoded : stream
        var planned = ConnectionPlan(
          deviceID: input.deviceID, stream: own,
          size: output.requirements.wantsPreviewSize(under: graph.preset)
            ? FormatChoice.fitted(choice.size, into: FormatChoice.previewBounds) : choice.size,
          rotation: connection.settings.rotation, isMirrored: connection.settings.isMirrored,
          deliversIntrinsics: connection.settings.deliversIntrinsics && stream.stabilization == .off)
        planned.history = output.requirements.history(of: own, device.capabilities)
        plan.connections[connection.id] = planned
      }
    }
    return adjustments.isEmpty ? .valid(plan) : .adjusted(plan, adjustments)
  }

  /// Whether a device serves a preset at all.
  package static func supports(_ preset: AVCaptureSessionPreset, _ device: DeviceFacts) -> Bool {
    guard device.media.contains(.video) else { return FormatChoice.isKnown(preset) }
    if preset == .inputPriority { return !device.formats.isEmpty }
    return FormatChoice.best(of: device.formats, for: preset) != nil
  }

  /// The frame duration at which a format streams when the client leaves the choice open or sets limits.
  ///
  /// Thirty frames a second where a range holds them, the nearest to it otherwise; a limit that the client has set is
  /// kept, unless the input's `shortest` is longer.
  package static func frameDuration(
    of format: StreamFormat, minimum: FrameDuration? = nil, maximum: FrameDuration? = nil,
    shortest: FrameDuration? = nil
  ) -> FrameDuration {
    if let minimum, minimum >= shortest ?? minimum { return minimum }
    let promised = FrameDuration(1, 30)
    let wanted = minimum ?? maximum.map { min($0, promised) } ?? promised
    let target = max(wanted, shortest ?? wanted)
    var best: FrameDuration?
    for range in format.frameDurations {
      let nearest = min(max(target, range.lowerBound), range.upperBound)
      guard let present = best else {
        best = nearest
        continue
      }
      if abs(nearest.nanoseconds - target.nanoseconds) < abs(present.nanoseconds - target.nanoseconds) {
        best = nearest
      }
    }
    return best ?? promised
  }

  // MARK: Parts of a plan

  /// A microphone streams while an enabled connection leads from it, in its active format.
  private static func planAudio(
    of input: CaptureGraph.Input, _ device: DeviceFacts, in graph: CaptureGraph, into plan: inout CapturePlan
  ) {
    guard input.enabledMedia.contains(.audio) else { return }
    let connections = graph.connections.filter {
      $0.input == input.id && $0.media == .audio && $0.settings.isEnabled
        && !graph.heldBack.contains($0.output)
    }
    guard !connections.isEmpty else { return }
    let stream = StreamConfiguration.audio(
      device.audioFormat(at: graph.devices[input.deviceID]?.format ?? 0))
    plan.streams[input.deviceID] = stream
    for connection in connections {
      plan.connections[connection.id] = ConnectionPlan(deviceID: input.deviceID, stream: stream)
    }
  }

  /// The connections of one camera's ports that are switched on.
  private struct Outputs {
    /// Of the video port, with their outputs.
    var enabled: [(CaptureGraph.Connection, CaptureGraph.Output)] = []
    /// Of the depth port.
    var depth: [CaptureGraph.Connection] = []

    init(of input: CaptureGraph.Input, in graph: CaptureGraph) {
      if input.enabledMedia.contains(.depth) {
        depth = graph.connections.filter {
          $0.input == input.id && $0.media == .depth && $0.settings.isEnabled
        }
      }
      guard input.enabledMedia.contains(.video) else { return }
      for connection in graph.connections
      where connection.input == input.id && connection.media == .video && connection.settings.isEnabled {
        if let output = graph.outputs.first(where: { $0.id == connection.output }) {
          enabled.append((connection, output))
        }
      }
    }

    /// Takes out those that can make nothing of the format, and returns them with the reasons.
    mutating func refuse(_ format: StreamFormat) -> [(connection: NodeID, reason: String)] {
      let refused = enabled.compactMap { connection, output in
        output.requirements.refusal(of: format, through: connection.settings).map {
          (connection: connection.id, reason: $0)
        }
      }
      if !refused.isEmpty { enabled.removeAll { entry in refused.contains { $0.connection == entry.0.id } } }
      guard format.depthFormats.isEmpty else { return refused }
      defer { depth = [] }
      return refused
        + depth.map { connection in
          (
            connection.id,
            "the depth data output needs distances, which are not measured in the active format; choose an "
              + "activeFormat with supportedDepthDataFormats"
          )
        }
    }

    /// Those that get media from the start: all but the ones whose start is deferred and that await no press.
    func fed(in graph: CaptureGraph) -> Outputs {
      var fed = started(in: graph)
      fed.enabled = enabled.filter { _, output in
        !graph.heldBack.contains(output.id) || output.requirements.awaitsPress
      }
      return fed
    }

    /// Those whose start is not deferred.
    func started(in graph: CaptureGraph) -> Outputs {
      var started = self
      started.enabled.removeAll { _, output in graph.heldBack.contains(output.id) }
      started.depth.removeAll { graph.heldBack.contains($0.output) }
      return started
    }

    /// How many buffers they need of the stream.
    func bufferCount(of stream: StreamConfiguration, _ capabilities: CameraCapabilities) -> Int {
      let usual = stream.bufferCount
      // Decoded pictures are no memory of the device's.
      if stream.format.encoding.isCoded {
        return usual + waitingBuffers + OutputRequirements.decodingBuffers
      }
      let history = history(of: stream, capabilities)?.bufferCount(besides: usual) ?? usual
      return history + waitingBuffers
    }

    /// The pixel format that the first video data output asks for.
    var wantedPixelFormat: OSType? {
      enabled.firstResult { _, output in output.requirements.pixelFormat }
    }

    /// The stabilization of the stream: as the first connection prefers that prefers a mode of the format.
    func stabilization(in format: StreamFormat) -> StabilizationMode {
      enabled.firstResult { connection, _ in
        let mode = connection.settings.stabilization.resolved(among: format.stabilizationModes)
        return mode == .off ? nil : mode
      } ?? .off
    }

    /// How the first photo output that wants to have the stream's past kept has it.
    func history(of stream: StreamConfiguration, _ capabilities: CameraCapabilities) -> HistoryPlan? {
      enabled.firstResult { _, output in
        output.requirements.keepsHistory ? output.requirements.history(of: stream, capabilities) : nil
      }
    }

    /// How many buffers more than usual the stream needs.
    var waitingBuffers: Int { enabled.map { _, output in output.requirements.waitingBuffers }.max() ?? 0 }

    /// Whether depth is to be measured.
    var wantsDepth: Bool { !depth.isEmpty || takesDepthForPhotos }

    /// Whether depth comes with photos.
    var takesDepthForPhotos: Bool { enabled.contains { _, output in output.requirements.takesDepth } }

    var hasPhotoOutput: Bool {
      enabled.contains { _, output in output.requirements.takesPhotos }
    }

    /// Whether a client wants the stream larger than preview size.
    func wantsFullSize(under preset: AVCaptureSessionPreset) -> Bool {
      enabled.contains { _, output in
        output.requirements.deliversFrames && !output.requirements.wantsPreviewSize(under: preset)
      }
    }
  }

  private static func choice(
    for device: DeviceFacts, outputs: Outputs, in graph: CaptureGraph
  ) -> FormatChoice.Choice? {
    if graph.preset == .inputPriority {
      let index = graph.devices[device.uniqueID]?.format ?? 0
      guard device.formats.indices.contains(index) else { return nil }
      let format = device.formats[index]
      let scales =
        format.scalesStream && !outputs.enabled.isEmpty
        && !outputs.wantsFullSize(under: graph.preset) && !format.hasPlainStream
      return FormatChoice.Choice(
        index: index,
        size: scales ? FormatChoice.fitted(format.size, into: FormatChoice.previewBounds) : format.size)
    }
    let wanted = outputs.wantedPixelFormat
    var choice: FormatChoice.Choice?
    if outputs.wantsDepth {
      choice = FormatChoice.best(
        of: device.formats, for: graph.preset, wanted: wanted, measuringDepth: true)
    }
    choice = choice ?? FormatChoice.best(of: device.formats, for: graph.preset, wanted: wanted)
    if let found = choice, graph.preset == .photo, outputs.wantsFullSize(under: .photo) {
      choice?.size = device.formats[found.index].size
    }
    return choice
  }

  private static func usesP3(
    _ graph: CaptureGraph, outputs: Outputs, settings: CaptureGraph.DeviceSettings
  ) -> Bool {
    graph.choosesWideColor && graph.preset != .inputPriority
      ? graph.preset == .photo && outputs.hasPhotoOutput : settings.usesP3
  }

  private static func reasons(
    device: DeviceFacts, format: StreamFormat, choice: FormatChoice.Choice, duration: FrameDuration,
    graph: CaptureGraph, _ settings: CaptureGraph.DeviceSettings
  ) -> [PlanAdjustment] {
    guard graph.preset != .inputPriority else { return [] }
    var reasons: [PlanAdjustment] = []
    if duration.rate < FormatChoice.promisedRate - 0.5, settings.minimumFrameDuration == nil {
      let rate = (duration.rate * 100).rounded() / 100
      reasons.append(
        PlanAdjustment(
          "\(device.name) streams \(choice.size) at \(rate) frames a second, because that format reaches no 30."
        ))
    }
    let promised: FrameSize? =
      switch graph.preset {
      case .high: FrameSize(width: 1920, height: 1080)
      case .medium: FrameSize(width: 480, height: 360)
      case .low: FrameSize(width: 192, height: 144)
      default: nil
      }
    if let promised, promised != choice.size {
      reasons.append(
        PlanAdjustment(
          "\(device.name) streams \(choice.size), because it has no \(promised) at a fluent rate."))
    }
    return reasons
  }
}

extension OutputRequirements {
  /// How photos of the past are possible; `nil` where they are not, and for other outputs.
  fileprivate func history(
    of stream: StreamConfiguration, _ capabilities: CameraCapabilities
  ) -> HistoryPlan? {
    guard takesPhotos else { return nil }
    return HistoryPlan(of: stream, photoSize: historySize, capabilities: capabilities)
  }
}

extension StreamFormat {
  /// Whether the stream is small enough to be streamed as it is, even where the device would scale.
  fileprivate var hasPlainStream: Bool {
    FormatChoice.fitted(size, into: FormatChoice.previewBounds) == size
  }
}
