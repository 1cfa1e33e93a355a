import CoreVideo
import FoundationExtras
import PixelTransforms

import VideoEffects

/// A picture of one colour, in which a test draws.
struct ReactionPicture {
  let buffer: CVPixelBuffer

  /// Luma, Cb and Cr are the same in all places.
  init(
    width: Int = 320, height: Int = 180, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    luma: UInt8 = 120, chroma: UInt8 = 128, matrix: YCbCrMatrix? = nil
  ) throws {
    buffer = try CVPixelBuffer(format: format, width: width, height: height)
    for (plane, value) in zip(buffer.planes, [luma, chroma]) {
      plane.baseAddress.initializeMemory(
        as: UInt8.self, repeating: value, count: plane.bytesPerRow * plane.height)
    }
    if let matrix {
      CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, matrix.attachment, .shouldPropagate)
    }
  }

  /// The bytes of all pixels, plane after plane.
  var bytes: [UInt8] { plane(0) + plane(1) }

  /// The bytes of the pixels of a plane, row by row.
  func plane(_ index: Int) -> [UInt8] {
    let plane = buffer.planes[index]
    return (0..<plane.height).flatMap { y in
      UnsafeRawBufferPointer(
        start: plane.baseAddress + y * plane.bytesPerRow, count: plane.width * (index + 1))
    }
  }

  /// The bytes beside the pixels.
  var padding: [UInt8] {
    buffer.planes.enumerated().flatMap { index, plane in
      (0..<plane.height).flatMap { y in
        UnsafeRawBufferPointer(
          start: plane.baseAddress + y * plane.bytesPerRow + plane.width * (index + 1),
          count: plane.bytesPerRow - plane.width * (index + 1))
      }
    }
  }

  /// Red, green and blue of a pixel, 0 to 1.
  func color(x: Int, y: Int) throws -> SIMD3<Double> {
    let bgra = try PixelTransformer().apply(
      FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: buffer)
    let pixel = bgra.planes[0].baseAddress + y * bgra.planes[0].bytesPerRow + x * 4
    let bytes = UnsafeRawBufferPointer(start: pixel, count: 4)
    return SIMD3(Double(bytes[2]), Double(bytes[1]), Double(bytes[0])) / 255
  }
}

extension ReactionRenderer {
  /// One for all tests, so that each shape is made once.
  static let shared = ReactionRenderer()
}

extension ReactionScene {
  /// One reaction, so many seconds after it began.
  init(_ kind: ReactionKind, after seconds: Double, seed: UInt64 = 1) {
    self.init(
      reactions: [Reaction(kind: kind, startNanoseconds: 1_000, seed: seed)],
      timeNanoseconds: 1_000 + Int64(seconds * 1e9))
  }
}

extension PersonMask {
  /// A person who fills the columns from `left` to `right`, of 16.
  static func columns(_ columns: Range<Int>) -> PersonMask {
    PersonMask(
      width: 16, height: 9, alpha: (0..<16 * 9).map { columns.contains($0 % 16) ? 255 : 0 })
  }
}
