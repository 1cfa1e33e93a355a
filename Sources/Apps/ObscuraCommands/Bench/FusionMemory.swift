internal import CoreVideo
internal import Foundation
internal import FrameFusion

/// Measures the memory of fusing eight frames of 12 megapixels, beside the frames themselves.
///
/// The peak is the kernel's (`VmHWM` of `proc(5)`), which is set back before (`clear_refs`), less what was resident before the frames were
/// made.
enum FusionMemory {
  private static let count = 8

  /// The peak divided by the bytes of the frames.
  ///
  /// - Throws: ``CommandError`` where the kernel does not say.
  static func ratio() throws -> Double {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    let before = try kilobytes("VmRSS:")
    let frames = try (0..<count).map { try frame(UInt64($0)) }
    _ = try FrameFuser().fuse(frames)
    let peak = try kilobytes("VmHWM:")
    let held = frames.reduce(0) { $0 + CVPixelBufferGetDataSize($1) } / 1024
    return Double(peak - before) / Double(held)
  }

  /// A picture of noise around a slope.
  private static func frame(_ seed: UInt64) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 4032, 3024, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
    guard let frame = made else { throw CommandError(.otherFailure, "There is no memory for the frames.") }
    CVPixelBufferLockBaseAddress(frame, [])
    defer { CVPixelBufferUnlockBaseAddress(frame, []) }
    // Xorshift, Marsaglia 2003.
    var state = seed &+ 88_172_645_463_325_252
    for plane in frame.planes {
      for row in 0..<plane.height {
        let samples = plane.row(row)
        for index in samples.indices {
          state ^= state << 13
          state ^= state >> 7
          state ^= state << 17
          samples[index] = UInt8(truncatingIfNeeded: 100 + row / 64 + Int(state & 7))
        }
      }
    }
    return frame
  }

  private static func kilobytes(_ name: String) throws -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(name) }
    guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else {
      throw CommandError(.otherFailure, "The kernel does not say how much memory is resident; mount /proc.")
    }
    return number
  }
}
