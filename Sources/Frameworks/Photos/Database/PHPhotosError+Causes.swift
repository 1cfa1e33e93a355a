internal import CSQLite
internal import Foundation
internal import FoundationExtras
package import Linux

extension PHPhotosError {
  /// What failed in SQLite.
  package convenience init(sqlite status: Int32, _ connection: OpaquePointer?) {
    let text = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
    let number = connection.map { sqlite3_system_errno($0) } ?? 0
    switch status & 0xFF {
    case SQLITE_FULL:
      self.init(
        .notEnoughSpace,
        because: "The photo library cannot be changed: the disk is full; free some space and try again.")
    case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(number):
      self.init(
        .notEnoughSpace,
        because: "The photo library cannot be changed: the disk is full; free some space and try again.")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      self.init(
        .accessRestricted,
        because:
          "The photo library cannot be changed: its folder is read-only; choose another with OBSCURA_LIBRARY."
      )
    case SQLITE_CANTOPEN:
      self.init(
        .accessUserDenied,
        because:
          "The photo library cannot be opened: its catalogue is missing or may not be read; check the folder's rights."
      )
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(damage: text)
    // The statements are this program's: it is the tables that are not as they were made.
    case SQLITE_ERROR where Self.tableWords.contains { text.contains($0) }:
      self.init(damage: text)
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .internalError,
        because: "The photo library cannot be changed: another program has held it for too long; try again.")
    default:
      self.init(
        .internalError, because: "The photo library's catalogue failed: \(text) (\(status)); try again.")
    }
  }

  /// What SQLite says of tables that are missing, or not as they should be.
  private static let tableWords = [
    "no such table", "no such column", "has no column", "already exists", "duplicate column", "no such index",
    "malformed",
  ]

  /// The catalogue is not as it should be, and only a recovery helps.
  package convenience init(damage: String) {
    // SQLite may quote the text of a table, of several lines, that a stranger wrote.
    let damage = damage.prefix(160).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    self.init(
      .internalError,
      because:
        "The photo library's catalogue is damaged (\(damage)); 'obscura library recover' makes a new one of what is left.",
      isDamage: true)
  }

  /// Nothing can be kept, for the disk has no room.
  static var diskFull: PHPhotosError { PHPhotosError(sqlite: SQLITE_FULL, nil) }

  private static let damageKey = "obscura.damage"

  private convenience init(_ code: Code, because sentence: String, isDamage: Bool) {
    self.init(code, userInfo: ["NSLocalizedDescription": sentence, Self.damageKey: isDamage])
  }

  /// Whether the database is damaged, so that only a recovery helps.
  package var isDamage: Bool { userInfo[Self.damageKey] as? Bool == true }

  private static let openKey = "obscura.open"

  /// The error of a commit of which it is not known whether the next process finds it.
  var leavingChangeOpen: PHPhotosError {
    PHPhotosError(code, userInfo: userInfo.merging([Self.openKey: true]) { $1 })
  }

  /// Whether it is not known if the change was made.
  var leavesChangeOpen: Bool { userInfo[Self.openKey] as? Bool == true }

  /// What a system call meant to the library.
  package convenience init(_ error: SystemError) {
    let code: Code =
      switch error.reason {
      case .diskFull: .notEnoughSpace
      case .permissionDenied: .accessRestricted
      case .notFound: .missingResource
      default: .operationInterrupted
      }
    self.init(code, because: error.description, underlying: error)
  }

  /// What reading a file meant to the library.
  convenience init(_ error: FileReadError, reading path: String) {
    self.init(
      error.isMissing ? .missingResource : .invalidResource,
      because: "The file \(path) cannot be read: \(error).",
      underlying: error)
  }
}
