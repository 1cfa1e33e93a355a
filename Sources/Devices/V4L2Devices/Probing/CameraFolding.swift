internal import CaptureDevice
internal import Linux

/// The facts of a node by which nodes are folded into cameras: the kind of its pictures, and its place among other nodes.
package struct NodeSight: Sendable, Hashable {
  package var path: String
  package var name: String
  /// The kernel's name of the bus and the place on it.
  package var bus: String
  package var placement: DevicePlacement
  /// The source of its pictures, as far as the kernel knows it.
  package var graph: MediaGraph?
  /// The kind of pictures, judged by all its formats.
  package var content: PictureKind
  /// Whether it sends distances in a format that is read here.
  package var measuresDepth: Bool
  /// Whether it sees infrared light, as far as its name or the table of quirks says so.
  package var isInfrared: Bool

  /// A node.
  package init(
    path: String, name: String, bus: String, placement: DevicePlacement, graph: MediaGraph? = nil,
    content: PictureKind, measuresDepth: Bool = false, _ effects: [DeviceQuirk.Effect] = []
  ) {
    self.path = path
    self.name = name
    self.bus = bus
    self.placement = placement
    self.graph = graph
    self.content = content
    self.measuresDepth = measuresDepth
    let names = [name, placement.usb?.functionName ?? "", placement.usb?.productName ?? ""]
    let words = names.flatMap { $0.split { !$0.isLetter }.map(String.init) }
    isInfrared =
      effects.contains(.infrared) || words.contains { $0 == "IR" || $0.lowercased() == "infrared" }
  }

  /// Whether it is part of the machine.
  var isBuiltIn: Bool { placement.usb?.isFixed == true }
}

/// Makes one device of the nodes of one physical camera.
///
/// A camera may have nodes that users do not want to choose from: a second stream of the same sensor, an infrared sensor for
/// logging in, a depth sensor. What is chosen here, where no system sets an example for all of it:
/// - A depth node is a part of the colour camera of its device, which measures depth by it; the first where there are several.
///   One without such a camera is left out: a camera has pictures. So are the pictures that belong to the depth sensor (its left
///   eye, mostly in infrared), and distances in formats that nothing here reads.
/// - An infrared node is left out where the machine or the device has a camera that sees colours: it is lit for recognising
///   faces, and Apple lists none either. A grey camera that stands alone is a camera like any other.
/// - Of several nodes that show the same sensor, the first is listed; it has the H.264 of the others.
///
/// ``V4L2DeviceProvider/omittedNodes`` names each that is left out.
package struct CameraFolding: Sendable {
  private let nodes: [NodeSight]

  /// The nodes that capture pictures, in the order of their numbers.
  package init(_ nodes: [NodeSight]) {
    self.nodes = nodes
  }

  /// The reasons why nodes are left out, one sentence each, by path.
  package func omitted() -> [String: String] {
    var omitted: [String: String] = [:]
    for node in nodes {
      if let reason = reason(node) { omitted[node.path] = "\(node.path) (\(node.name)) \(reason)." }
    }
    return omitted
  }

  /// By the path of a node that is listed, those of the others that show the same sensor.
  package func secondStreams() -> [String: [String]] {
    var streams: [String: [String]] = [:]
    for node in nodes where apartReason(node) == nil {
      guard let first = first(of: node), apartReason(first) == nil else { continue }
      streams[first.path, default: []].append(node.path)
    }
    return streams
  }

  /// By the path of a node that is listed, that of the node which measures depth for it.
  package func depthNodes() -> [String: String] {
    var depth: [String: String] = [:]
    for node in nodes where node.measuresDepth {
      if let camera = camera(measuredBy: node), depth[camera.path] == nil { depth[camera.path] = node.path }
    }
    return depth
  }

  /// The camera to whose pictures a depth node belongs: the first of its USB device that is listed.
  private func camera(measuredBy depth: NodeSight) -> NodeSight? {
    nodes.first { node in
      node.content == .colour && isSameDevice(node, depth) && reason(node) == nil
    }
  }

  /// The reason why a depth node is no camera of its own.
  private func depthReason(_ depth: NodeSight) -> String {
    guard depth.measuresDepth else { return "measures depth in a format that nothing here reads" }
    guard let camera = camera(measuredBy: depth) else {
      return "measures depth, and its device has no camera whose pictures it could stream with"
    }
    let name = "\(camera.name) (\(camera.path))"
    return depthNodes()[camera.path] == depth.path
      ? "measures depth for \(name)" : "measures depth as another node does for \(name)"
  }

  /// The node that is listed instead of `camera`; `nil` when that is itself.
  private func first(of camera: NodeSight) -> NodeSight? {
    nodes.first { isSameSensor($0, camera) }.flatMap { $0.path == camera.path ? nil : $0 }
  }

  private func reason(_ camera: NodeSight) -> String? {
    apartReason(camera) ?? first(of: camera).map { "is a second stream of \($0.name) (\($0.path))" }
  }

  /// The reason why a node is left out whose pictures are not the camera's.
  private func apartReason(_ camera: NodeSight) -> String? {
    if camera.content == .depth { return depthReason(camera) }
    if let main = mainCamera(beside: camera) {
      if isEyeOfDepth(camera) {
        return "shows what the depth sensor of \(main.path) sees; \(main.name) is the camera"
      }
      if camera.isInfrared || camera.content == .grey {
        return "sees infrared light, for recognising faces; \(main.name) (\(main.path)) is the camera"
      }
    }
    return nil
  }

  /// The camera for people to which `camera` may be the companion.
  private func mainCamera(beside camera: NodeSight) -> NodeSight? {
    nodes.first { other in
      other.path != camera.path && other.content == .colour && !other.isInfrared
        && !isEyeOfDepth(other) && (isSameDevice(other, camera) || (other.isBuiltIn && camera.isBuiltIn))
    }
  }

  /// Whether a node belongs to a depth sensor: they share a function of the device, and another one sees colours.
  private func isEyeOfDepth(_ camera: NodeSight) -> Bool {
    camera.placement.usb != nil
      && nodes.contains { $0.content == .depth && isSameDevice($0, camera) && isSameFunction($0, camera) }
      && nodes.contains { other in
        isSameDevice(other, camera) && other.content == .colour
          && !nodes.contains { $0.content == .depth && isSameFunction($0, other) && isSameDevice($0, other) }
      }
  }

  private func isSameDevice(_ one: NodeSight, _ other: NodeSight) -> Bool {
    guard let port = one.placement.usb?.port else { return false }
    return port == other.placement.usb?.port
  }

  private func isSameFunction(_ one: NodeSight, _ other: NodeSight) -> Bool {
    one.placement.usb?.interface == other.placement.usb?.interface
  }

  /// Whether two nodes show what one sensor sees: the media graph says so, else that they are nodes of one USB function.
  private func isSameSensor(_ one: NodeSight, _ other: NodeSight) -> Bool {
    guard one.content == other.content, one.bus == other.bus else { return false }
    if one.path == other.path { return true }
    if let left = one.graph, let right = other.graph, !left.origins.isEmpty || !right.origins.isEmpty {
      return left.device == right.device && !left.origins.isDisjoint(with: right.origins)
    }
    return one.placement.usb != nil && isSameDevice(one, other) && isSameFunction(one, other)
  }
}

/// The direction that a camera points to.
struct CameraPlace {
  /// The direction by the kernel, the firmware or the name; `unspecified` where none of them has it.
  ///
  /// In this order: the table of quirks, the driver's `camera_orientation`, the firmware's panel, the name. The last two count
  /// for what is built in only: a camera on a cable points wherever it is put, whichever side its socket is on.
  static func position(
    _ effects: [DeviceQuirk.Effect], orientation: Int64?, _ placement: DevicePlacement, names: [String]
  ) -> DevicePosition {
    for case .position(let position) in effects { return position }
    switch orientation {
    case 0: return .front
    case 1: return .back
    // The kernel's word for a camera that can be moved.
    case 2: return .unspecified
    default: break
    }
    if placement.usb?.isFixed == false { return .unspecified }
    if placement.panel != .unspecified { return placement.panel }
    guard placement.usb != nil else { return .unspecified }
    let words = Set(names.flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) })
    if !words.isDisjoint(with: ["rear", "back", "world"]) { return .back }
    if !words.isDisjoint(with: ["front", "user"]) { return .front }
    return .unspecified
  }
}
