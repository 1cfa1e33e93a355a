internal import Foundation
internal import FoundationExtras

/// Makes, changes and deletes albums.
///
/// Apple: `PHAssetCollectionChangeRequest`.
open class PHAssetCollectionChangeRequest: PHChangeRequest {
  private let uuid: UUID
  private let isNew: Bool

  private init(_ uuid: UUID, title: String, isNew: Bool) {
    self.uuid = uuid
    self.title = title
    self.isNew = isNew
    super.init()
  }

  /// A change of an album; `nil` for a smart album and for one that is not kept.
  @discardableResult
  public convenience init?(for assetCollection: PHAssetCollection) {
    guard assetCollection.key > 0, let uuid = LocalIdentifier.uuid(assetCollection.localIdentifier) else {
      return nil
    }
    self.init(uuid, title: assetCollection.localizedTitle ?? "", isNew: false)
  }

  /// A change of an album whose assets the client has fetched; `nil` as for ``init(for:)``.
  @discardableResult
  public convenience init?(for assetCollection: PHAssetCollection, assets: PHFetchResult<PHAsset>) {
    self.init(for: assetCollection)
  }

  /// A new album.
  @discardableResult
  open class func creationRequestForAssetCollection(withTitle title: String) -> PHAssetCollectionChangeRequest
  {
    let request = PHAssetCollectionChangeRequest(UUID(), title: title, isNew: true)
    let uuid = request.uuid
    ChangeBlock.add { transaction throws(PHPhotosError) in
      try transaction.insertAlbum(uuid, title, isFolder: false)
    }
    return request
  }

  /// Deletes albums; no asset in them is deleted.
  ///
  /// - Parameter assetCollections: A list, an `NSArray`, or the result of a fetch.
  open class func deleteAssetCollections(_ assetCollections: Any) {
    let uuids = ObjectList.objects(assetCollections).compactMap { LocalIdentifier.uuid($0.localIdentifier) }
    ChangeBlock.add { transaction throws(PHPhotosError) in
      for uuid in uuids { try transaction.deleteAlbum(uuid) }
    }
  }

  /// Stands for the new album in the same block of changes; its identifier is the album's.
  ///
  /// A change of a known album has none,
  /// and asking for it is a programming mistake.
  open var placeholderForCreatedAssetCollection: PHObjectPlaceholder {
    if !isNew {
      ProgrammingMistake.report(rule: "A change of an album that exists has no placeholder; use the album.")
    }
    return PHObjectPlaceholder(key: 0, localIdentifier: LocalIdentifier.album(uuid))
  }

  /// The title.
  open var title: String {
    didSet {
      let (uuid, title) = (uuid, title)
      ChangeBlock.add { transaction throws(PHPhotosError) in try transaction.rename(uuid, title) }
    }
  }

  private func change(_ change: @escaping (inout [Int], LibraryTransaction) throws(PHPhotosError) -> Void) {
    let uuid = uuid
    ChangeBlock.add { transaction throws(PHPhotosError) in
      try transaction.changeAssets(uuid) { assets throws(PHPhotosError) in try change(&assets, transaction) }
    }
  }

  private static func check(_ indexes: some Sequence<Int>, _ count: Int) throws(PHPhotosError) {
    for index in indexes where index < 0 || index >= count {
      throw PHPhotosError(
        .changeNotSupported, because: "The album has \(count) assets, and none at \(index); fetch them again."
      )
    }
  }

  /// Puts assets behind the others; those that are in the album stay where they are.
  ///
  /// - Parameter assets: A list, an `NSArray`, or the result of a fetch, of assets or placeholders.
  open func addAssets(_ assets: Any) {
    let objects = ObjectList.objects(assets)
    change { list, transaction throws(PHPhotosError) in list += try transaction.keys(objects) }
  }

  /// Puts assets at places, which are those after the change.
  open func insertAssets(_ assets: Any, at indexes: IndexSet) {
    let objects = ObjectList.objects(assets)
    change { list, transaction throws(PHPhotosError) in
      let keys = try transaction.keys(objects)
      list.removeAll { keys.contains($0) }
      try Self.check(indexes, list.count + keys.count)
      for (key, index) in zip(keys, indexes) { list.insert(key, at: min(index, list.count)) }
    }
  }

  /// Takes assets out.
  open func removeAssets(_ assets: Any) {
    let names = Set(ObjectList.objects(assets).map(\.localIdentifier))
    change { list, transaction throws(PHPhotosError) in
      var gone: Set<Int> = []
      for name in names {
        if let uuid = LocalIdentifier.uuid(name), let row = try transaction.asset(uuid) {
          gone.insert(row.key)
        }
      }
      list.removeAll { gone.contains($0) }
    }
  }

  /// Takes the assets at places out.
  open func removeAssets(at indexes: IndexSet) {
    change { list, _ throws(PHPhotosError) in
      try Self.check(indexes, list.count)
      for index in indexes.reversed() { list.remove(at: index) }
    }
  }

  /// Puts assets in place of others.
  open func replaceAssets(at indexes: IndexSet, withAssets assets: Any) {
    let objects = ObjectList.objects(assets)
    change { list, transaction throws(PHPhotosError) in
      try Self.check(indexes, list.count)
      for (index, key) in zip(indexes, try transaction.keys(objects)) { list[index] = key }
    }
  }

  /// Moves the assets at places so that the first comes to `toIndex`.
  open func moveAssets(at fromIndexes: IndexSet, to toIndex: Int) {
    change { list, _ throws(PHPhotosError) in
      try Self.check(fromIndexes, list.count)
      let moved = fromIndexes.map { list[$0] }
      for index in fromIndexes.reversed() { list.remove(at: index) }
      list.insert(contentsOf: moved, at: min(max(0, toIndex), list.count))
    }
  }
}

/// Makes, changes and deletes folders of albums.
///
/// Apple: `PHCollectionListChangeRequest`.
open class PHCollectionListChangeRequest: PHChangeRequest {
  private let uuid: UUID
  private let isNew: Bool

  private init(_ uuid: UUID, title: String, isNew: Bool) {
    self.uuid = uuid
    self.title = title
    self.isNew = isNew
    super.init()
  }

  /// A change of a folder; `nil` for one that is not kept.
  @discardableResult
  public convenience init?(for collectionList: PHCollectionList) {
    guard collectionList.key > 0, let uuid = LocalIdentifier.uuid(collectionList.localIdentifier) else {
      return nil
    }
    self.init(uuid, title: collectionList.localizedTitle ?? "", isNew: false)
  }

  /// A new folder.
  @discardableResult
  open class func creationRequestForCollectionList(withTitle title: String) -> PHCollectionListChangeRequest {
    let request = PHCollectionListChangeRequest(UUID(), title: title, isNew: true)
    let uuid = request.uuid
    ChangeBlock.add { transaction throws(PHPhotosError) in
      try transaction.insertAlbum(uuid, title, isFolder: true)
    }
    return request
  }

  /// Deletes folders with the albums in them; no asset is deleted.
  open class func deleteCollectionLists(_ collectionLists: Any) {
    PHAssetCollectionChangeRequest.deleteAssetCollections(collectionLists)
  }

  /// Stands for the new folder in the same block of changes.
  open var placeholderForCreatedCollectionList: PHObjectPlaceholder {
    if !isNew {
      ProgrammingMistake.report(rule: "A change of a folder that exists has no placeholder; use the folder.")
    }
    return PHObjectPlaceholder(key: 0, localIdentifier: LocalIdentifier.folder(uuid))
  }

  /// The title.
  open var title: String {
    didSet {
      let (uuid, title) = (uuid, title)
      ChangeBlock.add { transaction throws(PHPhotosError) in try transaction.rename(uuid, title) }
    }
  }

  private func change(_ change: @escaping (inout [UUID]) -> Void) {
    let uuid = uuid
    ChangeBlock.add { transaction throws(PHPhotosError) in
      try transaction.changeChildren(uuid) { list throws(PHPhotosError) in change(&list) }
    }
  }

  private static func uuids(_ collections: Any) -> [UUID] {
    ObjectList.objects(collections).compactMap { LocalIdentifier.uuid($0.localIdentifier) }
  }

  /// Puts albums and folders behind the others.
  open func addChildCollections(_ collections: Any) {
    let added = Self.uuids(collections)
    change { list in list += added.filter { !list.contains($0) } }
  }

  /// Puts albums and folders at places.
  open func insertChildCollections(_ collections: Any, at indexes: IndexSet) {
    let added = Self.uuids(collections)
    change { list in
      list.removeAll { added.contains($0) }
      for (child, index) in zip(added, indexes) { list.insert(child, at: min(index, list.count)) }
    }
  }

  /// Takes albums and folders out; they stay in the library.
  open func removeChildCollections(_ collections: Any) {
    let gone = Self.uuids(collections)
    change { list in list.removeAll { gone.contains($0) } }
  }

  /// Takes the albums and folders at places out.
  open func removeChildCollections(at indexes: IndexSet) {
    change { list in
      for index in indexes.reversed() where index < list.count { list.remove(at: index) }
    }
  }

  /// Moves albums and folders so that the first comes to `toIndex`.
  open func moveChildCollections(at indexes: IndexSet, to toIndex: Int) {
    change { list in
      let inside = indexes.filter { $0 < list.count }
      let moved = inside.map { list[$0] }
      for index in inside.reversed() { list.remove(at: index) }
      list.insert(contentsOf: moved, at: min(max(0, toIndex), list.count))
    }
  }
}
