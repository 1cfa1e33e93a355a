internal import Foundation
internal import FoundationExtras
internal import ImageCore

/// A change that is wanted of the library; made inside of a block of changes.
///
/// Apple: `PHChangeRequest`.
open class PHChangeRequest: NSObject {
  override init() {}
}

/// Makes, changes and deletes assets.
///
/// Apple: `PHAssetChangeRequest`.
open class PHAssetChangeRequest: PHChangeRequest {
  let work: AssetWork

  init(_ work: AssetWork) {
    self.work = work
    super.init()
    ChangeBlock.add(work)
  }

  /// A change of an asset.
  @discardableResult
  public convenience init(for asset: PHAsset) {
    self.init(AssetWork(asset))
  }

  // MARK: Making

  /// A new asset of an image, which is kept as JPEG.
  @discardableResult
  open class func creationRequestForAsset(from image: UIImage) -> PHAssetChangeRequest {
    let request = PHAssetChangeRequest(AssetWork(nil))
    // An image without pixels makes the whole change fail, as a resource that is no picture does.
    request.work.resources.append(
      ResourceWork(.photo, .data(image.jpegData(compressionQuality: 0.95) ?? Data()), nil))
    return request
  }

  /// A new asset of a picture file, which is copied; `nil` when the file cannot be read.
  @discardableResult
  open class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> PHAssetChangeRequest? {
    creationRequest(.photo, fileURL)
  }

  /// A new asset of a video, which is copied; `nil` when the file cannot be read.
  @discardableResult
  open class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> PHAssetChangeRequest? {
    creationRequest(.video, fileURL)
  }

  private static func creationRequest(_ type: PHAssetResourceType, _ url: URL) -> PHAssetChangeRequest? {
    guard url.isFileURL, FileCalls.facts(url.path) != nil else { return nil }
    let request = PHAssetChangeRequest(AssetWork(nil))
    request.work.resources.append(ResourceWork(type, .file(url.path), nil))
    return request
  }

  /// Stands for the new asset in the same block of changes; its identifier is the asset's.
  ///
  /// `nil` for a change of a known asset.
  open var placeholderForCreatedAsset: PHObjectPlaceholder? {
    work.asset == nil
      ? PHObjectPlaceholder(key: 0, localIdentifier: LocalIdentifier.asset(work.uuid)) : nil
  }

  // MARK: Deleting

  /// Deletes assets with all their files.
  ///
  /// - Parameter assets: A list, an `NSArray`, or the result of a fetch.
  /// - Note: Unlike AVFoundation's relatives on Apple's platforms, the user is not asked, and deleted assets are gone at
  ///   once instead of after thirty days.
  open class func deleteAssets(_ assets: Any) {
    let uuids = ObjectList.objects(assets).compactMap { LocalIdentifier.uuid($0.localIdentifier) }
    ChangeBlock.add { transaction throws(PHPhotosError) in
      for uuid in uuids {
        // What is gone already needs no deletion.
        if let row = try transaction.asset(uuid) { try transaction.delete(row) }
      }
    }
  }

  // MARK: Changing

  /// When the asset was taken.
  open var creationDate: Date? {
    get { work.creationDate ?? work.asset?.creationDate }
    set { work.creationDate = .some(newValue) }
  }

  /// Where the asset was taken.
  open var location: CLLocation? {
    get { work.location ?? work.asset?.location }
    set { work.location = .some(newValue) }
  }

  /// Whether the asset is a favourite.
  open var isFavorite: Bool {
    get { work.isFavorite ?? work.asset?.isFavorite ?? false }
    set { work.isFavorite = newValue }
  }

  /// Whether the asset is hidden.
  open var isHidden: Bool {
    get { work.isHidden ?? work.asset?.isHidden ?? false }
    set { work.isHidden = newValue }
  }

  /// The changed picture or video that takes the place of the current one; the original stays, and can be had back.
  open var contentEditingOutput: PHContentEditingOutput? {
    didSet {
      work.edit = contentEditingOutput.map { output in
        ContentEdit(
          ResourceWork(
            output.isVideo ? .fullSizeVideo : .fullSizePhoto, .file(output.renderedContentURL.path), nil),
          output.adjustmentData ?? PHAdjustmentData(formatIdentifier: "", formatVersion: "", data: Data()))
      }
    }
  }

  /// Takes all changes of the asset's picture or video back.
  open func revertAssetContentToOriginal() {
    work.reverts = true
  }
}

/// Makes an asset of several resources.
///
/// Apple: `PHAssetCreationRequest`.
open class PHAssetCreationRequest: PHAssetChangeRequest {
  /// A new asset without resources yet.
  @discardableResult
  open class func forAsset() -> PHAssetCreationRequest {
    PHAssetCreationRequest(AssetWork(nil))
  }

  /// Adds a file.
  open func addResource(
    with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
  ) {
    work.resources.append(ResourceWork(type, .file(fileURL.path), options))
  }

  /// Adds bytes.
  ///
  /// - Parameter data: With `.photoProxy`, the file of a photo whose processing was deferred: the library finishes it.
  open func addResource(
    with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?
  ) {
    work.resources.append(ResourceWork(type, .data(data), options))
  }

  /// Whether an asset can be made of resources of these types together: numbers of ``PHAssetResourceType``.
  open class func supportsAssetResourceTypes(_ types: [NSNumber]) -> Bool {
    let types = types.compactMap { PHAssetResourceType(rawValue: $0.intValue) }
    guard Set(types).count == types.count else { return false }
    let primary = types.filter { [.photo, .video, .audio, .photoProxy].contains($0) }
    guard primary.count == 1 else { return false }
    let allowed: Set<PHAssetResourceType> =
      switch primary[0] {
      case .photo, .photoProxy: [primary[0], .pairedVideo, .alternatePhoto]
      default: [primary[0]]
      }
    return types.allSatisfy { allowed.contains($0) }
  }

  /// What names the photos of the asset's burst.
  package var burstIdentifier: String? {
    get { work.burst }
    set { work.burst = newValue }
  }
}

/// The objects in what a client passes as several.
enum ObjectList {
  static func objects(_ list: Any) -> [PHObject] {
    switch list {
    case let list as [PHObject]: list
    case let list as NSArray: list.compactMap { $0 as? PHObject }
    case let result as PHFetchResult<PHAsset>: result.objects(at: IndexSet(integersIn: 0..<result.count))
    case let result as PHFetchResult<PHAssetCollection>:
      result.objects(at: IndexSet(integersIn: 0..<result.count))
    case let result as PHFetchResult<PHCollectionList>:
      result.objects(at: IndexSet(integersIn: 0..<result.count))
    case let result as PHFetchResult<PHCollection>: result.objects(at: IndexSet(integersIn: 0..<result.count))
    case let list as any Sequence: values(list)
    default: []
    }
  }

  private static func values(_ sequence: some Sequence) -> [PHObject] {
    sequence.compactMap { $0 as? PHObject }
  }
}
