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
    switch matrix {
    case nil: withoutMatrix
    case .rec601: rec601
    case .rec709: rec709
    case .rec2020: rec2020
    }
  }

  // Made once, since each picture of a stream asks for them.
  private static let withoutMatrix = made(nil)
  private static let rec601 = made(kCVImageBufferYCbCrMatrix_ITU_R_601_4)
  private static let rec709 = made(kCVImageBufferYCbCrMatrix_ITU_R_709_2)
  private static let rec2020 = made(kCVImageBufferYCbCrMatrix_ITU_R_2020)

  private static func made(_ matrix: CFString?) -> BufferAttachments {
    var values: CFDictionary = [
      kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_709_2,
      kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_709_2,
    ]
    values[kCVImageBufferYCbCrMatrixKey] = matrix
    return BufferAttachments(propagating: values)
  }
}
