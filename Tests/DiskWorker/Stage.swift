import CaptureDevice
import CoreVideo
import Foundation
import Glibc
import Linux
import PhotoProcessing
import Photos
import SimulatedDevices

/// The disk of a trial, and what the process says.
final class Stage: Sendable {
  let folder: String
  private let disk = Locked<SimulatedDisk?>(nil)

  init(folder: String) { self.folder = folder }

  /// From now on the disk fails; what came before is not part of the trial.
  func begin() {
    let text = ProcessInfo.processInfo.environment["OBSCURA_DISK_FAULT"] ?? ""
    let made = SimulatedDisk.install(DiskFault(text), in: URL(fileURLWithPath: folder))
    disk.withLock { $0 = made }
  }

  func say(_ line: String) {
    let bytes = Array((line.replacing("\n", with: " ") + "\n").utf8)
    // A line that cannot be printed is of a test that has ended.
    if Glibc.write(1, bytes, bytes.count) != bytes.count { _exit(1) }
  }

  /// Says which calls there were, and ends the process.
  func end() -> Never {
    if let disk = disk.withLock({ $0 }) {
      disk.uninstall()
      say("calls \(disk.operations.map(\.rawValue).joined(separator: " "))")
      say("bytes \(disk.writtenBytes)")
      if disk.hasFailed { say("met the fault") }
    }
    exit(0)
  }

  /// A frame whose content is its shade.
  static func frame(_ shade: Int, width: Int = 160, height: Int = 120) throws -> CapturedFrame {
    let pixels = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: width, height: height)
    for plane in pixels.planes {
      for row in 0..<plane.height {
        let bytes = plane.row(row)
        for column in bytes.indices { bytes[column] = UInt8(truncatingIfNeeded: row &* 3 &+ column &+ shade) }
      }
    }
    return CapturedFrame(
      picture: .pixels(pixels), timestamp: MonotonicInstant(nanoseconds: 1_500_000_000), sequence: 45,
      conditions: FrameConditions(exposure: FrameExposure(durationNanoseconds: 8_333_333, iso: 64)))
  }

  static func request(_ frame: CapturedFrame) -> PhotoProcessingRequest {
    var request = PhotoProcessingRequest(
      uniqueID: 3, encoding: .jpeg(quality: nil), orientation: .right, prioritization: .quality,
      camera: PhotoCamera(make: "Maker", model: "Model"), clientMetadata: PhotoMetadata([:]))
    request.frame = PhotoFrameFacts(frame)
    return request
  }

  /// A picture's file.
  static func picture(_ shade: Int) throws -> Data {
    let frame = try frame(shade)
    guard let file = try PhotoProcessor().process([frame], for: request(frame)).file else {
      throw CocoaError(.fileReadUnknown)
    }
    return file
  }
}
