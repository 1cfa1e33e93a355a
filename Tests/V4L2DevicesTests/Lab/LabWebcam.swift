import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import V4L2Devices

/// A webcam made of software on a USB bus in memory, behind the kernel's own driver for webcams.
///
/// See DeviceLab/usb-webcam.c.
enum LabWebcam {
  static let uniqueID = "usb-1d6b:0102-LAB0001"
  static let h264ID = "usb-1d6b:0102-LAB0264"
  private static let folder = "DeviceLab/.cache"
  static let picture = "\(folder)/bars-640x480.jpg"

  /// Plugs it in, unless it is, and returns it when the kernel has found it.
  @discardableResult
  static func plug() throws -> V4L2Camera {
    if let camera = find() { return camera }
    let program = "\(folder)/usb-webcam LAB0001 \(picture) \(folder)/bars-1280x720.jpg"
    let process = try Vivid.run("\(program) >/tmp/usb-webcam.txt 2>&1 & echo $!")
    try process.write(toFile: "/tmp/usb-webcam.pid", atomically: true, encoding: .utf8)
    for _ in 0..<200 {
      if let camera = find() { return camera }
      usleep(50_000)
    }
    let words = (try? String(contentsOfFile: "/tmp/usb-webcam.txt", encoding: .utf8)) ?? ""
    throw Vivid.Failure(description: "the webcam did not come: \(words)")
  }

  /// Plugs one in beside it that sends nothing but a recorded stream of H.264, hands it to `body`, and pulls it out again.
  static func withH264(_ stream: String, _ body: (V4L2Camera) throws -> Void) throws {
    let file = "Tests/V4L2DevicesTests/Streams/\(stream).h264"
    let process = try Vivid.run(
      "\(folder)/usb-webcam LAB0264 \(file) 64x48 >/tmp/h264-webcam.txt 2>&1 & echo $!")
    let isThere = { Vivid.cameras().contains { $0.facts.uniqueID == h264ID } }
    defer {
      _ = try? Vivid.run("kill -9 \(process)")
      _ = eventually { !isThere() }
    }
    _ = eventually { isThere() }
    guard let camera = Vivid.cameras().first(where: { $0.facts.uniqueID == h264ID }) else {
      let words = (try? String(contentsOfFile: "/tmp/h264-webcam.txt", encoding: .utf8)) ?? ""
      throw Vivid.Failure(description: "the webcam with H.264 did not come: \(words)")
    }
    try body(camera)
  }

  /// Opens it.
  static func open() throws -> any CaptureStream {
    try plug().open()
  }

  /// Pulls it out.
  static func unplug() throws {
    try Vivid.run("kill -9 $(cat /tmp/usb-webcam.pid)")
  }

  /// Takes its USB controller away, or brings it back.
  static func bindController(_ isBound: Bool) throws {
    try Vivid.bind(isBound, device: "vhci_hcd.0", driver: "vhci_hcd")
  }

  private static func find() -> V4L2Camera? {
    Vivid.cameras().first { $0.facts.uniqueID == uniqueID }
  }

  /// Sets a control as another program does.
  static func set(_ control: String) throws {
    try Vivid.set(control, on: try plug().path)
  }
}
