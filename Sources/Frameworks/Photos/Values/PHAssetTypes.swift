/// The kind of media of an asset.
///
/// Apple: `PHAssetMediaType`.
public enum PHAssetMediaType: Int, Sendable {
  /// None of the others.
  case unknown = 0
  /// A photo or another picture.
  case image = 1
  /// A video.
  case video = 2
  /// A recording of audio.
  case audio = 3
}

/// The subtypes of an asset's media, such as panorama or screen recording.
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
  /// A photo with a short video.
  public static let photoLive = PHAssetMediaSubtype(rawValue: 1 << 3)
  /// A photo with a depth map.
  public static let photoDepthEffect = PHAssetMediaSubtype(rawValue: 1 << 4)
  /// A video that is not on this machine as a whole.
  public static let videoStreamed = PHAssetMediaSubtype(rawValue: 1 << 16)
  /// A video of many frames in a second.
  public static let videoHighFrameRate = PHAssetMediaSubtype(rawValue: 1 << 17)
  /// A video that shows a long time in a short one.
  public static let videoTimelapse = PHAssetMediaSubtype(rawValue: 1 << 18)
  /// A video of a screen.
  public static let videoScreenRecording = PHAssetMediaSubtype(rawValue: 1 << 19)
  /// A video with a depth of field that can be changed; none here is known to be one.
  public static let videoCinematic = PHAssetMediaSubtype(rawValue: 1 << 21)
  /// A photo or video for two eyes; none here is known to be one.
  public static let spatialMedia = PHAssetMediaSubtype(rawValue: 1 << 10)
}

/// The way in which a photo of a burst was picked.
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

/// The source of an asset: the user's library, a shared album, or another machine.
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

/// An operation on an asset that may be allowed or not.
///
/// Apple: `PHAssetEditOperation`.
public enum PHAssetEditOperation: Int, Sendable {
  /// It can be deleted.
  case delete = 1
  /// Its picture or video can be changed.
  case content = 2
  /// Its properties can be changed.
  case properties = 3
}

/// The type of a file of an asset.
///
/// Apple: `PHAssetResourceType`.
public enum PHAssetResourceType: Int, Sendable {
  /// The photo as it was taken.
  case photo = 1
  /// The video as it was taken.
  case video = 2
  /// The audio as it was recorded.
  case audio = 3
  /// The same photo in another format, such as raw.
  case alternatePhoto = 4
  /// The photo with the user's changes.
  case fullSizePhoto = 5
  /// The video with the user's changes.
  case fullSizeVideo = 6
  /// The record of the user's changes.
  case adjustmentData = 7
  /// The photo that changes begin with, when that is not the original.
  case adjustmentBasePhoto = 8
  /// The short video of a photo.
  case pairedVideo = 9
  /// The short video of a photo with the user's changes.
  case fullSizePairedVideo = 10
  /// The short video that changes begin with.
  case adjustmentBasePairedVideo = 11
  /// The video that changes begin with.
  case adjustmentBaseVideo = 12
  /// A photo whose processing is not finished yet.
  case photoProxy = 19
}

extension PHAssetResourceType {
  /// The type of the file that an asset of that media begins with.
  package init(originalOf mediaType: PHAssetMediaType) {
    self =
      switch mediaType {
      case .video: .video
      case .audio: .audio
      case .image, .unknown: .photo
      }
  }

  /// Whether it is the file without which there is no asset.
  var isOriginal: Bool { [.photo, .video, .audio, .photoProxy].contains(self) }

  /// Whether it belongs to the user's changes, and goes when these are taken back.
  var isOfAdjustment: Bool {
    switch self {
    case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentData, .adjustmentBasePhoto,
      .adjustmentBaseVideo, .adjustmentBasePairedVideo:
      true
    case .photo, .video, .audio, .photoProxy, .alternatePhoto, .pairedVideo: false
    }
  }
}
