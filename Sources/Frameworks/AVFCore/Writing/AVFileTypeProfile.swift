/// The rules that a file's structure keeps beyond those of its type.
///
/// Apple: `AVFileTypeProfile`.
public struct AVFileTypeProfile: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// The profile of that name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Segments for Apple's HTTP Live Streaming.
  ///
  /// Apple: `AVFileTypeProfile.mpeg4AppleHLS`.
  public static let mpeg4AppleHLS = AVFileTypeProfile(rawValue: "MPEG4AppleHLS")
  /// Segments of the Common Media Application Format (ISO/IEC 23000-19): one track.
  ///
  /// Apple: `AVFileTypeProfile.mpeg4CMAFCompliant`.
  public static let mpeg4CMAFCompliant = AVFileTypeProfile(rawValue: "MPEG4CMAFCompliant")
}
