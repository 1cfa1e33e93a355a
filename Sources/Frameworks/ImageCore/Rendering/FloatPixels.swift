internal import CoreVideo
internal import Foundation
internal import GraphicsCore

/// Stored floating-point pixels: colours that may exceed white, or the measures of a map, such as metres.
struct FloatPixels: Sendable {
  private let buffer: CVPixelBuffer
  private let isHalf: Bool
  private let components: Int

  /// `nil` for a buffer of whole numbers.
  init?(_ buffer: CVPixelBuffer) {
    switch CVPixelBufferGetPixelFormatType(buffer) {
    case kCVPixelFormatType_DepthFloat16, kCVPixelFormatType_DisparityFloat16,
      kCVPixelFormatType_OneComponent16Half:
      (isHalf, components) = (true, 1)
    case kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DisparityFloat32,
      kCVPixelFormatType_OneComponent32Float:
      (isHalf, components) = (false, 1)
    case kCVPixelFormatType_64RGBAHalf: (isHalf, components) = (true, 4)
    case kCVPixelFormatType_128RGBAFloat: (isHalf, components) = (false, 4)
    default: return nil
    }
    self.buffer = buffer
  }

  /// Whether a pixel is one number, as in a depth map.
  var isMap: Bool { components == 1 }

  /// Reads `width` pixels of each of `rows`, which count from the top, and gives them to `body` with the row's number.
  ///
  /// One number becomes a gray. NaN, which maps have for unknown values, becomes 0.
  func read(
    rows: Range<Int>, from x: Int, _ width: Int, _ body: (Int, UnsafePointer<SIMD4<Float>>) -> Void
  ) {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
    let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
    let pixelBytes = components * (isHalf ? 2 : 4)
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { pixels in
      guard let first = pixels.baseAddress else { return }
      for row in rows {
        let stored = UnsafeRawPointer(base) + row * rowBytes + x * pixelBytes
        for index in 0..<width {
          (first + index).initialize(to: pixel(stored + index * pixelBytes))
        }
        body(row, first)
      }
    }
  }

  private func pixel(_ stored: UnsafeRawPointer) -> SIMD4<Float> {
    func number(_ index: Int) -> Float {
      let value =
        isHalf
        ? Float(half: stored.load(fromByteOffset: 2 * index, as: UInt16.self))
        : stored.load(fromByteOffset: 4 * index, as: Float.self)
      return value.isNaN ? 0 : value
    }
    if components == 4 { return SIMD4(number(0), number(1), number(2), number(3)) }
    let gray = number(0)
    return SIMD4(gray, gray, gray, 1)
  }
}
