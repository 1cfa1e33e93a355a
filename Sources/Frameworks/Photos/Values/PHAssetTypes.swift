/// What an asset is.
///
/// Apple: `PHAssetMediaType`.
public enum PHAssetMediaType: Int, Sendable {
  /// None of the others.
  case unknown = 0
  /// A photo or another picture.
  case image = 1
  /// A film.
  case video = 2
  /// A recording of audio.
  case audio = 3
}

/// What is special about an asset.
///
/// Apple: `PHAssetMediaSubtype`.
public struct PHAssetMediaSubtype: OptionSet, Hashable, Sendable {
  /// Apple's bits.
  public let rawValue: UInt

  /// The kinds with these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// A wide view.
  public static let photoPanorama = PHAssetMediaSubtype(rawValue: 1 << 0)
  /// A photo of a high dynamic range.
  public static let photoHDR = PHAssetMediaSubtype(rawValue: 1 << 1)
  /// A picture of a screen.
  public static let photoScreenshot = PHAssetMediaSubtype(rawValue: 1 << 2)
  /// A photo with a short film.
  public static let photoLive = PHAssetMediaSubtype(rawValue: 1 << 3)
  /// A photo with a depth map.
  public static let photoDepthEffect = PHAssetMediaSubtype(rawValue: 1 << 4)
  /// A film that is not on this machine as a whole.
  public static let videoStreamed = PHAssetMediaSubtype(rawValue: 1 << 16)
  /// A film of many frames in a second.
  public static let videoHighFrameRate = PHAssetMediaSubtype(rawValue: 1 << 17)
  /// A film that shows a long time in a short one.
  public static let videoTimelapse = PHAssetMediaSubtype(rawValue: 1 << 18)
  /// A film of a screen.
  public static let videoScreenRecording = PHAssetMediaSubtype(rawValue: 1 << 19)
}

/// How a photo of a burst was picked.
///
/// Apple: `PHAssetBurstSelectionType`.
public struct PHAssetBurstSelectionType: OptionSet, Hashable, Sendable {
  /// Apple's bits.
  public let rawValue: UInt

  /// The ways with these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// By the library.
  public static let autoPick = PHAssetBurstSelectionType(rawValue: 1 << 0)
  /// By the user.
  public static let userPick = PHAssetBurstSelectionType(rawValue: 1 << 1)
}

/// Where an asset comes from.
///
/// Apple: `PHAssetSourceType`.
public struct PHAssetSourceType: OptionSet, Hashable, Sendable {
  /// Apple's bits.
  public let rawValue: UInt

  /// The places with these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The user's own library.
  public static let typeUserLibrary = PHAssetSourceType(rawValue: 1 << 0)
  /// A shared album; nothing here comes from one.
  public static let typeCloudShared = PHAssetSourceType(rawValue: 1 << 1)
  /// Another machine; nothing here comes from one.
  public static let typeiTunesSynced = PHAssetSourceType(rawValue: 1 << 2)
}

/// What can be done with an asset.
///
/// Apple: `PHAssetEditOperation`.
public enum PHAssetEditOperation: Int, Sendable {
  /// It can be deleted.
  case delete = 1
  /// Its picture or film can be changed.
  case content = 2
  /// What is known of it can be changed.
  case properties = 3
}

/// What a file of an asset is.
///
/// Apple: `PHAssetResourceType`.
public enum PHAssetResourceType: Int, Sendable {
  /// The photo as it was taken.
  case photo = 1
  /// The film as it was taken.
  case video = 2
  /// The audio as it was recorded.
  case audio = 3
  /// The same photo in another format, such as raw.
  case alternatePhoto = 4
  /// The photo with the user's changes.
  case fullSizePhoto = 5
  /// The film with the user's changes.
  case fullSizeVideo = 6
  /// What the user's changes were.
  case adjustmentData = 7
  /// The photo that changes begin with, when that is not the original.
  case adjustmentBasePhoto = 8
  /// The short film of a photo.
  case pairedVideo = 9
  /// The short film of a photo with the user's changes.
  case fullSizePairedVideo = 10
  /// The short film that changes begin with.
  case adjustmentBasePairedVideo = 11
  /// The film that changes begin with.
  case adjustmentBaseVideo = 12
  /// A photo whose processing is not finished yet.
  case photoProxy = 19
}
