/// The kind of media that a port, track, or device carries.
///
/// Apple: `AVMediaType`; the raw values are Apple's four-character codes.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// The four-character code, such as `vide`.
  public let rawValue: String

  /// The type whose four-character code is `rawValue`; unknown codes are kept as they are.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The type whose four-character code is `rawValue`.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Pictures.
  public static let video = AVMediaType(rawValue: "vide")
  /// Audio.
  public static let audio = AVMediaType(rawValue: "soun")
  /// Text.
  public static let text = AVMediaType(rawValue: "text")
  /// Captions that are part of a track of pictures.
  public static let closedCaption = AVMediaType(rawValue: "clcp")
  /// Subtitles.
  public static let subtitle = AVMediaType(rawValue: "sbtl")
  /// The times that a camera counted.
  public static let timecode = AVMediaType(rawValue: "tmcd")
  /// Haptic data, which is felt.
  public static let haptic = AVMediaType(rawValue: "hapt")
  /// Pictures beside pictures, such as transparency.
  public static let auxiliaryPicture = AVMediaType(rawValue: "auxv")
  /// Interleaved audio and pictures.
  public static let muxed = AVMediaType(rawValue: "muxx")
  /// Distance per pixel.
  public static let depthData = AVMediaType(rawValue: "dpth")
  /// Timed metadata.
  public static let metadata = AVMediaType(rawValue: "meta")
  /// Things found in pictures, such as codes and faces.
  public static let metadataObject = AVMediaType(rawValue: "mobj")
}
