package import CoreVideo
internal import FoundationExtras

/// The matrix by which a camera's pictures have luma and differences of colour.
package enum PictureMatrix: Int, Sendable, Hashable {
  case rec601 = 601
  case rec709 = 709
  case rec2020 = 2020
}

extension BufferAttachments {
  /// The colours of a camera's pictures, which all cameras here have in sRGB's primaries.
  ///
  /// - Parameter matrix: That of their colours; `nil` for pictures of red, green and blue, or of grey.
  package static func colors(_ matrix: PictureMatrix?) -> BufferAttachments {
    var values: CFDictionary = [
      kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_709_2,
      kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_709_2,
    ]
    if let matrix {
      values[kCVImageBufferYCbCrMatrixKey] =
        switch matrix {
        case .rec601: kCVImageBufferYCbCrMatrix_ITU_R_601_4
        case .rec709: kCVImageBufferYCbCrMatrix_ITU_R_709_2
        case .rec2020: kCVImageBufferYCbCrMatrix_ITU_R_2020
        }
    }
    return BufferAttachments(propagating: values)
  }
}
