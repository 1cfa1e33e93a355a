internal import Foundation

/// The files of an asset, and which of them is asked for.
struct AssetFiles: Sendable {
  let store: LibraryStore
  let resources: [ResourceRow]

  init(store: LibraryStore, resources: [ResourceRow]) {
    self.store = store
    self.resources = resources
  }

  init(_ asset: PHAsset) throws(PHPhotosError) {
    store = try SharedLibrary.store()
    let key = asset.key
    let uuid = asset.row.uuid
    // By the name: the key of an asset that is gone may be another one's after a recovery.
    resources = try store.read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT \(ResourceRow.columns) FROM resource WHERE asset = (SELECT id FROM asset WHERE id = ? AND uuid = ?) ORDER BY id",
        [SQLValue(key), SQLValue(uuid)]
      ) { ResourceRow($0) }
    }
    guard !resources.isEmpty else {
      throw PHPhotosError(
        .identifierNotFound,
        because: "The asset \(asset.localIdentifier) is not in the library any more; fetch again.")
    }
  }

  /// The picture of a version, or what stands for it until it is finished.
  func picture(_ version: PHImageRequestOptionsVersion) -> ResourceRow? {
    let order: [PHAssetResourceType] =
      switch version {
      case .current: [.fullSizePhoto, .photo, .photoProxy]
      case .unadjusted: [.adjustmentBasePhoto, .photo, .photoProxy]
      case .original: [.photo, .photoProxy]
      }
    return first(order)
  }

  /// The video of a version.
  func film(_ version: PHVideoRequestOptionsVersion) -> ResourceRow? {
    first(version == .current ? [.fullSizeVideo, .video] : [.video])
  }

  func first(_ types: [PHAssetResourceType]) -> ResourceRow? {
    types.lazy.compactMap { type in resources.first { $0.type == type } }.first
  }

  /// The path of a file that is there.
  /// - Throws: ``PHPhotosError``: `missingResource`, or `invalidResource` for one outside of the library.
  func path(_ resource: ResourceRow?) throws(PHPhotosError) -> String {
    guard let resource else {
      throw PHPhotosError(
        .missingResource, because: "The asset has no file of that kind; ask for another version.")
    }
    guard store.place.file(named: resource.path) != nil else {
      throw PHPhotosError(
        .invalidResource,
        because:
          "The photo library names \(resource.path), which is outside of its folder; 'obscura library recover' forgets such files."
      )
    }
    let path = store.path(of: resource)
    guard FileCalls.exists(path) else {
      throw PHPhotosError(
        .missingResource,
        because: "The file \(path) is missing; put it back, or run 'obscura library recover'.")
    }
    return path
  }
}
