internal import AVFCore
internal import Foundation
internal import FoundationExtras
internal import ImageCore
internal import Linux

/// The input of an editor: an asset's content, with facts and earlier edits.
///
/// Apple: `PHContentEditingInput`.
open class PHContentEditingInput: NSObject, @unchecked Sendable {  // Safe because it is constant after init.
  /// The asset's kind of media.
  public let mediaType: PHAssetMediaType
  /// The subtypes of the asset's media.
  public let mediaSubtypes: PHAssetMediaSubtype
  /// When it was taken.
  public let creationDate: Date?
  /// The place where it was taken.
  public let location: CLLocation?
  /// The uniform type identifier of the content.
  public let uniformTypeIdentifier: String?
  /// How it is shown.
  public let playbackStyle: PHAsset.PlaybackStyle
  /// The picture to begin with; `nil` for a video.
  public let fullSizeImageURL: URL?
  /// How its pixels must be turned, as EXIF counts.
  public let fullSizeImageOrientation: Int32
  /// A picture of a size for the screen; `nil` for a video.
  public let displaySizeImage: UIImage?
  /// The video to begin with; `nil` for a picture.
  public let audiovisualAsset: AVAsset?
  /// The photo with its short video, where there is one.
  let livePicture: NSObject?
  /// The record of earlier edits, where the editor understands it: the picture is then the one before them.
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

/// The output of an editor: the changed file and the record of the edits.
///
/// Apple: `PHContentEditingOutput`.
open class PHContentEditingOutput: NSObject {
  /// The file to which the editor writes the changed picture (JPEG or HEIC) or video.
  public let renderedContentURL: URL
  /// The record of the edits.
  open var adjustmentData: PHAdjustmentData?
  let isVideo: Bool
  private let folder: URL

  private init(isVideo: Bool) {
    self.isVideo = isVideo
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "obscura-edit-\(UUID().uuidString)")
    renderedContentURL = folder.appendingPathComponent(isVideo ? "rendered.mov" : "rendered.jpg")
    // Where the folder cannot be made, writing the file says why.
    try? Disk.makeFolders(folder.path)
  }

  deinit {
    Disk.removeAll(folder.path)
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

/// The options of a request for an editor's input.
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
