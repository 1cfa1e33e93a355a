internal import CSQLite
internal import Foundation
internal import Glibc
internal import Linux

/// A connection to the library's database; used by one thread at a time.
package final class Connection {
  /// The mode in which a database is opened.
  package enum Mode: Sendable {
    /// For changes; it is made where it is missing.
    case readWrite
    /// For reading alone, beside others.
    case readOnly
    /// Nothing is locked, and nothing beside the file is made: for a folder that cannot be written.
    case immutable
    /// For reading, without any other process, and with the log's index in memory: for a disk without room.
    case alone
  }

  let pointer: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// How long other programs are waited for.
  private static let timeoutMilliseconds: Int32 = 20_000

  private static let begun: Int32 = cam_sqlite_begin { kind, path, bytes, count, place in
    guard Disk.isWatched, let path, let kind = DiskCall.Announcement.Kind(rawValue: kind) else { return 0 }
    let call = DiskCall.Announcement(
      kind: kind, path: path, bytes: UnsafeRawBufferPointer(start: bytes, count: Int(count)),
      place: Int(place))
    return Disk.make(.announced(call)) == 0 ? 0 : errno
  }

  /// Opens the database at `path`.
  package init(_ path: String, _ mode: Mode) throws(PHPhotosError) {
    _ = Self.begun
    var pointer: OpaquePointer?
    let flags =
      switch mode {
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      // SQLite locks all others out only for a connection that may write.
      case .alone: SQLITE_OPEN_READWRITE
      case .readOnly, .immutable: SQLITE_OPEN_READONLY
      }
    var name = path
    if mode == .immutable {
      let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#"))
      name = "file:\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)?immutable=1"
    }
    let status = sqlite3_open_v2(
      name, &pointer, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, CAM_SQLITE_DISK)
    guard status == SQLITE_OK, let pointer else {
      let error = PHPhotosError(sqlite: status, pointer)
      sqlite3_close_v2(pointer)
      throw error
    }
    self.pointer = pointer
    sqlite3_busy_timeout(pointer, Self.timeoutMilliseconds)
    sqlite3_extended_result_codes(pointer, 1)
    // Texts of a stranger's schema may not call functions with effects.
    try execute("PRAGMA trusted_schema=OFF")
    if mode == .alone { try execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=ON;") }
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(pointer)
  }

  /// The statement of `sql`, compiled once.
  func statement(_ sql: String) throws(PHPhotosError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(pointer, sql)
    // Predicates make texts without end.
    if statements.count > 64 { statements = [:] }
    statements[sql] = statement
    return statement
  }

  /// Lets changes go into a log beside the database, for this connection and all others.
  ///
  /// Where two programs do that at once, as both make the library, SQLite refuses it to one without waiting.
  func useLog() throws(PHPhotosError) {
    let limit = HangLimit(nanoseconds: Int64(Self.timeoutMilliseconds) * 1_000_000)
    while true {
      let status = sqlite3_exec(pointer, "PRAGMA journal_mode=WAL", nil, nil, nil)
      if status == SQLITE_OK { return }
      guard status & 0xFF == SQLITE_BUSY, !limit.isOver else {
        throw PHPhotosError(sqlite: status, pointer)
      }
      usleep(.random(in: 1_000...10_000))
    }
  }

  /// Runs several statements without values.
  package func execute(_ script: String) throws(PHPhotosError) {
    let status = sqlite3_exec(pointer, script, nil, nil, nil)
    guard status == SQLITE_OK else { throw PHPhotosError(sqlite: status, pointer) }
  }

  /// Runs a statement that answers nothing.
  func run(_ sql: String, _ values: SQLValue...) throws(PHPhotosError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    statement.bind(values)
    while try statement.step() {}
  }

  /// The values that `read` makes of the rows, one of each.
  package func rows<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (Statement) -> Row
  ) throws(PHPhotosError) -> [Row] {
    let statement = try statement(sql)
    defer { statement.reset() }
    statement.bind(values)
    var rows: [Row] = []
    while try statement.step() { rows.append(read(statement)) }
    return rows
  }

  /// The first column of the first row; `nil` without a row.
  package func integer(_ sql: String, _ values: SQLValue...) throws(PHPhotosError) -> Int? {
    try rows(sql, values) { $0.optionalInteger(0) }.first ?? nil
  }

  /// The key of the row that was inserted last.
  var lastKey: Int { Int(sqlite3_last_insert_rowid(pointer)) }
  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes(pointer)) }
}
