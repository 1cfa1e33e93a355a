internal import CSQLite
internal import Foundation

/// A compiled statement of one connection; used by one thread at a time.
package final class Statement {
  private let pointer: OpaquePointer
  private let connection: OpaquePointer

  init(_ connection: OpaquePointer, _ sql: String) throws(PHPhotosError) {
    var pointer: OpaquePointer?
    let status = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard status == SQLITE_OK, let pointer else { throw PHPhotosError(sqlite: status, connection) }
    self.pointer = pointer
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(pointer)
  }

  func bind(_ values: [SQLValue]) {
    for (index, value) in values.enumerated() { bind(value, Int32(index + 1)) }
  }

  func bind(_ value: SQLValue, _ index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(pointer, index)
    case .integer(let number): sqlite3_bind_int64(pointer, index, number)
    case .real(let number): sqlite3_bind_double(pointer, index, number)
    case .text(let text): bind(text, index)
    case .bytes(let data):
      _ = data.withUnsafeBytes { bytes in
        // Without an address SQLite binds NULL, and no bytes are not nothing.
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(pointer, index, 0)
          : cam_sqlite_bind_blob(pointer, index, bytes.baseAddress, Int32(bytes.count))
      }
    }
  }

  func bind(_ value: some RawRepresentable<Int>, _ index: Int32) { bind(value.rawValue, index) }
  /// Binds the bits of a set.
  func bind(_ value: some RawRepresentable<UInt>, _ index: Int32) {
    bind(Int(bitPattern: value.rawValue), index)
  }
  func bind(_ number: Int, _ index: Int32) { sqlite3_bind_int64(pointer, index, Int64(number)) }
  func bind(_ number: Double, _ index: Int32) { sqlite3_bind_double(pointer, index, number) }

  func bind(_ text: String, _ index: Int32) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = cam_sqlite_bind_text(pointer, index, characters.baseAddress, Int32(characters.count))
      }
    }
  }

  func bind(_ uuid: UUID, _ index: Int32) {
    withUnsafeBytes(of: uuid.uuid) { _ = cam_sqlite_bind_blob(pointer, index, $0.baseAddress, 16) }
  }

  /// Goes to the next row; false behind the last one.
  func step() throws(PHPhotosError) -> Bool {
    let status = sqlite3_step(pointer)
    switch status {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw PHPhotosError(sqlite: status, connection)
    }
  }

  /// Makes it ready for other values.
  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }

  // MARK: Columns

  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(pointer, column)) }
  /// The bits of a set; none for a number below zero.
  func bits(_ column: Int32) -> UInt { UInt(max(0, integer(column))) }
  func real(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }
  func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }
  func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

  /// A column as text; `nil` for NULL.
  package func text(_ column: Int32) -> String? {
    sqlite3_column_text(pointer, column).map { String(cString: $0) }
  }

  func data(_ column: Int32) -> Data? {
    guard let bytes = sqlite3_column_blob(pointer, column) else { return nil }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(pointer, column)))
  }

  func date(_ column: Int32) -> Date? {
    optionalReal(column).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  func uuid(_ column: Int32) -> UUID? {
    guard let bytes = sqlite3_column_blob(pointer, column), sqlite3_column_bytes(pointer, column) == 16 else {
      return nil
    }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  /// The value whatever it is; for copying rows.
  func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER: .integer(Int64(integer(column)))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .text(text(column) ?? "")
    case SQLITE_BLOB: .bytes(data(column) ?? Data())
    default: .null
    }
  }

  /// The names of the columns.
  var columnNames: [String] {
    (0..<sqlite3_column_count(pointer)).map {
      sqlite3_column_name(pointer, $0).map { String(cString: $0) } ?? ""
    }
  }
}
