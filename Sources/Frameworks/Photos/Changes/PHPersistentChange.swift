internal import Foundation
internal import FoundationExtras

/// A state of the library that a program can keep, to ask later what has changed since.
///
/// Apple: `PHPersistentChangeToken`.
public final class PHPersistentChangeToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe because it is constant after init.
  let revision: Int

  /// The state after the change of that number.
  package init(_ revision: Int) {
    self.revision = revision
  }

  /// Reads a token from an archive.
  public init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "revision") else { return nil }
    revision = coder.decodeInteger(forKey: "revision")
  }

  /// Writes the token into an archive.
  public func encode(with coder: NSCoder) {
    coder.encode(revision, forKey: "revision")
  }

  /// Archives may be read with classes checked.
  public static var supportsSecureCoding: Bool { true }

  /// The token itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both mean the same state.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? PHPersistentChangeToken)?.revision == revision
  }

  /// Follows ``isEqual(_:)``.
  public override var hash: Int { revision.hashValue }
}

/// The changes since a token, the oldest first.
///
/// Apple: `PHPersistentChangeFetchResult`.
public final class PHPersistentChangeFetchResult: NSObject, Sequence, @unchecked Sendable {
  // Safe because it is constant after init.
  private let changes: [PHPersistentChange]

  init(_ changes: [PHPersistentChange]) {
    self.changes = changes
  }

  /// Calls `block` with each change, and a flag that ends it.
  public func enumerateChanges(_ block: (PHPersistentChange, UnsafeMutablePointer<ObjCBool>) -> Void) {
    var stops = ObjCBool(false)
    for change in changes where !stops.boolValue { block(change, &stops) }
  }

  /// Goes through the changes.
  public func makeIterator() -> IndexingIterator<[PHPersistentChange]> { changes.makeIterator() }
}

/// The changes that one block made, in this program or another.
///
/// Apple: `PHPersistentChange`.
public final class PHPersistentChange: NSObject, @unchecked Sendable {  // Safe: it is constant.
  private let store: LibraryStore
  /// The state of the library after the change.
  public let changeToken: PHPersistentChangeToken

  init(_ store: LibraryStore, _ revision: Int) {
    self.store = store
    changeToken = PHPersistentChangeToken(revision)
  }

  /// Which objects of a kind changed.
  ///
  /// - Throws: ``PHPhotosError``.
  public func changeDetails(for objectType: PHObjectType) throws -> PHPersistentObjectChangeDetails {
    let revision = changeToken.revision
    return try store.read { connection throws(PHPhotosError) in
      var found: [ChangeKind: Set<String>] = [:]
      let name: (UUID) -> String = { uuid in
        switch objectType {
        case .asset: LocalIdentifier.asset(uuid)
        case .assetCollection: LocalIdentifier.album(uuid)
        case .collectionList: LocalIdentifier.folder(uuid)
        }
      }
      if objectType == .asset {
        let inserted = try connection.rows("SELECT uuid FROM asset WHERE inserted = ?", [SQLValue(revision)])
        { $0.uuid(0) }
        found[.inserted] = Set(inserted.compactMap { $0.map(name) })
      }
      let noted = try connection.rows(
        "SELECT uuid, kind FROM change WHERE revision = ? AND entity = ?",
        [SQLValue(revision), SQLValue(objectType)]
      ) { ($0.uuid(0), ChangeKind(rawValue: $0.integer(1)) ?? .updated) }
      for (uuid, kind) in noted {
        guard let uuid else { continue }
        found[kind == .contentUpdated ? .updated : kind, default: []].insert(name(uuid))
      }
      let (inserted, deleted) = (found[.inserted] ?? [], found[.deleted] ?? [])
      return PHPersistentObjectChangeDetails(
        objectType, inserted: inserted.subtracting(deleted),
        updated: (found[.updated] ?? []).subtracting(deleted).subtracting(inserted), deleted: deleted)
    }
  }
}

/// The objects of a kind that a change made, changed and removed.
///
/// Apple: `PHPersistentObjectChangeDetails`.
public final class PHPersistentObjectChangeDetails: NSObject, @unchecked Sendable {
  // Safe because it is constant after init.

  /// The kind.
  public let objectType: PHObjectType
  /// The names of what was made.
  public let insertedLocalIdentifiers: Set<String>
  /// The names of what was changed.
  public let updatedLocalIdentifiers: Set<String>
  /// The names of what was removed.
  public let deletedLocalIdentifiers: Set<String>

  init(_ objectType: PHObjectType, inserted: Set<String>, updated: Set<String>, deleted: Set<String>) {
    self.objectType = objectType
    insertedLocalIdentifiers = inserted
    updatedLocalIdentifiers = updated
    deletedLocalIdentifiers = deleted
  }
}

extension PHPhotoLibrary {
  /// The state of the library now.
  public var currentChangeToken: PHPersistentChangeToken {
    PHPersistentChangeToken((try? store().revision()) ?? 0)
  }

  /// The changes since a token.
  ///
  /// - Throws: ``PHPhotosError``: `persistentChangeTokenExpired` for a token of another library, of one that was made anew, or
  ///   from so long ago that it is not known any more what has changed.
  public func fetchPersistentChanges(
    since token: PHPersistentChangeToken
  ) throws -> PHPersistentChangeFetchResult {
    let store = try store()
    guard token.revision <= (try store.revision()) else {
      throw PHPhotosError(
        .persistentChangeTokenExpired,
        because:
          "The changes since that token are not known, because the library is another one; fetch everything anew."
      )
    }
    guard try store.knowsChanges(since: token.revision) else {
      throw PHPhotosError(
        .persistentChangeTokenExpired,
        because: "The token is so old that it is not known any more what has changed; fetch everything anew.")
    }
    return PHPersistentChangeFetchResult(
      try store.changes(since: token.revision).map { PHPersistentChange(store, $0) })
  }
}
