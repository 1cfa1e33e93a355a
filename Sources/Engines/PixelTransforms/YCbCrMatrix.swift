public import CoreVideo
internal import FoundationExtras

/// The weights of red, green and blue in luma and chroma.
public enum YCbCrMatrix: Sendable, Hashable, CaseIterable {
  /// ITU-R BT.601: standard definition, and JPEG.
  case bt601
  /// ITU-R BT.709: high definition.
  case bt709
  /// ITU-R BT.2020, non-constant luminance.
  case bt2020

  /// Red's share of luma (BT.601-7 2.5.1, BT.709-6 3.2, BT.2020-2 table 4).
  public var red: Double {
    switch self {
    case .bt601: 0.299
    case .bt709: 0.2126
    case .bt2020: 0.2627
    }
  }

  /// Blue's share of luma.
  public var blue: Double {
    switch self {
    case .bt601: 0.114
    case .bt709: 0.0722
    case .bt2020: 0.0593
    }
  }

  /// The matrix that a picture without the attachment is taken to have: BT.709 from 720 lines or more than
  /// 1024 columns on, else BT.601.
  ///
  /// Broadcast's rule, and what cameras without better knowledge mean.
  public static func assumed(for size: PixelSize) -> YCbCrMatrix {
    max(size.width, size.height) > 1024 || min(size.width, size.height) >= 720 ? .bt709 : .bt601
  }

  /// The matrix in `buffer`'s `kCVImageBufferYCbCrMatrixKey` attachment, or the one assumed for its size.
  public init(of buffer: CVPixelBuffer) {
    if let name = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) as? String,
      let known = YCbCrMatrix(attachment: name)
    {
      self = known
    } else {
      self = .assumed(
        for: PixelSize(width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer)))
    }
  }

  /// The matrix that the attachment value `name` stands for; `nil` for SMPTE 240M and unknown names.
  public init?(attachment name: String) {
    switch name {
    case kCVImageBufferYCbCrMatrix_ITU_R_601_4: self = .bt601
    case kCVImageBufferYCbCrMatrix_ITU_R_709_2: self = .bt709
    case kCVImageBufferYCbCrMatrix_ITU_R_2020: self = .bt2020
    default: return nil
    }
  }

  /// The value of `kCVImageBufferYCbCrMatrixKey` that names this matrix.
  public var attachment: String {
    switch self {
    case .bt601: kCVImageBufferYCbCrMatrix_ITU_R_601_4
    case .bt709: kCVImageBufferYCbCrMatrix_ITU_R_709_2
    case .bt2020: kCVImageBufferYCbCrMatrix_ITU_R_2020
    }
  }
}
