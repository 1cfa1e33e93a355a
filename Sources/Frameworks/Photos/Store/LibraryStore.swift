internal import Foundation
package import FoundationExtras
package import Linux

/// A library on disk: a catalogue in SQLite, and files that any program can read.
///
/// A file is written under a hidden name and waited for; then the catalogue commits what is known of it together with the
/// name that it is to have; then it gets that name. The next process that opens the library finishes what a killed one could not.
/// Thread-safe, and used by several processes at once.
package final class LibraryStore: Sendable {
  /// Where it lies.
  package let place: LibraryFolders
  /// Whether it can be changed.
  package let isWritable: Bool
  /// Whether it is open for reading alone because its disk is full.
  let lacksSpace: Bool
  /// Called after each commit of this process, on the committing thread, with the revision.
  let committed = Hook<Int>()

  /// Opened for the first change; under `writing`.
  nonisolated(unsafe) private var writer: Connection?  // Safe because `writing` guards each use.
  private let writing = Lock()
  private let readers = Locked<[Connection]>([])
  private let staging = Locked<Staging?>(nil)
  private let mode: Connection.Mode
  private let ownTime: WorldTime?

  /// The time by which what is changed is dated, and by which its work in the background waits: that in force, unless it was given another.
  var time: WorldTime { ownTime ?? .current }

  /// Opens the library, and makes it where it is missing.
  ///
  /// Finishes what killed processes began. A library that cannot be written is opened for reading.
  ///
  /// - Parameter time: Its time; `nil` for whichever is in force.
  /// - Throws: ``PHPhotosError``.
  package init(_ place: LibraryFolders, time: WorldTime? = nil) throws(PHPhotosError) {
    self.place = place
    ownTime = time
    try place.checkLinks()
    do throws(SystemError) {
      try FileCalls.makeFolder(place.catalogue)
      try FileCalls.makeFolder(place.pictures)
    } catch {
      // Reading needs no folder to be made.
      if !FileCalls.exists(place.database) { throw PHPhotosError(error) }
    }
    let canWrite =
      FileCalls.isWritableFolder(place.catalogue) && FileCalls.isWritableFolder(place.pictures)
    guard canWrite else {
      guard FileCalls.exists(place.database) else {
        throw PHPhotosError(
          .accessRestricted,
          because:
            "There is no photo library in \(place.pictures), and none can be made there; choose another folder with OBSCURA_LIBRARY."
        )
      }
      let (connection, mode) = try Self.openForReading(place)
      self.mode = mode
      isWritable = false
      lacksSpace = false
      readers.withLock { $0.append(connection) }
      return
    }
    var opened: (connection: Connection, mode: Connection.Mode, isReady: Bool)
    var lacksSpace = false
    do throws(PHPhotosError) {
      opened = try Self.openForChanges(place)
    } catch {
      guard error.code == .notEnoughSpace, FileCalls.exists(place.database) else { throw error }
      // What is there can be shown, and deleting photos elsewhere makes room again.
      (opened.connection, opened.mode) = try Self.openWithoutSpace(place)
      opened.isReady = true
      lacksSpace = true
    }
    mode = opened.mode
    isWritable = !lacksSpace
    self.lacksSpace = lacksSpace
    if opened.isReady {
      readers.withLock { $0.append(opened.connection) }
    } else {
      writer = opened.connection
    }
    guard isWritable else { return }
    do throws(PHPhotosError) {
      try finishPending()
    } catch {
      // It is done once there is room again.
      guard error.code == .notEnoughSpace else { throw error }
    }
  }

  /// Opens a catalogue for reading first, for most programs show more than they change; one that is missing or old is ready
  /// only once it has been written.
  private static func openForChanges(
    _ place: LibraryFolders
  ) throws(PHPhotosError) -> (connection: Connection, mode: Connection.Mode, isReady: Bool) {
    // What a process left undone that died as it made the catalogue is undone by one that writes.
    let isHalfMade = FileCalls.exists(place.database + "-journal")
    if !isHalfMade, FileCalls.facts(place.database).map({ $0.bytes > 0 }) ?? false {
      let connection = try Connection(place.database, .readOnly)
      let version = try connection.integer("PRAGMA user_version") ?? 0
      try Schema.check(version)
      if version == Schema.version {
        try Schema.checkTables(connection)
        return (connection, .readWrite, true)
      }
    }
    let connection = try openWriter(place)
    try Schema.migrate(connection)
    try Schema.checkTables(connection)
    return (connection, .readWrite, false)
  }

  private static func openWriter(_ place: LibraryFolders) throws(PHPhotosError) -> Connection {
    let connection = try Connection(place.database, .readWrite)
    try connection.useLog()
    try connection.execute(
      "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=1000;")
    return connection
  }

  /// Opens a catalogue on a disk on which not even the log's index has room.
  private static func openWithoutSpace(
    _ place: LibraryFolders
  ) throws(PHPhotosError) -> (Connection, Connection.Mode) {
    let log = FileCalls.facts(place.database + "-wal")?.bytes ?? 0
    let mode = log == 0 ? Connection.Mode.immutable : .alone
    let connection = try Connection(place.database, mode)
    try Schema.checkTables(connection)
    return (connection, mode)
  }

  /// Opens a catalogue that cannot be changed, with all that was committed.
  private static func openForReading(
    _ place: LibraryFolders
  ) throws(PHPhotosError) -> (Connection, Connection.Mode) {
    func open(_ mode: Connection.Mode) throws(PHPhotosError) -> (Connection, Connection.Mode) {
      let connection = try Connection(place.database, mode)
      try Schema.checkTables(connection)
      return (connection, mode)
    }
    do throws(PHPhotosError) {
      return try open(.readOnly)
    } catch {
      // Without the log beside the file, which an unchanging file is read without, the newest commits would be missing.
      let log = FileCalls.facts(place.database + "-wal")?.bytes ?? 0
      guard log == 0, !FileCalls.isWritableFolder(place.catalogue) else { throw error }
      return try open(.immutable)
    }
  }

  /// Whether a disk that was full has room for changes now, so that opening the library again makes sense.
  var couldBeWritable: Bool { lacksSpace && FileCalls.freeBytes(place.catalogue) >= 1 << 20 }

  /// Removes the folder in which files wait, as the process ends; what others still put there is swept by the next process.
  func leaveStaging() {
    let area = staging.withLock { $0.take() }
    withExtendedLifetime(area) {}
  }

  /// Lets others open a catalogue that this one had for itself; what was fetched of it can still be read.
  func share() {
    guard mode == .alone else { return }
    // Closed when this returns, and not under the locks.
    var given: [Connection] = []
    writing.withLock { readers.withLock { swap(&given, &$0) } }
  }

  // MARK: Reading

  /// Runs `body` with a connection for reading.
  package func read<Result>(_ body: (Connection) throws(PHPhotosError) -> Result) throws(PHPhotosError)
    -> Result
  {
    if mode == .alone {
      let result = try writing.withLock { () throws(PHPhotosError) -> Result? in
        guard let connection = readers.withLock({ $0.first }) else { return nil }
        return try body(connection)
      }
      if let result { return result }
      // It was given up, as there is room again: others may have the catalogue now.
    }
    let connection =
      if let idle = readers.withLock({ $0.popLast() }) { idle } else {
        try Connection(place.database, mode == .immutable ? .immutable : .readOnly)
      }
    defer { readers.withLock { $0.append(connection) } }
    return try body(connection)
  }

  /// The number of the newest change.
  package func revision() throws(PHPhotosError) -> Int {
    try read { connection throws(PHPhotosError) in try Self.revision(connection) }
  }

  static func revision(_ connection: Connection) throws(PHPhotosError) -> Int {
    try connection.integer("SELECT max(number) FROM revision") ?? 0
  }

  /// The path of a file that the catalogue knows; one at which there is no file where the catalogue names a place outside of the
  /// library.
  package func path(of resource: ResourceRow) -> String {
    guard let path = place.file(named: resource.path) else { return place.nowhere }
    guard !FileCalls.exists(path) else { return path }
    // Another process has just committed it and not named it yet, or was killed in between.
    let staged = try? read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT staged FROM pending WHERE path = ? AND staged IS NOT NULL", [.text(resource.path)]
      ) {
        $0.text(0)
      }
    }
    return (staged?.first ?? nil).flatMap { place.file(staged: $0) } ?? path
  }

  // MARK: Writing

  /// The folder in which files wait for their commit.
  func stagingArea() throws(PHPhotosError) -> Staging {
    guard isWritable else { throw unwritable }
    if let area = staging.withLock({ $0 }) { return area }
    do throws(SystemError) {
      let area = try Staging(place)
      return staging.withLock { known in
        if known == nil { known = area }
        return known ?? area
      }
    } catch {
      throw PHPhotosError(error)
    }
  }

  private var unwritable: PHPhotosError {
    if lacksSpace { return .diskFull }
    return PHPhotosError(
      .accessRestricted,
      because:
        "The photo library in \(place.pictures) cannot be changed, because its folder is read-only; choose another with OBSCURA_LIBRARY."
    )
  }

  /// Runs `body` in one transaction: all of it is kept, or nothing.
  ///
  /// Blocks while another thread or process writes. The files that `body` has named get their names before this returns.
  @discardableResult
  package func write<Result>(
    _ body: (LibraryTransaction) throws(PHPhotosError) -> Result
  ) throws(PHPhotosError) -> Result {
    guard isWritable else { throw unwritable }
    let (result, revision) = try writing.withLock { () throws(PHPhotosError) -> (Result, Int?) in
      let writer = try openedWriter()
      try writer.execute("BEGIN IMMEDIATE")
      do throws(PHPhotosError) {
        let transaction = try LibraryTransaction(writer, place, time.date)
        let result = try body(transaction)
        guard transaction.hasChanges else {
          try writer.execute("ROLLBACK")
          return (result, nil)
        }
        if !transaction.isSilent { Self.syncStaging(transaction) }
        try Self.commit(writer)
        // It is committed: what fails now is done when the library is opened next.
        if !transaction.pending.isEmpty { try? finish(transaction.pending, writer) }
        return (result, transaction.isSilent ? nil : transaction.revision)
      } catch {
        try? writer.execute("ROLLBACK")
        throw error
      }
    }
    if let revision {
      FileCalls.touch(place.signal)
      committed.call(revision)
    }
    return result
  }

  /// Commits; an error says that nothing is certain, for what was written may be found by the next process.
  private static func commit(_ writer: Connection) throws(PHPhotosError) {
    do throws(PHPhotosError) {
      try writer.execute("COMMIT")
    } catch {
      throw error.leavingChangeOpen
    }
  }

  /// The connection for changes; only under `writing`.
  private func openedWriter() throws(PHPhotosError) -> Connection {
    if let writer { return writer }
    let connection = try Self.openWriter(place)
    writer = connection
    return connection
  }

  /// The names of staged files must be on the disk before the catalogue says that they are there.
  private static func syncStaging(_ transaction: LibraryTransaction) {
    let folders = Set(
      transaction.pending.compactMap(\.staged).map { ($0 as NSString).deletingLastPathComponent })
    for folder in folders { FileCalls.syncFolder("\(transaction.place.pictures)/\(folder)") }
  }

  /// Gives files their names, and removes those that are not needed any more, as killed processes could not.
  func finishPending() throws(PHPhotosError) {
    let isWaiting = try read { connection throws(PHPhotosError) in
      try connection.integer("SELECT 1 FROM pending LIMIT 1") != nil
    }
    let isStaging = DeviceTree.names(in: place.staging).contains { !$0.hasPrefix(".") }
    guard isWaiting || isStaging else { return }
    try writing.withLock { () throws(PHPhotosError) in
      let writer = try openedWriter()
      let pending = try PendingFile.all(writer)
      if !pending.isEmpty { try finish(pending, writer) }
      guard FileCalls.exists(place.staging) else { return }
      // No other process commits meanwhile, so what is not waited for belongs to no living process.
      try writer.execute("BEGIN IMMEDIATE")
      defer { try? writer.execute("COMMIT") }
      Staging.sweep(place, keeping: Set(try PendingFile.all(writer).compactMap(\.staged)))
    }
  }

  /// Names and removes files, then forgets that it was to be done.
  private func finish(_ pending: [PendingFile], _ writer: Connection) throws(PHPhotosError) {
    var folders: Set<String> = []
    var done: [PendingFile] = []
    for var file in pending {
      do throws(SystemError) {
        if let folder = try file.finish(place) { folders.insert(folder) }
        done.append(file)
      } catch {
        // It is tried again when the library is opened next; until then it is read where it lies.
        continue
      }
    }
    for folder in folders { FileCalls.syncFolder(folder) }
    for source in done.compactMap(\.staged).compactMap(place.file(staged:)) { FileCalls.remove(source) }
    try writer.execute("BEGIN IMMEDIATE")
    for file in done {
      if let renamed = file.renamed {
        try writer.run("UPDATE resource SET path = ? WHERE path = ?", .text(renamed), .text(file.path))
      }
      try writer.run("DELETE FROM pending WHERE id = ?", .integer(Int64(file.key)))
    }
    try writer.execute("COMMIT")
  }
}
