internal import Foundation
internal import FoundationExtras

/// An album of assets: one that was made, or one by a rule.
///
/// Apple: `PHAssetCollection`.
open class PHAssetCollection: PHCollection, @unchecked Sendable {  // Safe because it is constant after init.
  private enum Content {
    case album
    case smart(SmartAlbum)
    /// Assets by their keys, in an album that is not kept.
    case transient([Int])
  }

  private let content: Content

  init(_ row: AlbumRow) {
    content = .album
    super.init(
      key: row.key, localIdentifier: LocalIdentifier.album(row.uuid), title: row.title, parent: row.parent)
  }

  init(_ album: SmartAlbum) {
    content = .smart(album)
    super.init(
      key: -album.subtype.rawValue, localIdentifier: LocalIdentifier.album(album.uuid), title: album.title,
      parent: nil)
  }

  init(_ assets: [Int], title: String?) {
    content = .transient(assets)
    super.init(key: -1 << 41, localIdentifier: LocalIdentifier.album(UUID()), title: title, parent: nil)
  }

  /// What it is.
  open var assetCollectionType: PHAssetCollectionType {
    if case .smart = content { .smartAlbum } else { .album }
  }

  /// Which of its type it is.
  open var assetCollectionSubtype: PHAssetCollectionSubtype {
    if case .smart(let album) = content { album.subtype } else { .albumRegular }
  }

  /// How many assets are in it now; `NSNotFound` for a smart album, whose assets must be fetched to be counted.
  open var estimatedAssetCount: Int {
    switch content {
    case .smart: return NSNotFound
    case .transient(let assets): return assets.count
    case .album:
      let count = try? SharedLibrary.store().read { connection throws(PHPhotosError) in
        try connection.integer(
          "SELECT count(*) FROM album_asset JOIN asset ON id = asset WHERE album = ? "
            + "AND \(AssetRow.isPresent) AND NOT is_hidden",
          SQLValue(key))
      }
      return count ?? 0
    }
  }

  /// When the first of its assets was taken; `nil` for a smart album, and when there are none.
  open var startDate: Date? { date("min") }
  /// When the last of its assets was taken; `nil` for a smart album, and when there are none.
  open var endDate: Date? { date("max") }

  private func date(_ which: String) -> Date? {
    guard case .album = content else { return nil }
    let found = try? SharedLibrary.store().read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT \(which)(created) FROM album_asset JOIN asset ON id = asset WHERE album = ? "
          + "AND \(AssetRow.isPresent)",
        [SQLValue(key)]
      ) { $0.date(0) }
    }
    return found?.first ?? nil
  }

  /// The assets in it.
  func assets(_ options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    switch content {
    case .smart(let album):
      return AssetFetch.result(
        options, [album.condition(at: SharedLibrary.time.date)], order: album.order,
        showsHidden: album.showsHidden)
    case .transient(let keys):
      let ranks = keys.enumerated().map { "(\($1),\($0))" }.joined(separator: ",")
      let source =
        "asset JOIN (WITH name(wanted, rank) AS (VALUES \(ranks)) SELECT * FROM name) ON wanted = id"
      return AssetFetch.result(
        options, keys.isEmpty ? ["0"] : [], source: keys.isEmpty ? "asset" : source,
        order: keys.isEmpty ? "id" : "rank", showsBursts: true)
    case .album:
      return AssetFetch.result(
        options, ["m.album = ?"], [SQLValue(key)], source: "asset JOIN album_asset m ON m.asset = asset.id",
        order: "m.position", showsBursts: true)
    }
  }
}

extension PHAssetCollection {
  /// The collections of a type; all subtypes with `.any`.
  ///
  /// A subtype of another type is a programming mistake, and nothing is found.
  public class func fetchAssetCollections(
    with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    let fits = subtype == .any || subtype.type == type
    if !fits {
      ProgrammingMistake.report(
        rule:
          "Asset collections of the type .\(type) have no subtype .\(subtype); pass .any, or one of the subtypes that begin with \(type)."
      )
    }
    return CollectionFetch.result(options) { store in
      guard fits else { return [] }
      switch type {
      case .album:
        return subtype == .any || subtype == .albumRegular
          ? CollectionFetch.albums(store) { !$0.isFolder } : []
      case .smartAlbum:
        return SmartAlbum.all.filter { subtype == .any || $0.subtype == subtype }.map {
          PHAssetCollection($0)
        }
      }
    }
  }

  /// The collections of these names.
  public class func fetchAssetCollections(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    let wanted = identifiers.compactMap { LocalIdentifier.uuid($0) }
    return CollectionFetch.result(options) { store in
      let smart = SmartAlbum.all.filter { wanted.contains($0.uuid) }.map {
        PHAssetCollection($0) as PHCollection
      }
      return CollectionFetch.albums(store) { !$0.isFolder && wanted.contains($0.uuid) } + smart
    }
  }

  /// The collections of a type that an asset is in.
  public class func fetchAssetCollectionsContaining(
    _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    CollectionFetch.result(options) { store in
      guard type == .album else {
        return SmartAlbum.all.map { PHAssetCollection($0) }.filter { $0.assets(nil).contains(asset) }
      }
      let keys = try? store.read { connection throws(PHPhotosError) in
        try connection.rows("SELECT album FROM album_asset WHERE asset = ?", [SQLValue(asset.key)]) {
          $0.integer(0)
        }
      }
      return CollectionFetch.albums(store) { !$0.isFolder && (keys ?? []).contains($0.key) }
    }
  }

  /// An album of these assets that is not kept in the library.
  public class func transientAssetCollection(with assets: [PHAsset], title: String?) -> PHAssetCollection {
    PHAssetCollection(assets.map(\.key), title: title)
  }

  /// An album of what a fetch found that is not kept in the library.
  public class func transientAssetCollection(
    withAssetFetchResult fetchResult: PHFetchResult<PHAsset>, title: String?
  ) -> PHAssetCollection {
    PHAssetCollection(fetchResult.contents.keys, title: title)
  }
}
