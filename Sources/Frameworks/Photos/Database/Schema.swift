/// The tables of the catalogue, as they grew.
///
/// Each step leads from one version to the next and is never changed: libraries of every version are out there. The number of
/// the last step that was made is SQLite's `user_version`.
package enum Schema {
  /// The version that this program reads and writes.
  package static var version: Int { steps.count }

  /// Brings a database to the newest version.
  ///
  /// - Throws: ``PHPhotosError`` when it is of a later version than this program knows.
  package static func migrate(_ connection: Connection, to target: Int = steps.count) throws(PHPhotosError) {
    let found = try connection.integer("PRAGMA user_version") ?? 0
    try check(found)
    guard found < target else { return }
    // Another process may do the same: the version is read again once nobody else can write.
    try connection.execute("BEGIN IMMEDIATE")
    do throws(PHPhotosError) {
      for step in (try connection.integer("PRAGMA user_version") ?? 0)..<max(target, found)
      where step < target {
        try connection.execute(steps[step])
        try connection.execute("PRAGMA user_version = \(step + 1)")
      }
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  /// Refuses what a later program has written.
  static func check(_ version: Int) throws(PHPhotosError) {
    guard version > Self.version else { return }
    throw PHPhotosError(
      .internalError,
      because:
        "The photo library was written by a newer program (version \(version), and \(Self.version) is known here); update this one."
    )
  }

  /// The tables whose rows a recovery saves, parents first.
  static let tables = [
    "revision", "asset", "resource", "album", "album_asset", "adjustment", "journal", "change",
  ]

  /// What makes a database of each version one of the next.
  package static let steps = [
    // 1
    """
    CREATE TABLE revision(number INTEGER PRIMARY KEY AUTOINCREMENT, made REAL NOT NULL);
    CREATE TABLE asset(
      id INTEGER PRIMARY KEY AUTOINCREMENT, uuid BLOB NOT NULL UNIQUE, media_type INTEGER NOT NULL,
      media_subtypes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, duration REAL NOT NULL,
      created REAL, modified REAL, added REAL NOT NULL, is_favorite INTEGER NOT NULL, is_hidden INTEGER NOT NULL,
      burst TEXT, burst_types INTEGER NOT NULL, is_burst_key INTEGER NOT NULL,
      latitude REAL, longitude REAL, altitude REAL, accuracy REAL, located REAL,
      marks INTEGER NOT NULL, state INTEGER NOT NULL, inserted INTEGER NOT NULL);
    CREATE INDEX asset_created ON asset(created, id);
    CREATE INDEX asset_inserted ON asset(inserted);
    CREATE INDEX asset_burst ON asset(burst) WHERE burst IS NOT NULL;
    CREATE INDEX asset_favorite ON asset(created) WHERE is_favorite;
    CREATE TABLE resource(
      id INTEGER PRIMARY KEY, asset INTEGER NOT NULL REFERENCES asset(id) ON DELETE CASCADE, type INTEGER NOT NULL,
      uti TEXT NOT NULL, original_name TEXT, path TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL,
      modified INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL);
    CREATE INDEX resource_asset ON resource(asset);
    CREATE TABLE album(
      id INTEGER PRIMARY KEY AUTOINCREMENT, uuid BLOB NOT NULL UNIQUE, is_folder INTEGER NOT NULL, title TEXT NOT NULL,
      parent INTEGER REFERENCES album(id) ON DELETE CASCADE, position REAL NOT NULL, made REAL NOT NULL);
    CREATE INDEX album_parent ON album(parent, position);
    CREATE TABLE album_asset(
      album INTEGER NOT NULL REFERENCES album(id) ON DELETE CASCADE,
      asset INTEGER NOT NULL REFERENCES asset(id) ON DELETE CASCADE,
      position REAL NOT NULL, PRIMARY KEY(album, asset)) WITHOUT ROWID;
    CREATE INDEX album_asset_position ON album_asset(album, position);
    CREATE INDEX album_asset_asset ON album_asset(asset);
    CREATE TABLE adjustment(
      asset INTEGER PRIMARY KEY REFERENCES asset(id) ON DELETE CASCADE, format TEXT NOT NULL, version TEXT NOT NULL,
      data BLOB NOT NULL, made REAL NOT NULL);
    CREATE TABLE journal(
      asset INTEGER PRIMARY KEY REFERENCES asset(id) ON DELETE CASCADE, identifier TEXT NOT NULL, added REAL NOT NULL,
      attempts INTEGER NOT NULL);
    CREATE TABLE pending(id INTEGER PRIMARY KEY, staged TEXT, path TEXT NOT NULL);
    CREATE TABLE change(
      revision INTEGER NOT NULL, entity INTEGER NOT NULL, object INTEGER NOT NULL, uuid BLOB NOT NULL,
      kind INTEGER NOT NULL);
    CREATE INDEX change_revision ON change(revision);
    """,
    // 2: why finishing failed, which frames are not needed any more, and when folders were last read.
    """
    ALTER TABLE journal ADD COLUMN failure TEXT;
    CREATE TABLE discard(identifier TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE folder(path TEXT PRIMARY KEY, modified INTEGER NOT NULL) WITHOUT ROWID;
    """,
  ]
}
