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
}
