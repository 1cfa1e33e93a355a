/// The compression of pictures, by its four-character code.
///
/// Apple: `AVVideoCodecType`. What an output can really make, it lists itself.
public struct AVVideoCodecType: RawRepresentable, Hashable, Sendable {
  /// The four-character code, such as `hvc1`.
  public let rawValue: String

  /// The codec whose four-character code is `rawValue`; unknown codes are kept as they are.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The codec whose four-character code is `rawValue`.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// HEVC, also called H.265; photos of this codec are HEIC files.
  public static let hevc = AVVideoCodecType(rawValue: "hvc1")
  /// H.264, also called AVC.
  public static let h264 = AVVideoCodecType(rawValue: "avc1")
  /// JPEG.
  public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
  /// H.265 with a second picture for transparency.
  public static let hevcWithAlpha = AVVideoCodecType(rawValue: "muxa")
  /// JPEG XL.
  public static let JPEGXL = AVVideoCodecType(rawValue: "jxlc")
  /// Apple's ProRes of the highest quality, with transparency.
  public static let appleProRes4444XQ = AVVideoCodecType(rawValue: "ap4x")
  /// Apple's ProRes with transparency.
  public static let proRes4444 = AVVideoCodecType(rawValue: "ap4h")
  /// Apple's ProRes for little loss.
  public static let proRes422HQ = AVVideoCodecType(rawValue: "apch")
  /// Apple's ProRes.
  public static let proRes422 = AVVideoCodecType(rawValue: "apcn")
  /// Apple's ProRes for small files.
  public static let proRes422LT = AVVideoCodecType(rawValue: "apcs")
  /// Apple's ProRes for cutting with.
  public static let proRes422Proxy = AVVideoCodecType(rawValue: "apco")
  /// A sensor's values in Apple's ProRes.
  public static let proResRAW = AVVideoCodecType(rawValue: "aprn")
  /// A sensor's values in Apple's ProRes, for little loss.
  public static let proResRAWHQ = AVVideoCodecType(rawValue: "aprh")
}

/// The old spelling of ``AVVideoCodecType/h264``, for settings that are written with strings.
///
/// Apple: `AVVideoCodecH264`.
public let AVVideoCodecH264 = "avc1"

/// The old spelling of ``AVVideoCodecType/jpeg``, for settings that are written with strings.
///
/// Apple: `AVVideoCodecJPEG`.
public let AVVideoCodecJPEG = "jpeg"

/// The codec in a settings dictionary: an ``AVVideoCodecType`` or its raw string.
///
/// Apple: `AVVideoCodecKey`.
public let AVVideoCodecKey = "AVVideoCodecKey"

/// The width in pixels in a settings dictionary: an `Int`.
///
/// Apple: `AVVideoWidthKey`.
public let AVVideoWidthKey = "AVVideoWidthKey"

/// The height in pixels in a settings dictionary: an `Int`.
///
/// Apple: `AVVideoHeightKey`.
public let AVVideoHeightKey = "AVVideoHeightKey"

/// Properties of the encoder in a settings dictionary: a dictionary with keys such as ``AVVideoQualityKey``.
///
/// Apple: `AVVideoCompressionPropertiesKey`.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"

/// The quality of JPEG and HEIC encoding, from 0 (smallest) to 1 (best), inside the compression properties.
///
/// Apple: `AVVideoQualityKey`.
public let AVVideoQualityKey = "Quality"
