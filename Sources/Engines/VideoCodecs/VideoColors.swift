internal import CFFmpeg
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// The colour description of a stream, as texts of `CVImageBuffer` and as numbers of ITU-T H.273.
struct VideoColors: Hashable {
  let primaries: String?
  let transfer: String?
  let matrix: String?
  let isFullRange: Bool

  /// The colours of the settings, or else of the first picture; the matrix of a picture without one follows from its size.
  init(_ settings: VideoEncoderSettings, first: CVPixelBuffer) {
    func attached(_ key: String) -> String? { CVBufferCopyAttachment(first, key, nil) as? String }
    primaries = settings.colorPrimaries ?? attached(kCVImageBufferColorPrimariesKey)
    transfer = settings.transferFunction ?? attached(kCVImageBufferTransferFunctionKey)
    matrix =
      settings.matrix ?? attached(kCVImageBufferYCbCrMatrixKey)
      ?? (settings.size.height >= 720
        ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    isFullRange =
      settings.codec == .jpeg
      || [kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8PlanarFullRange]
        .contains(CVPixelBufferGetPixelFormatType(first))
  }

  var codePoints: cam_colors {
    cam_colors(
      primaries: CVColorPrimariesGetIntegerCodePointForString(primaries),
      transfer: CVTransferFunctionGetIntegerCodePointForString(transfer),
      matrix: CVYCbCrMatrixGetIntegerCodePointForString(matrix), is_full_range: isFullRange)
  }

  /// By `kCMFormatDescriptionExtension_…`.
  var extensions: [String: Any] {
    var values: [String: Any] = [kCMFormatDescriptionExtension_FullRangeVideo: isFullRange]
    values[kCMFormatDescriptionExtension_ColorPrimaries] = primaries
    values[kCMFormatDescriptionExtension_TransferFunction] = transfer
    values[kCMFormatDescriptionExtension_YCbCrMatrix] = matrix
    return values
  }
}
