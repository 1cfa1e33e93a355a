import AVFoundation
import Foundation
import Linux
import Testing
import VirtualCameras
import Waiting

/// A ring with a socket of its own, whose frames a test draws.
final class RingStage {
  /// A word that nothing else on the machine has in its name.
  let name = String(UUID().uuidString.prefix(13))
  let folder: URL
  /// How many programs read, as the ring has reported.
  let readers = Monitor(0)
  let ring: SharedFrameRing

  var path: String { ring.path }

  init(slotCount: Int = 4) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("ring-\(name)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let readers = readers
    ring = try SharedFrameRing(path: folder.appendingPathComponent(name).path, slotCount: slotCount) {
      count in
      readers.withLock { $0 = count }
    }
  }

  deinit {
    ring.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A reader that the ring knows.
  func reader() throws -> RingReader {
    let before = readers.now
    let reader = try RingReader(path)
    #expect(readers.wait { $0 > before })
    return reader
  }

  /// Draws a frame all of whose bytes have the value, between rows too.
  @discardableResult
  func draw(
    _ value: UInt8, width: Int = 8, height: Int = 4, atNanoseconds time: Int64 = 0,
    beforeEnd: () -> Void = {}
  ) throws -> Bool {
    try ring.draw(width: width, height: height, at: CMTime(value: time, timescale: 1_000_000_000)) {
      picture in
      CVPixelBufferLockBaseAddress(picture, [])
      defer { CVPixelBufferUnlockBaseAddress(picture, []) }
      guard let base = CVPixelBufferGetBaseAddress(picture) else { return false }
      memset(base, Int32(value), CVPixelBufferGetBytesPerRow(picture) * CVPixelBufferGetHeight(picture))
      beforeEnd()
      return true
    }
  }

  /// How many descriptors and mappings of this process the ring's memory has, and how many sockets have its path.
  func holdings() throws -> (memory: Int, sockets: Int) {
    let files = FileManager.default
    let links = try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      // Another test may have closed it meanwhile.
      try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
    let sockets = try String(contentsOfFile: "/proc/net/unix", encoding: .utf8).split(separator: "\n")
    return (
      links.count { $0.contains("memfd:obscura \(name)") }
        + maps.count { $0.contains("memfd:obscura \(name)") },
      sockets.count { $0.contains(name) }
    )
  }
}
