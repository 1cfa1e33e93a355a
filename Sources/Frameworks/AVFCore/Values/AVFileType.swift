/// A file format, by its uniform type identifier.
///
/// Apple: `AVFileType`. The formats here are those that this library writes or recommends settings
/// for; ``rawValue`` may name others.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The uniform type identifier, such as `public.jpeg`.
  public let rawValue: String

  /// The format with the uniform type identifier `rawValue`; unknown identifiers are kept as they are.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The format with the uniform type identifier `rawValue`.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// JPEG in a JFIF or EXIF file: `.jpg`, `.jpeg`.
  public static let jpg = AVFileType(rawValue: "public.jpeg")
  /// HEVC pictures in a HEIF file: `.heic`.
  public static let heic = AVFileType(rawValue: "public.heic")
  /// Pictures of any codec in a HEIF file: `.heif`.
  public static let heif = AVFileType(rawValue: "public.heif")
  /// QuickTime movies: `.mov`, `.qt`.
  public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
  /// MPEG-4 movies: `.mp4`.
  public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
  /// MPEG-4 movies as Apple's players like them: `.m4v`.
  public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
  /// MPEG-4 files of audio: `.m4a`.
  public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
  /// Uncompressed audio: `.wav`.
  public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
  /// A TIFF picture.
  public static let tif = AVFileType(rawValue: "public.tiff")
  /// A camera's raw picture in Adobe's format.
  public static let dng = AVFileType(rawValue: "com.adobe.raw-image")
  /// A picture coded with H.264.
  public static let avci = AVFileType(rawValue: "public.avci")
  /// A movie for telephones.
  public static let mobile3GPP = AVFileType(rawValue: "public.3gpp")
  /// A movie for telephones of the CDMA family.
  public static let mobile3GPP2 = AVFileType(rawValue: "public.3gpp2")
  /// Audio in Apple's own container.
  public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
  /// Uncompressed audio in Apple's older container.
  public static let aiff = AVFileType(rawValue: "public.aiff-audio")
  /// Audio in Apple's older container, compressed or not.
  public static let aifc = AVFileType(rawValue: "public.aifc-audio")
  /// Audio in Sun's and NeXT's container.
  public static let au = AVFileType(rawValue: "public.au-audio")
  /// Speech for telephones.
  public static let amr = AVFileType(rawValue: "org.3gpp.adaptive-multi-rate-audio")
  /// Audio of the third layer of MPEG.
  public static let mp3 = AVFileType(rawValue: "public.mp3")
  /// Dolby's audio.
  public static let ac3 = AVFileType(rawValue: "public.ac3-audio")
  /// Dolby's newer audio.
  public static let eac3 = AVFileType(rawValue: "public.enhanced-ac3-audio")
  /// Apple's timed text of the iTunes shop.
  public static let appleiTT = AVFileType(rawValue: "com.apple.itunes-timed-text")
  /// Closed captions in Scenarist's text.
  public static let SCC = AVFileType(rawValue: "com.scenarist.closed-caption")
  /// Haptics and audio of Apple's.
  public static let AHAP = AVFileType(rawValue: "com.apple.haptics.ahap")
}
