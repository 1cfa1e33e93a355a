internal import Foundation

/// The changes of the library since objects were fetched.
///
/// Apple: `PHChange`.
open class PHChange: NSObject, @unchecked Sendable {  // Safe because it is constant after init.
  private let store: LibraryStore

  /// The changes in `store` since objects were fetched.
  package init(_ store: LibraryStore) {
    self.store = store
  }

  /// How an object changed since it was fetched; `nil` when it did not.
  open func changeDetails<ObjectType: PHObject>(for object: ObjectType) -> PHObjectChangeDetails<ObjectType>?
  {
    guard object.key != 0 else { return nil }
    switch object {
    case let asset as PHAsset:
      let after = AssetFetch.asset(asset.key, store)
      if let after, after.row == asset.row { return nil }
      let isContent = after.map { ObjectChanges.hasOtherContent(asset.row, $0.row, store) } ?? false
      return PHObjectChangeDetails(
        before: object, after: after as? ObjectType, isContent: isContent, isDeleted: after == nil)
    case let collection as PHCollection:
      let after = CollectionFetch.albums(store) { $0.key == collection.key }.first
      guard collection.key > 0 else { return nil }
      if let after, after.localizedTitle == collection.localizedTitle, after.parent == collection.parent {
        return nil
      }
      return PHObjectChangeDetails(
        before: object, after: after as? ObjectType, isContent: false, isDeleted: after == nil)
    default:
      return nil
    }
  }

  /// How what a fetch found changed since then; `nil` when it did not.
  open func changeDetails<ObjectType: PHObject>(
    for fetchResult: PHFetchResult<ObjectType>
  ) -> PHFetchResultChangeDetails<ObjectType>? {
    let before = fetchResult.contents
    let after = before.again()
    guard after !== before else { return nil }
    let changed = ObjectChanges.keys(ObjectType.self, after: before.revision, upTo: after.revision, store)
    let difference = KeyDifference(before.keys, after.keys, changed: changed)
    guard !difference.isEmpty else { return nil }
    return PHFetchResultChangeDetails(
      before: fetchResult, after: PHFetchResult(after), difference: before.wantsDetails ? difference : nil)
  }
}

/// The change of an object: before and after.
///
/// Apple: `PHObjectChangeDetails`.
public final class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
  // Safe because it is constant after init.

  /// The object as it was fetched.
  public let objectBeforeChanges: ObjectType
  /// The object as it is; `nil` when it is gone.
  public let objectAfterChanges: ObjectType?
  /// Whether its picture or video is another one.
  public let assetContentChanged: Bool
  /// Whether it is gone.
  public let objectWasDeleted: Bool

  init(before: ObjectType, after: ObjectType?, isContent: Bool, isDeleted: Bool) {
    objectBeforeChanges = before
    objectAfterChanges = after
    assetContentChanged = isContent
    objectWasDeleted = isDeleted
  }
}

/// Finds changed objects among the changes that the catalogue has noted.
enum ObjectChanges {
  /// The objects of a type that changed behind one revision, up to another.
  static func keys(
    _ type: PHObject.Type, after: Int, upTo: Int, _ store: LibraryStore
  ) -> Set<Int> {
    guard upTo > after else { return [] }
    let keys = try? store.read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT object FROM change WHERE revision > ? AND revision <= ? AND (entity = ?) = ?",
        [SQLValue(after), SQLValue(upTo), SQLValue(PHObjectType.asset), SQLValue(type is PHAsset.Type)]
      ) { $0.integer(0) }
    }
    return Set(keys ?? [])
  }

  /// Whether an asset has another picture or video than it had.
  static func hasOtherContent(_ before: AssetRow, _ after: AssetRow, _ store: LibraryStore) -> Bool {
    if before.marks.contains(.adjusted) != after.marks.contains(.adjusted) || before.state != after.state {
      return true
    }
    // Noted since the object was last changed as it was known.
    let noted = try? store.read { connection throws(PHPhotosError) in
      try connection.integer(
        "SELECT 1 FROM change c JOIN revision r ON r.number = c.revision "
          + "WHERE c.entity = ? AND c.object = ? AND c.kind = ? AND r.made > ?",
        SQLValue(PHObjectType.asset), SQLValue(after.key), SQLValue(ChangeKind.contentUpdated),
        SQLValue(before.modified ?? before.added))
    }
    return (noted ?? nil) != nil
  }
}
