internal import Foundation

/// A file of an asset.
///
/// Apple: `PHAssetResource`.
open class PHAssetResource: NSObject, @unchecked Sendable {  // Safe because it is constant after init.
  let row: ResourceRow
  let store: LibraryStore
  /// The record of edits to the content, which the catalogue keeps; `nil` for a file.
  let adjustment: Data?
  /// The name of the asset.
  public let assetLocalIdentifier: String

  init(_ row: ResourceRow, _ store: LibraryStore, _ asset: String, adjustment: Data? = nil) {
    self.row = row
    self.store = store
    self.adjustment = adjustment
    assetLocalIdentifier = asset
  }

  /// The type of the file.
  open var type: PHAssetResourceType { row.type }
  /// The name that it had outside, or has in the library.
  open var originalFilename: String { row.originalName ?? (row.path as NSString).lastPathComponent }
  /// The uniform type identifier of its content.
  open var uniformTypeIdentifier: String { row.typeIdentifier }
  /// Pixels along x, as shown; 0 for audio.
  open var pixelWidth: Int { row.width }
  /// Pixels along y, as shown; 0 for audio.
  open var pixelHeight: Int { row.height }

  /// The files of an asset, the original first; none when the asset is gone.
  public class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
    guard let files = try? AssetFiles(asset) else { return [] }
    var found = files.resources.map { PHAssetResource($0, files.store, asset.localIdentifier) }
    if let adjustment = ContentEditing.adjustment(of: asset, files.store) {
      var row = ResourceRow()
      row.asset = asset.key
      row.type = .adjustmentData
      row.typeIdentifier = "public.data"
      row.originalName = "Adjustments"
      row.bytes = adjustment.data.count
      found.append(PHAssetResource(row, files.store, asset.localIdentifier, adjustment: adjustment.data))
    }
    return found
  }
}

/// A number that names a request for a file, to cancel it.
///
/// Apple: `PHAssetResourceDataRequestID`.
public typealias PHAssetResourceDataRequestID = Int32
/// The number of no request.
public let PHInvalidAssetResourceDataRequestID: PHAssetResourceDataRequestID = 0

/// Called with how much of a file has been read, from 0 to 1.
///
/// Apple: `PHAssetResourceProgressHandler`.
public typealias PHAssetResourceProgressHandler = @Sendable (Double) -> Void

/// The options of a request for a file.
///
/// Apple: `PHAssetResourceRequestOptions`.
open class PHAssetResourceRequestOptions: NSObject, NSCopying {
  /// Whether missing files may be loaded; all are on this machine.
  open var isNetworkAccessAllowed = false
  /// Called while the file is read.
  open var progressHandler: PHAssetResourceProgressHandler?

  /// Options without a handler.
  public override init() {}

  /// Options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHAssetResourceRequestOptions()
    copy.isNetworkAccessAllowed = isNetworkAccessAllowed
    copy.progressHandler = progressHandler
    return copy
  }
}
