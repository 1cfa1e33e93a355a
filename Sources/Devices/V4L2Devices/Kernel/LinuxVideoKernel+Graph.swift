internal import CVideo4Linux
internal import Glibc

extension LinuxVideoKernel {
  /// More parts than any camera's graph has.
  private static let largestGraph = 1024

  package func mediaGraph(of node: VideoNode) -> MediaGraph? {
    guard let (name, major, minor) = VideoDeviceTree().mediaDevice(ofNodeNamed: node.name) else { return nil }
    let descriptor = cam_v4l2_open("/dev/\(name)")
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var entities = [cam_media_entity](repeating: cam_media_entity(), count: Self.largestGraph)
    var flows = [cam_media_flow](repeating: cam_media_flow(), count: Self.largestGraph)
    var entityCount = UInt32(Self.largestGraph)
    var flowCount = UInt32(Self.largestGraph)
    var part: UInt32 = 0
    let failure = cam_media_graph(
      descriptor, major, minor, &part, &entities, &entityCount, &flows, &flowCount)
    guard failure == 0, part != 0 else { return nil }
    var graph = MediaGraph(device: name, node: part, roles: [:], feeders: [:])
    for entity in entities.prefix(Int(entityCount)) {
      graph.roles[entity.identifier] = MediaGraph.Role(function: entity.function)
    }
    for flow in flows.prefix(Int(flowCount)) {
      graph.feeders[flow.sink, default: []].insert(flow.source)
    }
    return graph
  }

  package func mediaFolder(of path: String) -> String? {
    path.split(separator: "/").last.flatMap { VideoDeviceTree().mediaFolder(ofNodeNamed: String($0)) }
  }

  package func hasFolder(_ folder: String) -> Bool {
    Glibc.access(folder, F_OK) == 0
  }

  package func machineModel() -> MachineModel {
    VideoDeviceTree().machineModel()
  }
}

extension MediaGraph.Role {
  fileprivate init(function: UInt32) {
    switch function {
    case cam_media_ENT_F_IO_V4L: self = .node
    case cam_media_ENT_F_CAM_SENSOR, cam_media_ENT_F_TUNER, cam_media_ENT_F_ATV_DECODER,
      cam_media_ENT_F_DV_DECODER:
      self = .origin
    default: self = .other
    }
  }
}
