internal import Foundation
internal import FoundationExtras
internal import Linux

/// Makes a library whole again, from its catalogue where that can be read, and from its files.
package struct Recovery: Sendable {
  /// What was done.
  package struct Report: Sendable {
    /// Where the damaged catalogue lies now; `nil` when it was whole.
    package var setAside: String?
    /// How many rows of it could be saved.
    package var savedRows = 0
    package var files = Reconciliation.Report()
    /// Assets without any file, which were forgotten.
    package var forgotten = 0
  }

  private let place: LibraryPlace

  package init(_ place: LibraryPlace) {
    self.place = place
  }

  /// Recovers the library; `forgetsMissing` removes what is known of assets whose files are gone.
  ///
  /// - Returns: The library, and what was done.
  package func run(forgetsMissing: Bool) throws(PHPhotosError) -> (store: LibraryStore, report: Report) {
    var report = Report()
    if isDamaged {
      report.setAside = try setAside()
    }
    let store = try LibraryStore(place)
    if let damaged = report.setAside { report.savedRows = try save(damaged, into: store) }
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
      return answers != ["ok"]
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
  private func save(_ damaged: String, into store: LibraryStore) throws(PHPhotosError) -> Int {
    guard let old = try? Connection(damaged, .readWrite) else { return 0 }
    try? old.execute("PRAGMA writable_schema=ON; PRAGMA cell_size_check=OFF")
    var count = 0
    try store.write { transaction throws(PHPhotosError) in
      transaction.isSilent = true
      transaction.noteOwnChange()
      try transaction.connection.execute("PRAGMA defer_foreign_keys=ON")
      for table in Schema.tables { count += copy(table, old, transaction.connection) }
      // What belongs to a row that is lost cannot stay.
      for table in ["resource", "album_asset", "adjustment", "journal"] {
        try transaction.connection.run("DELETE FROM \(table) WHERE asset NOT IN (SELECT id FROM asset)")
      }
      try transaction.connection.run("DELETE FROM album_asset WHERE album NOT IN (SELECT id FROM album)")
      try transaction.connection.run(
        "UPDATE album SET parent = NULL WHERE parent NOT IN (SELECT id FROM album)")
      try transaction.connection.run("DELETE FROM asset WHERE id NOT IN (SELECT asset FROM resource)")
    }
    return count
  }

  private func copy(_ table: String, _ old: Connection, _ new: Connection) -> Int {
    var count = 0
    // From both ends: a damaged page in the middle stops each.
    for order in ["ASC", "DESC"] {
      let key = table == "album_asset" ? "album, asset" : "rowid"
      guard let rows = try? old.statement("SELECT * FROM \(table) ORDER BY \(key) \(order)") else { continue }
      defer { rows.reset() }
      // An older catalogue has fewer columns.
      let names = rows.columnNames
      let places = Array(repeating: "?", count: names.count).joined(separator: ",")
      let sql = "INSERT OR IGNORE INTO \(table)(\(names.joined(separator: ","))) VALUES(\(places))"
      guard let insert = try? new.statement(sql) else { continue }
      while (try? rows.step()) == true {
        let values = names.indices.map { rows.value(Int32($0)) }
        insert.bind(values)
        if (try? insert.step()) != nil { count += new.changes }
        insert.reset()
      }
    }
    return count
  }

  private func forget(_ store: LibraryStore) throws(PHPhotosError) -> Int {
    try store.write { transaction throws(PHPhotosError) in
      let lost = try transaction.connection.rows(
        "SELECT \(AssetRow.columns) FROM asset WHERE state = \(AssetRow.State.missing.rawValue)"
      ) { AssetRow($0) }
      for asset in lost { try transaction.delete(asset) }
      return lost.count
    }
  }
}
