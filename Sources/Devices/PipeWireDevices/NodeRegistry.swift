internal import CPipeWire
internal import CaptureDevice
internal import Linux

/// The nodes that one connection to PipeWire tells of; used by the thread that follows it.
final class NodeRegistry {
  private let tell: (PipeWireWatch.Sources) -> Void
  /// Those that are described, by their numbers.
  private var nodes: [UInt32: SourceNode] = [:]
  /// Those whose formats are still coming.
  private var coming: [UInt32: SourceNode] = [:]
  private var devices: [UInt32: [String: String]] = [:]
  private var isManaged = false
  private(set) var hasSettled = false

  /// - Parameter tell: Called with all that is there, once that is known, and after each news and each signal.
  init(_ tell: @escaping (PipeWireWatch.Sources) -> Void) {
    self.tell = tell
  }

  /// Connects and follows until the connection ends, or `isClosed` is true after `wake` was signalled.
  ///
  /// - Throws: Why there is no connection.
  func follow(_ reach: PipeWireReach, _ wake: WakeUp, isClosed: () -> Bool) throws(CaptureDeviceError) {
    let connection = try reach.connect(wake)
    defer { cam_pipewire_close(connection) }
    guard cam_pipewire_watch(connection, watcher) == 0 else {
      throw CaptureDeviceError(
        .ioFailure,
        "PipeWire does not tell of its cameras; restart it with 'systemctl --user restart pipewire'.")
    }
    while !isClosed() {
      if cam_pipewire_turn(connection, -1) != 0 { return }
      wake.clear()
      if hasSettled { tellAll() }
    }
  }

  private var watcher: cam_pipewire_watcher {
    cam_pipewire_watcher(
      // Safe because the connection, which calls it, is closed before the registry goes.
      context: Unmanaged.passUnretained(self).toOpaque(),
      node: { context, id, properties, count in
        NodeRegistry.at(context)?.note(id, NodeRegistry.dictionary(properties, count))
      },
      format: { context, id, format in
        if let format { NodeRegistry.at(context)?.note(id, NodeFormat(format.pointee)) }
      },
      described: { context, id in NodeRegistry.at(context)?.described(id) },
      device: { context, id, properties, count in
        NodeRegistry.at(context)?.noteDevice(id, NodeRegistry.dictionary(properties, count))
      },
      removed: { context, id in NodeRegistry.at(context)?.removed(id) },
      settled: { context, isManaged in NodeRegistry.at(context)?.settled(isManaged != 0) })
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> NodeRegistry? {
    context.map { Unmanaged<NodeRegistry>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func dictionary(
    _ properties: UnsafePointer<cam_pipewire_property>?, _ count: UInt32
  ) -> [String: String] {
    let list = UnsafeBufferPointer(start: properties, count: Int(count))
    return Dictionary(
      list.compactMap { property in
        guard let key = property.key, let value = property.value else { return nil }
        return (String(cString: key), String(cString: value))
      }, uniquingKeysWith: { $1 })
  }

  // MARK: News

  private func note(_ id: UInt32, _ properties: [String: String]) {
    let known = properties.isEmpty ? (coming[id] ?? nodes[id])?.properties ?? [:] : properties
    coming[id] = SourceNode(id: id, properties: known)
  }

  private func note(_ id: UInt32, _ format: NodeFormat) {
    coming[id]?.formats.append(format)
  }

  private func described(_ id: UInt32) {
    if let node = coming.removeValue(forKey: id) { nodes[id] = node }
  }

  private func noteDevice(_ id: UInt32, _ properties: [String: String]) {
    devices[id] = properties
  }

  private func removed(_ id: UInt32) {
    coming[id] = nil
    devices[id] = nil
    nodes[id] = nil
  }

  private func settled(_ isManaged: Bool) {
    self.isManaged = isManaged
    hasSettled = true
  }

  private func tellAll() {
    let known = nodes.values.sorted { $0.id < $1.id }.map { node in
      var node = node
      node.device = node.deviceID.flatMap { devices[$0] } ?? [:]
      return node
    }
    tell(PipeWireWatch.Sources(nodes: known, isManaged: isManaged, isConnected: true))
  }
}
