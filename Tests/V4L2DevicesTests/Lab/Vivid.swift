import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras
import V4L2Devices
import Waiting

/// The kernel's driver that imitates webcams, and the faults it can be asked for.
///
/// There are two in the device lab: `/dev/video0` and `/dev/video1`. See DeviceLab/README.md.
enum Vivid {
  /// Whether this is the device lab, where the driver is loaded and no other program uses it.
  static let isHere = ProcessInfo.processInfo.environment["OBSCURA_LAB"] == "1"

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Sets controls of the driver: what faults to make, what picture to show.
  static func set(_ controls: String, on path: String = "/dev/video0") throws {
    try run("v4l2-ctl -d \(path) -c \(controls)")
  }

  /// Every control as it was when the driver was loaded.
  static func reset() throws {
    for path in ["/dev/video0", "/dev/video1"] {
      try set(
        "test_pattern=1,osd_text_mode=2,percentage_of_dropped_buffers=0,wrap_sequence_number=0,wrap_timestamp=0,"
          + "timestamp_source=0", on: path)
    }
  }

  /// Takes a device from its driver, or brings it back, as a plug does.
  static func bind(_ isBound: Bool, device: String = "vivid.0", driver: String = "vivid") throws {
    let file = "/sys/bus/platform/drivers/\(driver)/\(isBound ? "bind" : "unbind")"
    guard let handle = FileHandle(forWritingAtPath: file) else { throw Failure(description: "no \(file)") }
    try handle.write(contentsOf: Data(device.utf8))
    try handle.close()
  }

  /// Runs a command line and returns what it printed; throws when it fails.
  @discardableResult
  static func run(_ command: String) throws -> String {
    // Not Foundation's Process: it needs a run loop, which does not come up in so bare a system.
    guard let pipe = popen(command + " 2>&1", "r") else { throw Failure(description: "no shell") }
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&bytes, 1, bytes.count, pipe)
      if count == 0 { break }
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    let status = pclose(pipe)
    guard status == 0 else { throw Failure(description: "\(command): \(status), \(text)") }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Says how far a long test is: who watches from outside takes silence for a hang.
  static func report(_ progress: String) {
    FileHandle.standardError.write(Data("lab: \(progress)\n".utf8))
  }

  static func cameras() -> [V4L2Camera] {
    V4L2DeviceProvider().cameras()
  }

  /// Blocks until the cameras are so, looking again whenever the kernel makes a node or takes one away; false when they are not within
  /// half a minute.
  static func comes(_ isTrue: ([V4L2Camera]) -> Bool) -> Bool {
    let changes = Changes()
    let watch = try? LinuxVideoKernel().watchNodes { changes.note() }
    defer { withExtendedLifetime(watch) {} }
    return changes.wait { isTrue(cameras()) }
  }

  static func camera() throws -> V4L2Camera {
    guard let camera = cameras().first else { throw Failure(description: "vivid's node is no camera") }
    return camera
  }

  /// The smallest format with that encoding.
  static func format(
    _ camera: V4L2Camera, _ pixelFormat: OSType = kCVPixelFormatType_422YpCbCr8_yuvs
  ) throws -> StreamFormat {
    guard let format = camera.facts.formats.first(where: { $0.encoding == .pixels(pixelFormat) }) else {
      throw Failure(description: "vivid has no such format")
    }
    return format
  }

  static func open(
    _ pixelFormat: OSType = kCVPixelFormatType_422YpCbCr8_yuvs, bufferCount: Int = 4,
    frameDuration: FrameDuration = FrameDuration(1, 30)
  ) throws -> any CaptureStream {
    let camera = try camera()
    return try camera.openStream(
      StreamConfiguration(
        format: try format(camera, pixelFormat), frameDuration: frameDuration, bufferCount: bufferCount
      ))
  }
}

/// The driver's 100 % colour bars.
///
/// Source: `tpg_colors` of `drivers/media/common/v4l2-tpg`, in its order from left to right.
enum ColorBars {
  /// Red, green and blue.
  static let rgb: [[Double]] = [
    [1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 0, 0],
  ]

  /// Luma, blue and red difference of a bar in video range, after BT.601.
  static func yCbCr(_ bar: Int) -> [Double] {
    let (red, green, blue) = (rgb[bar][0], rgb[bar][1], rgb[bar][2])
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return [16 + 219 * luma, 128 + 224 * (blue - luma) / 1.772, 128 + 224 * (red - luma) / 1.402]
  }

  /// The middle of a bar in a picture of that width; even, so that it has a chroma sample of its own.
  static func column(_ bar: Int, width: Int) -> Int {
    (width * (2 * bar + 1) / 16) & ~1
  }
}
