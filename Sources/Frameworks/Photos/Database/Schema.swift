internal import Linux

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
    // Another process may do the same: the version is read again once no other can write.
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

  /// Refuses what a later program has written, or none.
  static func check(_ version: Int) throws(PHPhotosError) {
    guard version >= 0 else { throw PHPhotosError(damage: "its version is \(version)") }
    guard version > Self.version else { return }
    throw PHPhotosError(
      .internalError,
      because:
        "The photo library was written by a newer program (version \(version), and \(Self.version) is known here); update this one."
    )
  }

  /// Refuses a catalogue whose tables and indexes are not those that its version has, or that has programs of its own in it.
  ///
  /// A catalogue that is only read may be of an earlier version.
  static func checkTables(_ connection: Connection) throws(PHPhotosError) {
    let version = try connection.integer("PRAGMA user_version") ?? 0
    try check(version)
    let expected = try contents(of: max(version, 1))
    // One text is compared each time; which part differs is looked for only then.
    guard try wholeText(connection) != expected.whole else { return }
    let found = try texts(connection)
    for name in expected.texts.keys.sorted() where found[name] != expected.texts[name] {
      throw PHPhotosError(damage: "\(name) is \(found[name] == nil ? "missing" : "not as it was made")")
    }
    throw PHPhotosError(damage: "it has tables, triggers or views that no program of this library makes")
  }

  /// Tables, indexes, triggers and views that are not SQLite's own, by their names.
  private static let own =
    "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY name"

  /// The text of each of them.
  private static func texts(_ connection: Connection) throws(PHPhotosError) -> [String: String] {
    Dictionary(try connection.rows(own) { ($0.text(0) ?? "", $0.text(1) ?? "") }) { $1 }
  }

  /// The texts of all of them in one.
  private static func wholeText(_ connection: Connection) throws(PHPhotosError) -> String {
    let rows = try connection.rows(
      "SELECT group_concat(name || ' ' || ifnull(sql, ''), char(10)) FROM (\(own))"
    ) { $0.text(0) ?? "" }
    return rows.first ?? ""
  }

  /// The tables, indexes, triggers and views of a catalogue, by their SQL.
  private struct Contents {
    var texts: [String: String]
    var whole: String
  }

  private static let known = Locked<[Int: Contents]>([:])

  /// The contents of a catalogue of a version; made once.
  private static func contents(of version: Int) throws(PHPhotosError) -> Contents {
    if let contents = known.withLock({ $0[version] }) { return contents }
    let connection = try Connection(":memory:", .readWrite)
    try migrate(connection, to: version)
    let contents = Contents(texts: try texts(connection), whole: try wholeText(connection))
    known.withLock { $0[version] = contents }
    return contents
  }

  /// Writes what this program's steps make of tables and indexes over what a damaged catalogue says of them, so that their rows
  /// can be found though its text is spoiled.
  ///
  /// Does nothing with a catalogue that has others. The connection may write the schema.
  static func restoreTexts(_ damaged: Connection) throws(PHPhotosError) {
    let whole = try Connection(":memory:", .readWrite)
    try migrate(whole)
    let list = "SELECT rowid, type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
    let expected = try whole.rows(list) { row in (0..<5).map { row.value(Int32($0)) } }
    let keys = try damaged.rows("SELECT rowid FROM sqlite_schema ORDER BY rowid") { $0.value(0) }
    guard keys == expected.map({ $0[0] }) else { return }
    for row in expected {
      try damaged.run(
        "UPDATE sqlite_schema SET type = ?2, name = ?3, tbl_name = ?4, sql = ?5 WHERE rowid = ?1", row[0],
        row[1],
        row[2], row[3], row[4])
    }
  }

  /// The tables whose rows a recovery saves, parents first.
  static let tables = [
    "revision", "asset", "resource", "album", "album_asset", "adjustment", "journal", "change", "former",
  ]

  /// The index that has all columns of a table, from which a recovery saves rows, too; `nil` for one whose rows lie in an index.
  static func whole(_ table: String) -> String? { table == "album_asset" ? nil : "\(table)_whole" }

  /// The SQL that makes a database of each version one of the next.
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
    // 3: what assets were until a revision, for those who fetched them before it; and all values a second time, in indexes of all
    // columns: SQLite has no checksums, and its check of integrity compares each row with its indexes, so that a spoiled bit is found.
    """
    CREATE TABLE former(
      revision INTEGER NOT NULL, id INTEGER NOT NULL, uuid BLOB NOT NULL, media_type INTEGER NOT NULL,
      media_subtypes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, duration REAL NOT NULL,
      created REAL, modified REAL, added REAL NOT NULL, is_favorite INTEGER NOT NULL, is_hidden INTEGER NOT NULL,
      burst TEXT, burst_types INTEGER NOT NULL, is_burst_key INTEGER NOT NULL,
      latitude REAL, longitude REAL, altitude REAL, accuracy REAL, located REAL,
      marks INTEGER NOT NULL, state INTEGER NOT NULL, inserted INTEGER NOT NULL, UNIQUE(id, revision));
    DROP INDEX asset_inserted;
    DROP INDEX resource_asset;
    DROP INDEX album_parent;
    DROP INDEX change_revision;
    CREATE INDEX revision_whole ON revision(made);
    CREATE INDEX asset_whole ON asset(inserted, uuid, media_type, media_subtypes, width, height, duration, created, modified, added, is_favorite,
      is_hidden, burst, burst_types, is_burst_key, latitude, longitude, altitude, accuracy, located, marks, state);
    CREATE INDEX resource_whole ON resource(
      asset, type, uti, original_name, path, bytes, modified, width, height);
    CREATE INDEX album_whole ON album(parent, position, uuid, is_folder, title, made);
    CREATE INDEX adjustment_whole ON adjustment(format, version, data, made);
    CREATE INDEX journal_whole ON journal(identifier, added, attempts, failure);
    CREATE INDEX pending_whole ON pending(path, staged);
    CREATE INDEX change_whole ON change(revision, entity, object, uuid, kind);
    CREATE INDEX former_whole ON former(revision, id, uuid, media_type, media_subtypes, width, height, duration, created, modified, added, is_favorite,
      is_hidden, burst, burst_types, is_burst_key, latitude, longitude, altitude, accuracy, located, marks, state, inserted);
    CREATE INDEX discard_whole ON discard(identifier);
    CREATE INDEX folder_whole ON folder(modified);
    """,
  ]
}
