internal import Linux

/// The kernel's video devices of this machine, by which the same camera is found in other lists.
package struct VideoNodes: Sendable {
  /// One of them.
  struct Node: Sendable, Hashable {
    /// The file in `/dev`.
    var path: String
    var number: UInt64
    /// Whether it is on the USB.
    var isOnUSB: Bool
  }

  private let root: String

  /// - Parameter root: The folder that `/sys` is in.
  package init(root: String = "") {
    self.root = root
  }

  /// The nodes there are, by name.
  var all: [Node] {
    let folder = "\(root)/sys/class/video4linux"
    return DeviceTree.names(in: folder).sorted().compactMap { name in
      let parts = (DeviceTree.line("\(folder)/\(name)/dev") ?? "").split(separator: ":").compactMap {
        UInt64($0)
      }
      guard parts.count == 2 else { return nil }
      // As the C library puts a device's two numbers into one.
      let number = (parts[0] & 0xFFF) << 8 | parts[1] & 0xFF | (parts[1] & ~0xFF) << 12
      let device = DeviceTree.resolved("\(folder)/\(name)")
      return Node(
        path: "/dev/\(name)", number: number,
        isOnUSB: device.flatMap { DeviceTree.usbFolder(above: $0) } != nil)
    }
  }

  /// Those that are part of a camera.
  func nodes(of camera: any LibraryCamera) -> [Node] {
    let all = all
    let own = Set(camera.nodes(among: all.map(\.number)))
    return all.filter { own.contains($0.number) }
  }
}
