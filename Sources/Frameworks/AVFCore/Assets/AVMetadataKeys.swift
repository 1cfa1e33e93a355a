/// The key space of a metadata item, which gives its key a meaning.
///
/// Apple: `AVMetadataKeySpace`.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The key space with Apple's text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Keys that several formats share, such as `title`.
  public static let common = AVMetadataKeySpace(rawValue: "comn")
  /// QuickTime's metadata: reversed domain names.
  public static let quickTimeMetadata = AVMetadataKeySpace(rawValue: "mdta")
  /// QuickTime's user data: four characters.
  public static let quickTimeUserData = AVMetadataKeySpace(rawValue: "udta")
  /// ISO user data: four characters.
  public static let isoUserData = AVMetadataKeySpace(rawValue: "uiso")
  /// iTunes' list: four characters.
  public static let iTunes = AVMetadataKeySpace(rawValue: "itsk")
}

/// A format in which a file keeps metadata.
///
/// Apple: `AVMetadataFormat`.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The format with Apple's text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// QuickTime's user data.
  public static let quickTimeUserData = AVMetadataFormat(rawValue: "com.apple.quicktime.udta")
  /// QuickTime's metadata.
  public static let quickTimeMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.mdta")
  /// ISO user data.
  public static let isoUserData = AVMetadataFormat(rawValue: "org.mp4ra")
  /// iTunes' list.
  public static let iTunesMetadata = AVMetadataFormat(rawValue: "com.apple.itunes")
}

/// A key in a key space.
///
/// Apple: `AVMetadataKey`.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The key with Apple's text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A key with its key space: `mdta/com.apple.quicktime.make`.
///
/// Apple: `AVMetadataIdentifier`.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
  /// Key space, slash, and key.
  public let rawValue: String

  /// The identifier with this text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The identifier with this text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The title, in every format.
  public static let commonIdentifierTitle = AVMetadataIdentifier(rawValue: "common/title")
  /// When it was made, in every format.
  public static let commonIdentifierCreationDate = AVMetadataIdentifier(rawValue: "common/creationDate")
  /// The place where it was made, in every format.
  public static let commonIdentifierLocation = AVMetadataIdentifier(rawValue: "common/location")
  /// The maker of the camera, in QuickTime's metadata.
  public static let quickTimeMetadataMake = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.make")
  /// Which camera it was, in QuickTime's metadata.
  public static let quickTimeMetadataModel = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.model")
  /// Which program made it, in QuickTime's metadata.
  public static let quickTimeMetadataSoftware = AVMetadataIdentifier(
    rawValue: "mdta/com.apple.quicktime.software")
  /// When it was made, in QuickTime's metadata.
  public static let quickTimeMetadataCreationDate = AVMetadataIdentifier(
    rawValue: "mdta/com.apple.quicktime.creationdate")
  /// The place where it was made, by ISO 6709, in QuickTime's metadata.
  public static let quickTimeMetadataLocationISO6709 = AVMetadataIdentifier(
    rawValue: "mdta/com.apple.quicktime.location.ISO6709")
  /// The name that the movie of a Live Photo shares with its photo, in QuickTime's metadata.
  public static let quickTimeMetadataContentIdentifier = AVMetadataIdentifier(
    rawValue: "mdta/com.apple.quicktime.content.identifier")
  /// How pictures are turned from a moment on, by EXIF's numbers, in QuickTime's metadata.
  public static let quickTimeMetadataVideoOrientation = AVMetadataIdentifier(
    rawValue: "mdta/com.apple.quicktime.video-orientation")
  /// The title, in QuickTime's metadata.
  public static let quickTimeMetadataTitle = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.title")
  /// The description, in QuickTime's metadata.
  public static let quickTimeMetadataDescription = AVMetadataIdentifier(
    rawValue: "mdta/com.apple.quicktime.description")
}
