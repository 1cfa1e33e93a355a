internal import AVFCore
internal import Foundation
internal import FoundationExtras
internal import ImageCore

/// What an editor needs of an asset.
///
/// Apple: `PHContentEditingInput`.
open class PHContentEditingInput: NSObject, @unchecked Sendable {  // Safe because it is constant after init.
  /// What the asset is.
  public let mediaType: PHAssetMediaType
  /// What is special about it.
  public let mediaSubtypes: PHAssetMediaSubtype
  /// When it was taken.
  public let creationDate: Date?
  /// Where it was taken.
  public let location: CLLocation?
  /// What the content is.
  public let uniformTypeIdentifier: String?
  /// How it is shown.
  public let playbackStyle: PHAsset.PlaybackStyle
  /// The picture to begin with; `nil` for a film.
  public let fullSizeImageURL: URL?
  /// How its pixels must be turned, as EXIF counts.
  public let fullSizeImageOrientation: Int32
  /// A picture of a size for the screen; `nil` for a film.
  public let displaySizeImage: UIImage?
  /// The film to begin with; `nil` for a picture.
  public let audiovisualAsset: AVAsset?
  /// The photo with its short film, where there is one.
  let livePicture: NSObject?
  /// What was changed earlier, where the editor understands it: the picture is the one before these changes then.
  public let adjustmentData: PHAdjustmentData?

  init(
    _ asset: PHAsset, _ resource: ResourceRow, path: String, orientation: Int, display: UIImage?,
    live: NSObject? = nil, adjustment: PHAdjustmentData?
  ) {
    livePicture = live
    mediaType = asset.mediaType
    mediaSubtypes = asset.mediaSubtypes
    creationDate = asset.creationDate
    location = asset.location
    uniformTypeIdentifier = resource.typeIdentifier
    playbackStyle = asset.playbackStyle
    let url = URL(fileURLWithPath: path)
    fullSizeImageURL = asset.mediaType == .image ? url : nil
    fullSizeImageOrientation = Int32(orientation)
    displaySizeImage = display
    audiovisualAsset = asset.mediaType == .image ? nil : AVURLAsset(url: url)
    adjustmentData = adjustment
  }
}

/// What an editor made.
///
/// Apple: `PHContentEditingOutput`.
open class PHContentEditingOutput: NSObject {
  /// Where the editor writes the changed picture (JPEG or HEIC) or film.
  public let renderedContentURL: URL
  /// What was changed.
  open var adjustmentData: PHAdjustmentData?
  let isVideo: Bool
  private let folder: URL

  private init(isVideo: Bool) {
    self.isVideo = isVideo
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "obscura-edit-\(UUID().uuidString)")
    renderedContentURL = folder.appendingPathComponent(isVideo ? "rendered.mov" : "rendered.jpg")
    // Where the folder cannot be made, writing the file says why.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The output for an input.
  public convenience init(contentEditingInput: PHContentEditingInput) {
    self.init(isVideo: contentEditingInput.mediaType == .video)
  }

  /// The output for an asset that is made in the same block of changes: a picture.
  public convenience init(placeholderForCreatedAsset: PHObjectPlaceholder) {
    self.init(isVideo: false)
  }
}

/// What an editor wants of an asset.
///
/// Apple: `PHContentEditingInputRequestOptions`.
open class PHContentEditingInputRequestOptions: NSObject {
  /// Whether the editor understands changes that were made earlier: it gets them with the picture before them then.
  open var canHandleAdjustmentData: ((PHAdjustmentData) -> Bool)?
  /// Whether missing files may be loaded; all are on this machine.
  open var isNetworkAccessAllowed = false

  /// Options of an editor that begins with the current picture.
  public override init() {}
}
