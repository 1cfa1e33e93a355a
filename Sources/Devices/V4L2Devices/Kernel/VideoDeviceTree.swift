internal import CaptureDevice
internal import Linux

/// Reads facts of video devices and of the machine from sysfs.
///
/// A missing file is a missing fact. Every question reads some small files, microseconds each.
package struct VideoDeviceTree: Sendable {
  private let root: String

  /// The tree at `root`.
  package init(root: String = "/sys") {
    self.root = root
  }

  // MARK: Video nodes

  /// The placement of the device behind `video…`.
  package func placement(ofNodeNamed name: String) -> DevicePlacement {
    let node = "\(root)/class/video4linux/\(name)"
    let index = DeviceTree.line("\(node)/index").flatMap { Int($0) } ?? 0
    guard let device = DeviceTree.resolved("\(node)/device") else { return DevicePlacement(nodeIndex: index) }
    var placement = DevicePlacement(nodeIndex: index)
    placement.usb = DeviceTree.usb(above: device)
    // The panel of a socket says nothing of a camera on a cable.
    if placement.usb?.isFixed != false {
      placement.panel = panel(DeviceTree.usbFolder(above: device) ?? device)
    }
    return placement
  }

  /// The media device beside a node, `media0`, and the node's device numbers.
  func mediaDevice(ofNodeNamed name: String) -> (name: String, major: UInt32, minor: UInt32)? {
    let node = "\(root)/class/video4linux/\(name)"
    let numbers = DeviceTree.line("\(node)/dev")?.split(separator: ":").compactMap { UInt32($0) } ?? []
    let media = DeviceTree.names(in: "\(node)/device").filter { name in
      name.hasPrefix("media") && Int(name.dropFirst(5)) != nil
    }
    guard numbers.count == 2, let first = media.min() else { return nil }
    return (first, numbers[0], numbers[1])
  }

  /// The folder of the media device beside a node, without symbolic links, so that its end is the device's.
  package func mediaFolder(ofNodeNamed name: String) -> String? {
    guard let media = mediaDevice(ofNodeNamed: name)?.name,
      let device = DeviceTree.resolved("\(root)/class/video4linux/\(name)/device")
    else { return nil }
    return "\(device)/\(media)"
  }

  private func panel(_ folder: String) -> DevicePosition {
    for place in ["physical_location", "port/physical_location", "firmware_node/physical_location"] {
      switch DeviceTree.line("\(folder)/\(place)/panel") {
      case "front": return .front
      case "back": return .back
      default: continue
      }
    }
    return .unspecified
  }

  // MARK: The machine

  /// The machine's model by its firmware.
  package func machineModel() -> MachineModel {
    let folder = "\(root)/class/dmi/id"
    // Source: the SMBIOS specification, table "System Enclosure or Chassis Types".
    let laptops: Set = [8, 9, 10, 11, 13, 14, 30, 31, 32]
    let chassis = DeviceTree.line("\(folder)/chassis_type").flatMap { Int($0) }
    return MachineModel(
      boardVendor: DeviceTree.line("\(folder)/board_vendor") ?? "",
      boardName: DeviceTree.line("\(folder)/board_name") ?? "",
      isLaptop: chassis.map(laptops.contains) ?? false)
  }
}
