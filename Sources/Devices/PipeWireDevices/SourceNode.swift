package import CaptureDevice
package import Glibc
internal import Linux

/// A source of pictures as PipeWire describes it, and the device that it belongs to.
package struct SourceNode: Sendable, Hashable {
  /// PipeWire's number of it, which another node gets later.
  package let id: UInt32
  /// The properties of the node.
  package var properties: [String: String]
  /// The properties of its device.
  package var device: [String: String] = [:]
  /// The formats that are read here, in PipeWire's order.
  package var formats: [NodeFormat] = []

  /// A node with these properties.
  package init(
    id: UInt32, properties: [String: String], device: [String: String] = [:], formats: [NodeFormat] = []
  ) {
    (self.id, self.properties, self.device, self.formats) = (id, properties, device, formats)
  }

  /// A property of the node, or of its device.
  package subscript(_ key: String) -> String? {
    (properties[key] ?? device[key]).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The number of its device.
  package var deviceID: UInt32? { properties["device.id"].flatMap { UInt32($0) } }

  /// Whether it is a camera: sources of other pictures, such as shared screens, are not.
  package var isCamera: Bool {
    self["media.role"] == "Camera" || ["v4l2", "libcamera"].contains(self["device.api"] ?? "")
  }

  /// Whether a process offers it; by the number that the process has said.
  package func isOffered(by process: pid_t) -> Bool { self["application.process.id"] == "\(process)" }

  /// The number that is never given again while PipeWire runs.
  package var serial: String { self["object.serial"] ?? "\(id)" }

  /// The name for people.
  package var name: String {
    self["node.description"] ?? self["node.nick"] ?? self["device.description"] ?? self["node.name"]
      ?? "PipeWire Camera \(id)"
  }

  /// The same after a restart of PipeWire and of the machine.
  package var uniqueID: String { "pipewire-\(self["node.name"] ?? serial)" }

  /// The side of the machine that libcamera knows it on.
  package var position: DevicePosition {
    switch self["api.libcamera.location"] {
    case "front": .front
    case "back": .back
    default: .unspecified
    }
  }

  /// The files of the kernel's video devices that are behind it: its own where it says that, else its device's.
  ///
  /// - Parameter root: The folder that `/dev` and `/sys` are in.
  package func kernelNodes(root: String = "") -> [String] {
    if let path = self["api.v4l2.path"] { return [path] }
    if let path = self["object.path"], path.hasPrefix("v4l2:") { return [String(path.dropFirst(5))] }
    let numbers = (self["device.devids"] ?? "").split { !$0.isNumber }.compactMap { UInt64($0) }
    let named = numbers.compactMap { number -> String? in
      let (major, minor) = ((number >> 8) & 0xFFF, (number & 0xFF) | ((number >> 12) & 0xFFF00))
      let folder = DeviceTree.resolved("\(root)/sys/dev/char/\(major):\(minor)")
      return folder?.split(separator: "/").last.map { "/dev/\($0)" }
    }
    guard named.isEmpty, let bus = self["device.bus-path"],
      let node = DeviceTree.resolved("\(root)/dev/v4l/by-path/\(bus)-video-index0")
    else { return named }
    return [String(node.dropFirst(root.count))]
  }

  /// What a provider that lists the camera knows it by: the kernel's files, and libcamera's name of it behind `libcamera:`.
  ///
  /// - Parameter root: As of ``kernelNodes(root:)``.
  package func otherNames(root: String = "") -> [String] {
    let name = self["api.libcamera.path"].map { "libcamera:\($0)" }
    let path = self["object.path"].flatMap { $0.hasPrefix("libcamera:") ? $0 : nil }
    return [name ?? path].compactMap(\.self) + kernelNodes(root: root)
  }

  /// The facts of the camera; `nil` where none of its formats is read here.
  ///
  /// - Parameter uniqueID: Its own, or another where two nodes have the same.
  package func facts(uniqueID: String) -> DeviceFacts? {
    let formats = NodeFormat.streamFormats(formats)
    guard !formats.isEmpty else { return nil }
    let position = position
    return DeviceFacts(
      uniqueID: uniqueID,
      modelID: self["device.product.name"] ?? self["api.v4l2.cap.card"] ?? "PipeWire Camera",
      name: name, manufacturer: self["device.vendor.name"] ?? "",
      kind: position == .unspecified ? .externalCamera : .wideAngleCamera, position: position,
      media: [.video], formats: formats)
  }
}
