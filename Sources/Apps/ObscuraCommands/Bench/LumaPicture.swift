internal import AVFCapture
internal import AVFoundation
internal import CaptureDevice
internal import Foundation

/// The luma of a photo that was taken as pixels.
struct LumaPicture: Sendable {
  private let size: FrameSize
  private let levels: [UInt8]
  /// A truth has an edge where neighbours differ by this many levels.
  private static let edge = 12

  /// - Throws: ``CommandError`` for a photo that has no planes.
  init(_ photo: AVCapturePhoto) throws {
    try self.init(photo.pixelBuffer)
  }

  /// - Throws: ``CommandError`` for a picture that has no planes.
  init(_ picture: CVPixelBuffer?) throws {
    guard let picture, CVPixelBufferGetPlaneCount(picture) > 0 else {
      throw CommandError(.otherFailure, "The photo has no pixels.")
    }
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    size = FrameSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    let (width, height) = (size.width, size.height)
    let stride = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
    guard let base = CVPixelBufferGetBaseAddressOfPlane(picture, 0) else {
      throw CommandError(.otherFailure, "The photo's pixels cannot be read.")
    }
    levels = (0..<height).flatMap { row in
      UnsafeRawBufferPointer(start: base + row * stride, count: width)
    }
  }

  /// The root of the mean square difference, in levels.
  func error(against truth: LumaPicture) -> Double {
    var sum = 0
    for index in levels.indices {
      let difference = Int(levels[index]) - Int(truth.levels[index])
      sum += difference * difference
    }
    return (Double(sum) / Double(max(levels.count, 1))).squareRoot()
  }

  /// The steepness of the truth's edges here, beside that there.
  ///
  /// Noise goes both ways, and does not count.
  func edges(beside truth: LumaPicture) -> Double {
    var (here, there) = (0, 0)
    for row in 0..<size.height {
      for index in row * size.width..<((row + 1) * size.width - 1) {
        let step = Int(truth.levels[index + 1]) - Int(truth.levels[index])
        guard abs(step) >= Self.edge else { continue }
        there += abs(step)
        here += (Int(levels[index + 1]) - Int(levels[index])) * step.signum()
      }
    }
    return there == 0 ? 1 : Double(here) / Double(there)
  }
}
