internal import Foundation

extension LibraryStore {
  /// How long it is known what has changed.
  package static let historySeconds = 90.0 * 24 * 3600
  /// How many changes are known however old they are.
  package static let historyCount = 1000

  /// Forgets which objects changed long ago, and what they were; tokens from before then have expired.
  ///
  /// The newest `count` changes are kept, and those since `date`, or of the last ``historySeconds``.
  package func pruneHistory(
    before date: Date? = nil, keeping count: Int = historyCount
  ) throws(PHPhotosError) {
    guard isWritable else { return }
    let date = date ?? time.date.addingTimeInterval(-Self.historySeconds)
    let last = try read { connection throws(PHPhotosError) in
      try connection.integer(
        "SELECT max(number) FROM revision WHERE made < ?1 AND number <= (SELECT max(number) FROM revision) - ?2",
        SQLValue(date), SQLValue(count))
    }
    guard let last else { return }
    try write { transaction throws(PHPhotosError) in
      transaction.isSilent = true
      try transaction.connection.run("DELETE FROM change WHERE revision <= ?", SQLValue(last))
      try transaction.connection.run("DELETE FROM former WHERE revision <= ?", SQLValue(last))
      try transaction.connection.run("DELETE FROM revision WHERE number <= ?", SQLValue(last))
      transaction.noteOwnChange()
    }
  }

  /// The revisions after `revision` that changed an asset, an album or a folder, the oldest first.
  func changes(since revision: Int) throws(PHPhotosError) -> [Int] {
    try read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT number FROM revision r WHERE number > ? AND (EXISTS (SELECT 1 FROM change WHERE revision = number) "
          + "OR EXISTS (SELECT 1 FROM asset WHERE inserted = number)) ORDER BY number",
        [SQLValue(revision)]
      ) { $0.integer(0) }
    }
  }

  /// Whether all that changed since a revision is known.
  func knowsChanges(since revision: Int) throws(PHPhotosError) -> Bool {
    try read { connection throws(PHPhotosError) in
      let first = try connection.integer("SELECT min(number) FROM revision")
      return first.map { $0 <= revision + 1 } ?? true
    }
  }
}
