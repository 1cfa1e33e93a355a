internal import Foundation
internal import FoundationExtras
package import Linux

/// Makes a library whole again, from its catalogue where that can be read, and from its files.
package struct Recovery: Sendable {
  /// The results of a recovery.
  package struct Report: Sendable {
    /// The path of the damaged catalogue now; `nil` when it was whole.
    package var setAside: String?
    /// How many rows of it could be saved.
    package var savedRows = 0
    /// How many rows of it said one thing in their table and another in their index, of which one is wrong; that of the table
    /// was taken.
    package var doubtfulRows = 0
    package var files = Reconciliation.Report()
    /// Files whose names were not UTF-8, by the names that they have now.
    package var renamed: [String] = []
    /// Assets without any file, which were forgotten.
    package var forgotten = 0
    /// Files outside of the library that the catalogue named, and that were forgotten.
    package var foreign = 0
  }

  private let place: LibraryFolders

  package init(_ place: LibraryFolders) {
    self.place = place
  }

  /// Recovers the library; `forgetsMissing` removes what is known of assets whose files are gone.
  ///
  /// - Returns: The library, and what was done.
  package func run(forgetsMissing: Bool) throws(PHPhotosError) -> (store: LibraryStore, report: Report) {
    var report = Report()
    try place.checkLinks()
    if isDamaged {
      report.setAside = try setAside()
    }
    let store = try LibraryStore(place)
    if let damaged = report.setAside { try save(damaged, into: store, &report) }
    report.foreign = try forgetForeign(store)
    report.renamed = FolderNames(place).repair()
    // Films and photos that were saved with their rows are not taken for new ones.
    report.files = try Reconciliation(store, isFull: true, restSeconds: 0).run()
    if forgetsMissing { report.forgotten = try forget(store) }
    return (store, report)
  }

  private var isDamaged: Bool {
    guard FileCalls.exists(place.database) else { return false }
    do throws(PHPhotosError) {
      let connection = try Connection(place.database, .readWrite)
      let answers = try connection.rows("PRAGMA integrity_check(1)") { $0.text(0) ?? "" }
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      guard answers == ["ok"] else { return true }
      let version = try connection.integer("PRAGMA user_version") ?? 0
      if version > Schema.version { return false }
      try Schema.check(version)
      if version > 0 || FileCalls.facts(place.database).map({ $0.bytes > 0 }) == true {
        try Schema.migrate(connection)
        try Schema.checkTables(connection)
      }
      return false
    } catch {
      return error.isDamage
    }
  }

  private func setAside() throws(PHPhotosError) -> String {
    var number = 1
    while FileCalls.exists("\(place.database).damaged-\(number)") { number += 1 }
    let aside = "\(place.database).damaged-\(number)"
    do throws(SystemError) {
      // The log belongs to it: without it the last commits would be lost.
      for suffix in ["-wal", "-shm", ""] where FileCalls.exists(place.database + suffix) {
        _ = try FileCalls.move(place.database + suffix, to: aside + suffix)
      }
    } catch {
      throw PHPhotosError(error)
    }
    return aside
  }

  /// Copies what can be read, row by row.
  private func save(
    _ damaged: String, into store: LibraryStore, _ report: inout Report
  ) throws(PHPhotosError) {
    if let old = try? Connection(damaged, .readWrite) {
      try? old.execute("PRAGMA writable_schema=ON; PRAGMA cell_size_check=OFF")
      try? Schema.restoreTexts(old)
    }
    // Another connection reads the texts anew.
    guard let old = try? Connection(damaged, .readWrite) else { return }
    try? old.execute("PRAGMA writable_schema=ON; PRAGMA cell_size_check=OFF")
    try store.write { transaction throws(PHPhotosError) in
      transaction.isSilent = true
      transaction.noteOwnChange()
      try transaction.connection.execute("PRAGMA defer_foreign_keys=ON")
      for table in Schema.tables { copy(table, old, transaction.connection, &report) }
      // What belongs to a row that is lost cannot stay.
      for table in ["resource", "album_asset", "adjustment", "journal"] {
        try transaction.connection.run("DELETE FROM \(table) WHERE asset NOT IN (SELECT id FROM asset)")
      }
      try transaction.connection.run("DELETE FROM album_asset WHERE album NOT IN (SELECT id FROM album)")
      try transaction.connection.run(
        "UPDATE album SET parent = NULL WHERE parent NOT IN (SELECT id FROM album)")
      try transaction.connection.run("DELETE FROM asset WHERE id NOT IN (SELECT asset FROM resource)")
    }
  }

  private func copy(_ table: String, _ old: Connection, _ new: Connection, _ report: inout Report) {
    // A view in its place might have no end.
    let isTable = try? old.rows(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql NOT LIKE '%virtual%'",
      [.text(table)]
    ) { $0.integer(0) }
    guard isTable?.isEmpty == false else { return }
    let key = table == "album_asset" ? "album, asset" : "rowid"
    // From both ends: a damaged page in the middle stops each. What an index has of lost rows comes last.
    var sources = ["\(table) ORDER BY \(key) ASC", "\(table) ORDER BY \(key) DESC"]
    if let whole = Schema.whole(table) { sources.append("\(table) INDEXED BY \(whole)") }
    for source in sources {
      guard let rows = try? old.statement("SELECT * FROM \(source)") else { continue }
      defer { rows.reset() }
      // An older catalogue has fewer columns.
      let names = rows.columnNames
      let places = names.indices.map { "?\($0 + 1)" }
      let isThere = zip(names, places).map { "\($0) IS \($1)" }.joined(separator: " AND ")
      let sql =
        "INSERT OR IGNORE INTO \(table)(\(names.joined(separator: ","))) SELECT \(places.joined(separator: ",")) "
        + "WHERE NOT EXISTS (SELECT 1 FROM \(table) WHERE \(isThere))"
      guard let insert = try? new.statement(sql) else { continue }
      while (try? rows.step()) == true {
        let values = names.indices.map { rows.value(Int32($0)) }
        insert.bind(values)
        if (try? insert.step()) != nil { report.savedRows += new.changes }
        insert.reset()
      }
    }
    guard let whole = Schema.whole(table) else { return }
    let doubtful = try? old.integer(
      "SELECT count(*) FROM (SELECT * FROM \(table) INDEXED BY \(whole) EXCEPT SELECT * FROM \(table) NOT INDEXED)"
    )
    report.doubtfulRows += doubtful ?? 0
  }

  /// Forgets files outside of the library, which never belonged to it, and assets that have no other.
  ///
  /// What lies behind a folder that has become a link is missing, and stays known.
  ///
  /// - Returns: How many files that were.
  private func forgetForeign(_ store: LibraryStore) throws(PHPhotosError) -> Int {
    let foreign = try store.read { connection throws(PHPhotosError) in
      try connection.rows("SELECT id, path FROM resource") { ($0.integer(0), $0.text(1) ?? "") }
    }.filter { !LibraryFolders.isInside($0.1) }.map(\.0)
    guard !foreign.isEmpty else { return 0 }
    try store.write { transaction throws(PHPhotosError) in
      for key in foreign {
        try transaction.connection.run("DELETE FROM resource WHERE id = ?", SQLValue(key))
      }
      let empty = try transaction.connection.rows(
        "SELECT \(AssetRow.columns) FROM asset WHERE id NOT IN (SELECT asset FROM resource)"
      ) { AssetRow($0) }
      for asset in empty { try transaction.delete(asset) }
    }
    return foreign.count
  }

  private func forget(_ store: LibraryStore) throws(PHPhotosError) -> Int {
    try store.write { transaction throws(PHPhotosError) in
      let lost = try transaction.connection.rows(
        "SELECT \(AssetRow.columns) FROM asset WHERE state = ?", [SQLValue(AssetRow.State.missing)]
      ) { AssetRow($0) }
      for asset in lost { try transaction.delete(asset) }
      return lost.count
    }
  }
}
