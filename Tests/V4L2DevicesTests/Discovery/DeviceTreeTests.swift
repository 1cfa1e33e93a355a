import CaptureDevice
import Foundation
import Linux
import Testing
import V4L2Devices

@Suite("V4L2: what sysfs says")
struct DeviceTreeTests {
  /// A sysfs in a folder of its own, as a laptop with a camera at `port` has it.
  func withTree(
    bus: String = "usb1", port: String = "1-2.4", version: String = " 2.00", removable: String = "removable",
    panel: (place: String, side: String)? = nil, _ body: (VideoDeviceTree) throws -> Void
  ) throws {
    let root = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
      "obscura-sys-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let hub = "devices/pci0000:00/0000:00:14.0/\(bus)"
    let device = "\(hub)/\(port)"
    func write(_ path: String, _ text: String) throws {
      let url = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(text)\n".utf8).write(to: url)
    }
    try write("\(hub)/version", version)
    for (name, text) in [
      ("idVendor", "046d"), ("idProduct", "0825"), ("serial", "A1B2"), ("manufacturer", "Logitech"),
      ("product", "HD Webcam"), ("speed", "480"), ("version", " 2.00"), ("removable", removable),
      ("devpath", "2.4"),
    ] {
      try write("\(device)/\(name)", text)
    }
    try write("\(device)/\(port):1.2/bInterfaceNumber", "02")
    try write("\(device)/\(port):1.2/interface", "Integrated IR Camera")
    try write("\(device)/\(port):1.2/video4linux/video4/index", "1")
    try write("\(device)/\(port):1.2/video4linux/video4/dev", "81:4")
    try write("\(device)/\(port):1.2/media1/model", "HD Webcam")
    if let panel { try write("\(device)/\(panel.place)/panel", panel.side) }
    try write("class/dmi/id/chassis_type", "10")
    try write("class/dmi/id/board_vendor", "ASUSTeK Computer INC.")
    try write("class/dmi/id/board_name", "K50IJ     ")
    let node = root.appendingPathComponent("\(device)/\(port):1.2/video4linux/video4")
    let classes = root.appendingPathComponent("class/video4linux")
    try FileManager.default.createDirectory(at: classes, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: classes.appendingPathComponent("video4"), withDestinationURL: node)
    try FileManager.default.createSymbolicLink(
      at: node.appendingPathComponent("device"),
      withDestinationURL: root.appendingPathComponent("\(device)/\(port):1.2"))
    try body(VideoDeviceTree(root: root.path))
  }

  @Test func `a USB camera's node says its device, function and place`() throws {
    try withTree { tree in
      let placement = tree.placement(ofNodeNamed: "video4")
      #expect(placement.nodeIndex == 1)
      let usb = try #require(placement.usb)
      #expect(usb.vendor == 0x046d && usb.product == 0x0825 && usb.serial == "A1B2")
      #expect(usb.interface == 2 && usb.functionName == "Integrated IR Camera" && !usb.isFixed)
      #expect(usb.megabits == 480 && usb.version == "2.00")
      #expect(usb.port == "1-2.4" && usb.socket == "0000:00:14.0-usb2-2.4")
    }
  }

  @Test func `the media device beside a node has a folder that its going takes along`() throws {
    try withTree { tree in
      let folder = try #require(tree.mediaFolder(ofNodeNamed: "video4"))
      // Not by way of the node, which goes first.
      #expect(folder.hasSuffix("/1-2.4/1-2.4:1.2/media1") && !folder.contains("video4linux"))
      #expect(LinuxVideoKernel().hasFolder(folder))
      try FileManager.default.removeItem(atPath: folder)
      #expect(!LinuxVideoKernel().hasFolder(folder))
      #expect(tree.mediaFolder(ofNodeNamed: "video4") == nil)
    }
  }

  @Test
  func `a socket keeps its name when buses are numbered anew, and differs between a controller's buses`()
    throws
  {
    try withTree(bus: "usb3", port: "3-2.4") { tree in
      #expect(tree.placement(ofNodeNamed: "video4").usb?.socket == "0000:00:14.0-usb2-2.4")
    }
    try withTree(bus: "usb2", port: "2-2.4", version: " 3.10") { tree in
      #expect(tree.placement(ofNodeNamed: "video4").usb?.socket == "0000:00:14.0-usb3-2.4")
    }
  }

  @Test(arguments: ["physical_location", "port/physical_location"])
  func `the firmware's panel is read for what is built in`(_ place: String) throws {
    try withTree(removable: "fixed", panel: (place, "front")) { tree in
      #expect(tree.placement(ofNodeNamed: "video4").panel == .front)
    }
    try withTree(panel: (place, "back")) { tree in
      #expect(tree.placement(ofNodeNamed: "video4").panel == .unspecified)
    }
  }

  @Test func `the machine says its board, and whether it folds`() throws {
    try withTree { tree in
      let machine = tree.machineModel()
      #expect(machine.boardVendor == "ASUSTeK Computer INC." && machine.boardName == "K50IJ")
      #expect(machine.isLaptop)
    }
  }

  @Test func `what is not there is nothing`() {
    let tree = VideoDeviceTree(root: "/nowhere")
    #expect(tree.placement(ofNodeNamed: "video0") == DevicePlacement())
    #expect(tree.machineModel() == MachineModel())
  }
}
