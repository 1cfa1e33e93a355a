internal import Linux

extension DeviceTree {
  private static let videoRoot = "/sys/class/video4linux"

  /// Where the device behind `video…` sits.
  static func placement(ofNodeNamed name: String) -> DevicePlacement {
    let index = line("\(videoRoot)/\(name)/index").flatMap { Int($0) } ?? 0
    guard let device = resolved("\(videoRoot)/\(name)/device") else {
      return DevicePlacement(nodeIndex: index)
    }
    return DevicePlacement(nodeIndex: index, usb: usb(above: device))
  }
}
