internal import Foundation

/// An album, or a folder of albums.
///
/// Apple: `PHCollection`.
open class PHCollection: PHObject, @unchecked Sendable {  // Safe because it is constant after init.
  /// The title.
  public let localizedTitle: String?
  /// The folder that it is in, and its key; `nil` at the top.
  let parent: Int?

  init(key: Int, localIdentifier: String, title: String?, parent: Int?) {
    localizedTitle = title
    self.parent = parent
    super.init(key: key, localIdentifier: localIdentifier)
  }

  /// Whether assets can be in it.
  open var canContainAssets: Bool { self is PHAssetCollection }
  /// Whether collections can be in it.
  open var canContainCollections: Bool { self is PHCollectionList }

  /// Whether something can be done with it.
  open func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool {
    guard key > 0, let store = try? SharedLibrary.store(), store.isWritable else {
      // What is in a smart album or a list of the moment can still be deleted from the library.
      return anOperation == .deleteContent && canContainAssets
        && (try? SharedLibrary.store())?.isWritable == true
    }
    return anOperation != .createContent || canContainCollections
  }

  /// The collections in a folder, as they lie there.
  public class func fetchCollections(
    in collectionList: PHCollectionList, options: PHFetchOptions?
  ) -> PHFetchResult<PHCollection> {
    CollectionFetch.result(options) { store in
      collectionList.children ?? CollectionFetch.albums(store) { $0.parent == collectionList.key }
    }
  }

  /// The user's albums and folders that are in no folder.
  public class func fetchTopLevelUserCollections(with options: PHFetchOptions?) -> PHFetchResult<PHCollection>
  {
    CollectionFetch.result(options) { store in CollectionFetch.albums(store) { $0.parent == nil } }
  }
}

/// A folder of albums.
///
/// Apple: `PHCollectionList`.
open class PHCollectionList: PHCollection, @unchecked Sendable {  // Safe because it is constant after init.
  /// What is in a list that is not kept.
  let children: [PHCollection]?

  init(_ row: AlbumRow) {
    children = nil
    super.init(
      key: row.key, localIdentifier: LocalIdentifier.folder(row.uuid), title: row.title, parent: row.parent)
  }

  init(_ children: [PHCollection], title: String?) {
    self.children = children
    super.init(key: -1 << 40, localIdentifier: LocalIdentifier.folder(UUID()), title: title, parent: nil)
  }

  /// What it is.
  open var collectionListType: PHCollectionListType { .folder }
  /// Which of its type it is.
  open var collectionListSubtype: PHCollectionListSubtype { .regularFolder }

  /// The lists of a type.
  public class func fetchCollectionLists(
    with collectionListType: PHCollectionListType, subtype: PHCollectionListSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHCollectionList> {
    CollectionFetch.result(options) { store in
      guard collectionListType == .folder, subtype == .any || subtype == .regularFolder else { return [] }
      return CollectionFetch.albums(store) { $0.isFolder }
    }
  }

  /// The lists of these names.
  public class func fetchCollectionLists(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHCollectionList> {
    let wanted = Set(identifiers.compactMap { LocalIdentifier.uuid($0) })
    return CollectionFetch.result(options) { store in
      CollectionFetch.albums(store) { $0.isFolder && wanted.contains($0.uuid) }
    }
  }

  /// The list that a collection is in.
  public class func fetchCollectionListsContaining(
    _ collection: PHCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHCollectionList> {
    CollectionFetch.result(options) { store in
      let parent = CollectionFetch.albums(store) { $0.key == collection.key }.first?.parent
      return CollectionFetch.albums(store) { $0.key == parent }
    }
  }

  /// A list of collections that is not kept in the library.
  public class func transientCollectionList(
    with collections: [PHCollection], title: String?
  ) -> PHCollectionList {
    PHCollectionList(collections, title: title)
  }
}
