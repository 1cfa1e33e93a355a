public import FoundationExtras

extension CMFormatDescription.Extensions.Value {
  /// The order of the fields.
  public struct FieldDetail: RawRepresentable, Sendable, Hashable {
    /// A `kCMFormatDescriptionFieldDetail_…`.
    public var rawValue: CFString

    /// The value with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// The top field is the earlier.
    public static let temporalTopFirst = Self(rawValue: kCMFormatDescriptionFieldDetail_TemporalTopFirst)
    /// The bottom field is the earlier.
    public static let temporalBottomFirst = Self(
      rawValue: kCMFormatDescriptionFieldDetail_TemporalBottomFirst)
    /// The first line is the earlier field's.
    public static let spatialFirstLineEarly = Self(
      rawValue: kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly)
    /// The first line is the later field's.
    public static let spatialFirstLineLate = Self(
      rawValue: kCMFormatDescriptionFieldDetail_SpatialFirstLineLate)
  }

  /// The order of the fields.
  public static func fieldDetail(_ fieldDetail: FieldDetail) -> Self { Self(fieldDetail.rawValue) }

  /// The colour primaries: the meaning of red, green and blue.
  public struct ColorPrimaries: RawRepresentable, Sendable, Hashable {
    /// A `kCMFormatDescriptionColorPrimaries_…`.
    public var rawValue: CFString

    /// The value with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// Of HDTV and sRGB.
    public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionColorPrimaries_ITU_R_709_2)
    /// Of PAL.
    public static let ebu_3213 = Self(rawValue: kCMFormatDescriptionColorPrimaries_EBU_3213)
    /// Of NTSC.
    public static let smpte_C = Self(rawValue: kCMFormatDescriptionColorPrimaries_SMPTE_C)
    /// Of digital cinema.
    public static let dci_P3 = Self(rawValue: kCMFormatDescriptionColorPrimaries_DCI_P3)
    /// Of wide-colour displays.
    public static let p3_D65 = Self(rawValue: kCMFormatDescriptionColorPrimaries_P3_D65)
    /// Of ultra-high definition.
    public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionColorPrimaries_ITU_R_2020)
    /// Of computer tubes.
    public static let p22 = Self(rawValue: kCMFormatDescriptionColorPrimaries_P22)
  }

  /// The colour primaries: the meaning of red, green and blue.
  public static func colorPrimaries(_ colorPrimaries: ColorPrimaries) -> Self {
    Self(colorPrimaries.rawValue)
  }

  /// The transfer function, by which light becomes numbers.
  public struct TransferFunction: RawRepresentable, Sendable, Hashable {
    /// A `kCMFormatDescriptionTransferFunction_…`.
    public var rawValue: CFString

    /// The value with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// Of HDTV.
    public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_709_2)
    /// Of early HDTV.
    public static let smpte_240M_1995 = Self(rawValue: kCMFormatDescriptionTransferFunction_SMPTE_240M_1995)
    /// A power; see the gamma level.
    public static let useGamma = Self(rawValue: kCMFormatDescriptionTransferFunction_UseGamma)
    /// As of HDTV, named for ultra-high definition.
    public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_2020)
    /// Of digital cinema.
    public static let smpte_ST_428_1 = Self(rawValue: kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1)
    /// Perceptual quantizer.
    public static let smpte_ST_2084_PQ = Self(rawValue: kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ)
    /// Hybrid log-gamma.
    public static let itu_R_2100_HLG = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG)
    /// None: numbers are light.
    public static let linear = Self(rawValue: kCMFormatDescriptionTransferFunction_Linear)
    /// Of sRGB.
    public static let sRGB = Self(rawValue: kCMFormatDescriptionTransferFunction_sRGB)
  }

  /// The transfer function, by which light becomes numbers.
  public static func transferFunction(_ transferFunction: TransferFunction) -> Self {
    Self(transferFunction.rawValue)
  }

  /// The matrix by which red, green and blue become luma and chroma.
  public struct YCbCrMatrix: RawRepresentable, Sendable, Hashable {
    /// A `kCMFormatDescriptionYCbCrMatrix_…`.
    public var rawValue: CFString

    /// The value with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// Of HDTV.
    public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2)
    /// Of standard definition, and of JPEG.
    public static let itu_R_601_4 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4)
    /// Of early HDTV.
    public static let smpted_240M_1995 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995)
    /// Of ultra-high definition.
    public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_2020)
  }

  /// The matrix by which red, green and blue become luma and chroma.
  public static func yCbCrMatrix(_ yCbCrMatrix: YCbCrMatrix) -> Self { Self(yCbCrMatrix.rawValue) }

  /// The position of chroma samples relative to luma samples.
  public struct ChromaLocation: RawRepresentable, Sendable, Hashable {
    /// A `kCMFormatDescriptionChromaLocation_…`.
    public var rawValue: CFString

    /// The value with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// At the left luma samples, between rows.
    public static let left = Self(rawValue: kCMFormatDescriptionChromaLocation_Left)
    /// In the middle of four luma samples.
    public static let center = Self(rawValue: kCMFormatDescriptionChromaLocation_Center)
    /// At the top left luma sample.
    public static let topLeft = Self(rawValue: kCMFormatDescriptionChromaLocation_TopLeft)
    /// Between columns, at the top row.
    public static let top = Self(rawValue: kCMFormatDescriptionChromaLocation_Top)
    /// At the bottom left luma sample.
    public static let bottomLeft = Self(rawValue: kCMFormatDescriptionChromaLocation_BottomLeft)
    /// Between columns, at the bottom row.
    public static let bottom = Self(rawValue: kCMFormatDescriptionChromaLocation_Bottom)
    /// At the left, Cr and Cb taking turns.
    public static let dv420 = Self(rawValue: kCMFormatDescriptionChromaLocation_DV420)
  }

  /// The position of chroma samples relative to luma samples.
  public static func chromaLocation(_ chromaLocation: ChromaLocation) -> Self {
    Self(chromaLocation.rawValue)
  }

  /// The vendor of the compressor.
  public struct Vendor: RawRepresentable, Sendable, Hashable {
    /// A `kCMFormatDescriptionVendor_…`.
    public var rawValue: CFString

    /// The value with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// Apple.
    public static let apple = Self(rawValue: kCMFormatDescriptionVendor_Apple)
  }

  /// The vendor of the compressor.
  public static func vendor(_ vendor: Vendor) -> Self { Self(vendor.rawValue) }

  /// The mode of the alpha channel: straight or premultiplied.
  public struct AlphaChannelMode: RawRepresentable, Sendable, Hashable {
    /// A `kCMFormatDescriptionAlphaChannelMode_…`.
    public var rawValue: CFString

    /// The value with this name.
    public init(rawValue: CFString) {
      self.rawValue = rawValue
    }

    /// They are not.
    public static let straightAlpha = Self(rawValue: kCMFormatDescriptionAlphaChannelMode_StraightAlpha)
    /// They are.
    public static let premultipliedAlpha = Self(
      rawValue: kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha)
  }

  /// The mode of the alpha channel: straight or premultiplied.
  public static func alphaChannelMode(_ alphaChannelMode: AlphaChannelMode) -> Self {
    Self(alphaChannelMode.rawValue)
  }

  /// The part of the picture that is meant to be seen.
  ///
  /// - Parameters:
  ///   - horizontalOffet: How far right of the picture's centre the aperture's is; the label is Apple's.
  ///   - verticalOffset: How far below the picture's centre the aperture's is.
  public static func cleanAperture<Width, Height, Horizontal, Vertical>(
    width: Width, height: Height, horizontalOffet: Horizontal, verticalOffset: Vertical
  ) -> Self where Width: Numeric, Height: Numeric, Horizontal: Numeric, Vertical: Numeric {
    let aperture: [String: Any] = [
      kCMFormatDescriptionKey_CleanApertureWidth: width, kCMFormatDescriptionKey_CleanApertureHeight: height,
      kCMFormatDescriptionKey_CleanApertureHorizontalOffset: horizontalOffet,
      kCMFormatDescriptionKey_CleanApertureVerticalOffset: verticalOffset,
    ]
    return Self(aperture)
  }

  /// The shape of the pixels.
  public static func pixelAspectRatio<Horizontal, Vertical>(
    horizontalSpacing: Horizontal, verticalSpacing: Vertical
  ) -> Self where Horizontal: Numeric, Vertical: Numeric {
    let ratio: [String: Any] = [
      kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: horizontalSpacing,
      kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: verticalSpacing,
    ]
    return Self(ratio)
  }
}
