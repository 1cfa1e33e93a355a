// Apple's names of keys; the texts are what files hold.

/// Keys that formats share.
extension AVMetadataKey {
  /// The title.
  public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
  /// The creator.
  public static let commonKeyCreator = AVMetadataKey(rawValue: "creator")
  /// The subject.
  public static let commonKeySubject = AVMetadataKey(rawValue: "subject")
  /// The description.
  public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
  /// The publisher.
  public static let commonKeyPublisher = AVMetadataKey(rawValue: "publisher")
  /// A contributor.
  public static let commonKeyContributor = AVMetadataKey(rawValue: "contributor")
  /// When it was made.
  public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
  /// When it was changed last.
  public static let commonKeyLastModifiedDate = AVMetadataKey(rawValue: "lastModifiedDate")
  /// The type.
  public static let commonKeyType = AVMetadataKey(rawValue: "type")
  /// The format.
  public static let commonKeyFormat = AVMetadataKey(rawValue: "format")
  /// An identifier of the publisher's.
  public static let commonKeyIdentifier = AVMetadataKey(rawValue: "identifier")
  /// The source.
  public static let commonKeySource = AVMetadataKey(rawValue: "source")
  /// The language.
  public static let commonKeyLanguage = AVMetadataKey(rawValue: "language")
  /// A relation to other works.
  public static let commonKeyRelation = AVMetadataKey(rawValue: "relation")
  /// The place where it was made, by ISO 6709.
  public static let commonKeyLocation = AVMetadataKey(rawValue: "location")
  /// The copyright.
  public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
  /// The album.
  public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
  /// The author.
  public static let commonKeyAuthor = AVMetadataKey(rawValue: "author")
  /// The artist.
  public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
  /// The picture of its cover.
  public static let commonKeyArtwork = AVMetadataKey(rawValue: "artwork")
  /// The maker of the camera.
  public static let commonKeyMake = AVMetadataKey(rawValue: "make")
  /// Which camera it was.
  public static let commonKeyModel = AVMetadataKey(rawValue: "model")
  /// Which program made it.
  public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
  /// What it shows, for those who do not see it.
  public static let commonKeyAccessibilityDescription = AVMetadataKey(rawValue: "accessibilityDescription")
}

/// Keys of QuickTime's metadata.
extension AVMetadataKey {
  /// The author.
  public static let quickTimeMetadataKeyAuthor = AVMetadataKey(rawValue: "com.apple.quicktime.author")
  /// A comment.
  public static let quickTimeMetadataKeyComment = AVMetadataKey(rawValue: "com.apple.quicktime.comment")
  /// The copyright.
  public static let quickTimeMetadataKeyCopyright = AVMetadataKey(rawValue: "com.apple.quicktime.copyright")
  /// When it was made.
  public static let quickTimeMetadataKeyCreationDate = AVMetadataKey(
    rawValue: "com.apple.quicktime.creationdate")
  /// The director.
  public static let quickTimeMetadataKeyDirector = AVMetadataKey(rawValue: "com.apple.quicktime.director")
  /// The title to show.
  public static let quickTimeMetadataKeyDisplayName = AVMetadataKey(
    rawValue: "com.apple.quicktime.displayname")
  /// Information.
  public static let quickTimeMetadataKeyInformation = AVMetadataKey(
    rawValue: "com.apple.quicktime.information")
  /// Keywords.
  public static let quickTimeMetadataKeyKeywords = AVMetadataKey(rawValue: "com.apple.quicktime.keywords")
  /// The producer.
  public static let quickTimeMetadataKeyProducer = AVMetadataKey(rawValue: "com.apple.quicktime.producer")
  /// The publisher.
  public static let quickTimeMetadataKeyPublisher = AVMetadataKey(rawValue: "com.apple.quicktime.publisher")
  /// The album.
  public static let quickTimeMetadataKeyAlbum = AVMetadataKey(rawValue: "com.apple.quicktime.album")
  /// The artist.
  public static let quickTimeMetadataKeyArtist = AVMetadataKey(rawValue: "com.apple.quicktime.artist")
  /// The picture of its cover.
  public static let quickTimeMetadataKeyArtwork = AVMetadataKey(rawValue: "com.apple.quicktime.artwork")
  /// The description.
  public static let quickTimeMetadataKeyDescription = AVMetadataKey(
    rawValue: "com.apple.quicktime.description")
  /// Which program made it.
  public static let quickTimeMetadataKeySoftware = AVMetadataKey(rawValue: "com.apple.quicktime.software")
  /// The year.
  public static let quickTimeMetadataKeyYear = AVMetadataKey(rawValue: "com.apple.quicktime.year")
  /// The genre.
  public static let quickTimeMetadataKeyGenre = AVMetadataKey(rawValue: "com.apple.quicktime.genre")
  /// The place where it was made, by ISO 6709.
  public static let quickTimeMetadataKeyLocationISO6709 = AVMetadataKey(
    rawValue: "com.apple.quicktime.location.ISO6709")
  /// The place's name.
  public static let quickTimeMetadataKeyLocationName = AVMetadataKey(
    rawValue: "com.apple.quicktime.location.name")
  /// The heavenly body of the place.
  public static let quickTimeMetadataKeyLocationBody = AVMetadataKey(
    rawValue: "com.apple.quicktime.location.body")
  /// A note on the place.
  public static let quickTimeMetadataKeyLocationNote = AVMetadataKey(
    rawValue: "com.apple.quicktime.location.note")
  /// What was done at the place.
  public static let quickTimeMetadataKeyLocationRole = AVMetadataKey(
    rawValue: "com.apple.quicktime.location.role")
  /// When it was at the place.
  public static let quickTimeMetadataKeyLocationDate = AVMetadataKey(
    rawValue: "com.apple.quicktime.location.date")
  /// Which way the camera looked.
  public static let quickTimeMetadataKeyDirectionFacing = AVMetadataKey(
    rawValue: "com.apple.quicktime.direction.facing")
  /// Which way the camera moved.
  public static let quickTimeMetadataKeyDirectionMotion = AVMetadataKey(
    rawValue: "com.apple.quicktime.direction.motion")
  /// The title.
  public static let quickTimeMetadataKeyTitle = AVMetadataKey(rawValue: "com.apple.quicktime.title")
  /// The name that the movie of a Live Photo shares with its photo.
  public static let quickTimeMetadataKeyContentIdentifier = AVMetadataKey(
    rawValue: "com.apple.quicktime.content.identifier")
  /// The maker of the camera.
  public static let quickTimeMetadataKeyMake = AVMetadataKey(rawValue: "com.apple.quicktime.make")
  /// Which camera it was.
  public static let quickTimeMetadataKeyModel = AVMetadataKey(rawValue: "com.apple.quicktime.model")
}
