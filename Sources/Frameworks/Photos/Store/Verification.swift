internal import Foundation
internal import Linux

/// Finds out whether a library is whole.
package struct Verification: Sendable {
  /// A defect of the library that a verification has found.
  package struct Problem: Sendable, Hashable {
    /// The kind of the defect; for programs.
    package enum Kind: String, Sendable {
      case damagedCatalogue, missingFile, changedFile, unreadableFile, unknownFile, unnamedFile,
        unreadableName, lostFrames, foreignPath
    }
    package var kind: Kind
    /// The file relative to the pictures, or empty.
    package var path: String
    /// One sentence: what is wrong, and what helps.
    package var sentence: String
  }

  /// The results of a verification: counts and defects.
  package struct Report: Sendable {
    package var assets = 0
    package var files = 0
    package var unfinished = 0
    package var problems: [Problem] = []
  }

  private let store: LibraryStore
  private let readsFiles: Bool

  /// - Parameter readsFiles: Whether each file is looked into, too.
  package init(_ store: LibraryStore, readsFiles: Bool) {
    self.store = store
    self.readsFiles = readsFiles
  }

  package func run() throws(PHPhotosError) -> Report {
    var report = Report()
    try checkCatalogue(&report)
    if report.problems.contains(where: { $0.kind == .damagedCatalogue }) { return report }
    let (rows, missing, pending) = try store.read { connection throws(PHPhotosError) in
      report.assets = try connection.integer("SELECT count(*) FROM asset") ?? 0
      report.unfinished = try connection.integer("SELECT count(*) FROM journal") ?? 0
      return (
        try connection.rows("SELECT \(ResourceRow.columns) FROM resource") { ResourceRow($0) },
        Set(
          try connection.rows("SELECT id FROM asset WHERE state = ?", [SQLValue(AssetRow.State.missing)]) {
            $0.integer(0)
          }),
        try PendingFile.all(connection)
      )
    }
    report.files = rows.count
    for row in rows { check(row, isKnownMissing: missing.contains(row.asset), &report) }
    for file in pending where file.staged != nil {
      report.problems.append(
        Problem(
          kind: .unnamedFile, path: file.path,
          sentence: "\(file.path) has not got its name yet; open the library for writing once."))
    }
    findUnknown(Set(rows.map(\.path)), &report)
    return report
  }

  private func checkCatalogue(_ report: inout Report) throws(PHPhotosError) {
    let findings: [String]
    do throws(PHPhotosError) {
      findings = try store.read { connection throws(PHPhotosError) in
        try connection.rows("PRAGMA integrity_check(10)") { $0.text(0) ?? "" }
          + connection.rows("PRAGMA foreign_key_check") { "a row of \($0.text(0) ?? "") belongs to nothing" }
      }.filter { $0 != "ok" }
    } catch  where error.isDamage {
      findings = [error.localizedDescription]
    }
    report.problems += findings.map {
      Problem(
        kind: .damagedCatalogue, path: "",
        sentence:
          "The catalogue is damaged (\($0)); 'obscura library recover' makes a new one of what is left.")
    }
  }

  private func check(_ row: ResourceRow, isKnownMissing: Bool, _ report: inout Report) {
    guard store.place.file(named: row.path) != nil else {
      report.problems.append(
        Problem(
          kind: .foreignPath, path: row.path,
          sentence:
            "\(row.path) is outside of the library's folder and is left alone; 'obscura library recover' forgets it."
        ))
      return
    }
    guard let facts = FileCalls.facts(store.path(of: row)) else {
      let isKnown = isKnownMissing ? "; the catalogue knows that" : ""
      report.problems.append(
        Problem(
          kind: .missingFile, path: row.path,
          sentence: "\(row.path) is missing\(isKnown); put it back, or run 'obscura library recover'."))
      return
    }
    if facts.bytes != row.bytes {
      report.problems.append(
        Problem(
          kind: .changedFile, path: row.path,
          sentence:
            "\(row.path) has \(facts.bytes) bytes, and had \(row.bytes) when it was kept; 'obscura library recover' reads it anew."
        ))
    }
    // A raw file beside a photo is kept even where nothing here reads it: only one that was read has a size.
    let wasRead = row.type != .alternatePhoto || row.width > 0
    if readsFiles, row.type != .adjustmentData, wasRead, MediaFacts.isMedia(named: row.path),
      MediaFacts(path: store.path(of: row)) == nil
    {
      report.problems.append(
        Problem(
          kind: .unreadableFile, path: row.path,
          sentence: "\(row.path) cannot be read as what its name says; it is damaged."))
    }
  }

  private func findUnknown(_ known: Set<String>, _ report: inout Report) {
    report.problems += FolderNames(store.place).findings().map {
      Problem(
        kind: .unreadableName, path: $0.shown,
        sentence:
          "\($0.shown) cannot be named, because its name is not UTF-8; 'obscura library recover' gives it another one."
      )
    }
    guard let files = FileManager.default.enumerator(atPath: store.place.pictures) else { return }
    for case let path as String in files {
      if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
      guard MediaFacts.isMedia(named: path), !known.contains(path),
        FileCalls.facts("\(store.place.pictures)/\(path)") != nil
      else { continue }
      report.problems.append(
        Problem(
          kind: .unknownFile, path: path,
          sentence: "\(path) is not in the catalogue; 'obscura library recover' adds it."))
    }
  }
}
