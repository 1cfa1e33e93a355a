// Identifiers that several formats share.

extension AVMetadataIdentifier {
  /// Its maker, in every format.
  public static let commonIdentifierCreator = AVMetadataIdentifier(rawValue: "common/creator")
  /// The subject, in every format.
  public static let commonIdentifierSubject = AVMetadataIdentifier(rawValue: "common/subject")
  /// The description, in every format.
  public static let commonIdentifierDescription = AVMetadataIdentifier(rawValue: "common/description")
  /// The publisher, in every format.
  public static let commonIdentifierPublisher = AVMetadataIdentifier(rawValue: "common/publisher")
  /// A contributor, in every format.
  public static let commonIdentifierContributor = AVMetadataIdentifier(rawValue: "common/contributor")
  /// When it was changed last, in every format.
  public static let commonIdentifierLastModifiedDate = AVMetadataIdentifier(
    rawValue: "common/lastModifiedDate")
  /// The type of the content, in every format.
  public static let commonIdentifierType = AVMetadataIdentifier(rawValue: "common/type")
  /// The format of the content, in every format.
  public static let commonIdentifierFormat = AVMetadataIdentifier(rawValue: "common/format")
  /// Where it comes from, in every format.
  public static let commonIdentifierSource = AVMetadataIdentifier(rawValue: "common/source")
  /// The language, in every format.
  public static let commonIdentifierLanguage = AVMetadataIdentifier(rawValue: "common/language")
  /// A relation to other works, in every format.
  public static let commonIdentifierRelation = AVMetadataIdentifier(rawValue: "common/relation")
  /// The copyright, in every format.
  public static let commonIdentifierCopyrights = AVMetadataIdentifier(rawValue: "common/copyrights")
  /// The album, in every format.
  public static let commonIdentifierAlbumName = AVMetadataIdentifier(rawValue: "common/albumName")
  /// The author, in every format.
  public static let commonIdentifierAuthor = AVMetadataIdentifier(rawValue: "common/author")
  /// The artist, in every format.
  public static let commonIdentifierArtist = AVMetadataIdentifier(rawValue: "common/artist")
  /// The picture of its cover, in every format.
  public static let commonIdentifierArtwork = AVMetadataIdentifier(rawValue: "common/artwork")
  /// The maker of the camera, in every format.
  public static let commonIdentifierMake = AVMetadataIdentifier(rawValue: "common/make")
  /// Which camera it was, in every format.
  public static let commonIdentifierModel = AVMetadataIdentifier(rawValue: "common/model")
  /// Which program made it, in every format.
  public static let commonIdentifierSoftware = AVMetadataIdentifier(rawValue: "common/software")
  /// What it shows, for those who do not see it, in every format.
  public static let commonIdentifierAccessibilityDescription = AVMetadataIdentifier(
    rawValue: "common/accessibilityDescription")
  /// The identifier that a file was given to be found by, in every format.
  public static let commonIdentifierAssetIdentifier = AVMetadataIdentifier(rawValue: "common/identifier")
}
