/// The part of the kernel's media graph that a video node is in: it shows where the node's pictures come from.
///
/// C: `media_v2_topology`.
package struct MediaGraph: Sendable, Hashable {
  /// The role of a part of a graph, as far as it matters here.
  package enum Role: Sendable, Hashable {
    /// Light, an antenna or a cable comes in.
    ///
    /// C: `MEDIA_ENT_F_CAM_SENSOR`, `…_TUNER`, `…_ATV_DECODER`, `…_DV_DECODER`.
    case origin
    /// A video node, which programs read or feed.
    ///
    /// C: `MEDIA_ENT_F_IO_V4L`.
    case node
    case other
  }

  /// The media device, as in `media0`; numbers of parts mean something within one.
  package var device: String
  /// Parts by their numbers.
  package var roles: [UInt32: Role]
  /// For each part those that feed it.
  package var feeders: [UInt32: Set<UInt32>]
  /// The part behind the video node.
  package var node: UInt32

  /// A graph as it is seen from one node.
  package init(device: String, node: UInt32, roles: [UInt32: Role], feeders: [UInt32: Set<UInt32>]) {
    self.device = device
    self.node = node
    self.roles = roles
    self.feeders = feeders
  }

  /// Everything that pictures pass on their way to the node, without the node.
  var upstream: Set<UInt32> {
    var reached: Set<UInt32> = []
    var next = Array(feeders[node] ?? [])
    while let part = next.popLast() {
      guard part != node, reached.insert(part).inserted else { continue }
      next += feeders[part] ?? []
    }
    return reached
  }

  /// The parts where the pictures come into the machine; empty where the graph does not show them.
  package var origins: Set<UInt32> { upstream.filter { roles[$0] == .origin } }

  /// Whether the node only shows what programs put in elsewhere: the far end of a converter.
  package var isFedByPrograms: Bool {
    origins.isEmpty && upstream.contains { roles[$0] == .node }
  }
}
