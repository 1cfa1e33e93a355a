internal import CoreVideo
internal import PixelTransforms

/// The matrix and range in which sprites are stored, those of the picture that they are drawn into.
struct SpriteEncoding: Hashable, Sendable {
  let matrix: YCbCrMatrix
  let isFullRange: Bool

  /// The encoding of a picture of 8 bits in two planes; `nil` for another format.
  init?(of buffer: CVPixelBuffer) {
    switch CVPixelBufferGetPixelFormatType(buffer) {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: isFullRange = false
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: isFullRange = true
    default: return nil
    }
    matrix = YCbCrMatrix(of: buffer)
  }

  /// The luma of black, and the levels from there to white (BT.601-7 2.5.3; JFIF for full range).
  var black: Float { isFullRange ? 0 : 16 }
  var lumaSpan: Float { isFullRange ? 255 : 219 }
  /// The levels between the extremes of chroma.
  var chromaSpan: Float { isFullRange ? 255 : 224 }
  /// The luma of white.
  var white: Float { black + lumaSpan }

  /// Luma above black and the two chromas from their middle, in levels: zero for black.
  func levels(_ color: SIMD3<Float>) -> SIMD3<Float> {
    let (red, blue) = (Float(matrix.red), Float(matrix.blue))
    let luma = red * color.x + (1 - red - blue) * color.y + blue * color.z
    return SIMD3(
      luma * lumaSpan, (color.z - luma) / (2 * (1 - blue)) * chromaSpan,
      (color.x - luma) / (2 * (1 - red)) * chromaSpan)
  }
}
