import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import V4L2Devices
import Waiting

/// A webcam made of software on a USB bus in memory, behind the kernel's own driver for webcams.
///
/// See DeviceLab/usb-webcam.c.
enum LabWebcam {
  static let uniqueID = "usb-1d6b:0102-LAB0001"
  static let h264ID = "usb-1d6b:0102-LAB0264"
  static let depthID = "usb-1d6b:0102-LAB0016"
  private static let folder = "DeviceLab/.cache"
  static let picture = "\(folder)/bars-640x480.jpg"

  /// Plugs it in, unless it is, and returns it when the kernel has found it.
  @discardableResult
  static func plug() throws -> V4L2Camera {
    if let camera = find() { return camera }
    let program = "\(folder)/usb-webcam LAB0001 \(picture) \(folder)/bars-1280x720.jpg"
    let process = try Vivid.run("\(program) >/tmp/usb-webcam.txt 2>&1 & echo $!")
    try process.write(toFile: "/tmp/usb-webcam.pid", atomically: true, encoding: .utf8)
    if Vivid.comes({ _ in find() != nil }), let camera = find() { return camera }
    let words = (try? String(contentsOfFile: "/tmp/usb-webcam.txt", encoding: .utf8)) ?? ""
    throw Vivid.Failure(description: "the webcam did not come: \(words)")
  }

  /// Plugs one in beside it that sends nothing but a recorded stream of H.264, hands it to `body`, and pulls it out again.
  static func withH264(_ stream: String, _ body: (V4L2Camera) throws -> Void) throws {
    let file = "Tests/V4L2DevicesTests/Streams/\(stream).h264"
    try with(h264ID, "LAB0264 \(file) 64x48") { camera, _ in try body(camera) }
  }

  /// Plugs a depth camera in beside it, whose maps have 64×48 points, and hands it to `body` with the means to pull it out.
  static func withDepth(_ body: (V4L2Camera, _ unplug: () throws -> Void) throws -> Void) throws {
    try with(depthID, "LAB0016 --depth 64x48 \(picture)", body)
  }

  /// Plugs one in beside it, hands it to `body`, and pulls it out again unless `body` has.
  private static func with(
    _ uniqueID: String, _ arguments: String, _ body: (V4L2Camera, _ unplug: () throws -> Void) throws -> Void
  ) throws {
    let words = "/tmp/\(uniqueID).txt"
    let process = try Vivid.run("\(folder)/usb-webcam \(arguments) >\(words) 2>&1 & echo $!")
    // Its other node comes a moment after the one with the pictures.
    let camera = {
      Vivid.cameras().first {
        $0.facts.uniqueID == uniqueID && (uniqueID != depthID || $0.facts.media.contains(.depth))
      }
    }
    defer {
      _ = try? Vivid.run("kill -9 \(process)")
      _ = Vivid.comes { _ in camera() == nil }
    }
    _ = Vivid.comes { _ in camera() != nil }
    guard let camera = camera() else {
      let words = (try? String(contentsOfFile: words, encoding: .utf8)) ?? ""
      throw Vivid.Failure(description: "the webcam \(uniqueID) did not come: \(words)")
    }
    try body(camera) { try Vivid.run("kill -9 \(process)") }
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
