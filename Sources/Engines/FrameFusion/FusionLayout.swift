internal import CoreVideo
internal import FoundationExtras

/// The layout of a pixel format that is fused: luma and chroma apart, eight or ten bits.
struct FusionLayout: Hashable {
  /// Of a sample: 1, or 2 with the bits on top.
  var bytes = 1
  /// Whether two rows share one row of chroma.
  var sharesChromaRows = true
  /// How luma and chroma lie in one plane; `nil` when they have planes of their own.
  var packing: Packing?
  var isFullRange = false

  enum Packing {
    case lumaFirst
    case chromaFirst
  }

  /// The layout of `format`, or `nil` when it is not fused.
  init?(_ format: OSType) {
    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: break
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: isFullRange = true
    case kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: sharesChromaRows = false
    case kCVPixelFormatType_422YpCbCr8BiPlanarFullRange:
      sharesChromaRows = false
      isFullRange = true
    case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: bytes = 2
    case kCVPixelFormatType_420YpCbCr10BiPlanarFullRange:
      bytes = 2
      isFullRange = true
    case kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange:
      bytes = 2
      sharesChromaRows = false
    case kCVPixelFormatType_422YpCbCr10BiPlanarFullRange:
      bytes = 2
      sharesChromaRows = false
      isFullRange = true
    case kCVPixelFormatType_422YpCbCr8_yuvs: packing = .lumaFirst
    case kCVPixelFormatType_422YpCbCr8FullRange:
      packing = .lumaFirst
      isFullRange = true
    case kCVPixelFormatType_422YpCbCr8: packing = .chromaFirst
    default: return nil
    }
    if packing != nil { sharesChromaRows = false }
  }

  /// Rows of chroma in a block of sixteen rows of luma.
  var chromaRows: Int { sharesChromaRows ? 8 : 16 }
}
