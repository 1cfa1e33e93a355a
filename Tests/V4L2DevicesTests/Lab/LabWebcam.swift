import CaptureDevice
import Foundation
import Linux
import V4L2Devices

/// A webcam made of software on a USB bus in memory, behind the kernel's own driver for webcams.
///
/// See DeviceLab/usb-webcam.c.
enum LabWebcam {
  static let uniqueID = "usb-1d6b:0102-LAB0001"
  /// Whether the steps want it, which `DeviceLab/usb-steps` says.
  static let isWanted = Vivid.isHere && ProcessInfo.processInfo.environment["OBSCURA_LAB_USB"] == "1"
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

  /// Opens it.
  static func open() throws -> any CaptureStream {
    try insisting { try plug().open() }
  }

  /// Does something again, at most twice, when a request to the camera was lost.
  ///
  /// gadgetfs loses a request when the program is late to take its data, which happens on a busy machine; the driver then
  /// calls that an input/output error.
  static func insisting<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<2 {
      do {
        return try body()
      } catch let error as CaptureDeviceError where error.code == .ioFailure {
        continue
      }
    }
    return try body()
  }

  /// Pulls it out.
  static func unplug() throws {
    try Vivid.run("kill -9 $(cat /tmp/usb-webcam.pid)")
  }

  private static func find() -> V4L2Camera? {
    Vivid.cameras().first { $0.facts.uniqueID == uniqueID }
  }

  /// Sets a control as another program does.
  static func set(_ control: String) throws {
    try Vivid.set(control, on: try plug().path)
  }
}
