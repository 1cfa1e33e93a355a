internal import Foundation
internal import Linux

/// One transaction on the catalogue, which notes its changes for the library's observers.
package final class LibraryTransaction {
  /// The connection that it is made with.
  package let connection: Connection
  let place: LibraryFolders
  /// When it is made.
  let date: Date
  /// The number of this change.
  let revision: Int
  private(set) var hasChanges = false
  /// Whether it changes only internal tables, so that observers are not notified.
  package var isSilent = false
  /// Files to name and to remove after the commit.
  private(set) var pending: [PendingFile] = []
  private var lastNumbers: [String: Int] = [:]
  // Many rows are inserted by one statement, which need not be looked up by its text for each.
  private var assetInsertion: Statement?
  private var resourceInsertion: Statement?

  init(_ connection: Connection, _ place: LibraryFolders, _ date: Date) throws(PHPhotosError) {
    self.connection = connection
    self.place = place
    self.date = date
    try connection.run("INSERT INTO revision(made) VALUES(?)", SQLValue(date))
    revision = connection.lastKey
  }

  /// Notes that something changed of which no observer is notified.
  package func noteOwnChange() { hasChanges = true }

  // MARK: Assets

  /// Adds an asset and returns its key.
  package func insert(_ asset: AssetRow) throws(PHPhotosError) -> Int {
    let statement =
      if let assetInsertion { assetInsertion } else { try connection.statement(Self.insertAsset) }
    assetInsertion = statement
    defer { statement.reset() }
    var asset = asset
    asset.inserted = revision
    asset.bind(statement)
    _ = try statement.step()
    hasChanges = true
    return connection.lastKey
  }

  private static let insertAsset =
    "INSERT INTO asset(\(AssetRow.columns.dropFirst(4))) VALUES(\(Array(repeating: "?", count: 22).joined(separator: ",")))"

  /// Writes all that is known of an asset anew.
  func update(_ asset: AssetRow, isContent: Bool = false) throws(PHPhotosError) {
    try keepFormer(asset.key)
    let statement = try connection.statement(Self.updateAsset)
    defer { statement.reset() }
    asset.bind(statement)
    statement.bind(asset.key, 23)
    _ = try statement.step()
    try note(.asset, asset.key, asset.uuid, isContent ? .contentUpdated : .updated)
  }

  private static let updateAsset: String = {
    let names = AssetRow.columns.dropFirst(4).split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return "UPDATE asset SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
  }()

  /// Keeps what the catalogue says of an asset until now, for those who fetched it before: once for each revision.
  private func keepFormer(_ key: Int) throws(PHPhotosError) {
    try connection.run(
      "INSERT OR IGNORE INTO former(revision, \(AssetRow.columns)) SELECT ?1, \(AssetRow.columns) FROM asset WHERE id = ?2",
      SQLValue(revision), SQLValue(key))
  }

  /// The asset with that identifier.
  func asset(_ uuid: UUID) throws(PHPhotosError) -> AssetRow? {
    try connection.rows("SELECT \(AssetRow.columns) FROM asset WHERE uuid = ?", [SQLValue(uuid)]) {
      AssetRow($0)
    }.first
  }

  /// The asset with that key.
  func asset(key: Int) throws(PHPhotosError) -> AssetRow? {
    try connection.rows("SELECT \(AssetRow.columns) FROM asset WHERE id = ?", [SQLValue(key)]) {
      AssetRow($0)
    }.first
  }

  /// Removes an asset with its files, and notes the albums that lose it.
  func delete(_ asset: AssetRow) throws(PHPhotosError) {
    for resource in try resources(of: asset.key) { try remove(resource) }
    let albums = try connection.rows(
      "SELECT a.id, a.uuid FROM album a JOIN album_asset m ON m.album = a.id WHERE m.asset = ?",
      [SQLValue(asset.key)]
    ) { ($0.integer(0), $0.uuid(1)) }
    try connection.run(
      "INSERT OR IGNORE INTO discard(identifier) SELECT identifier FROM journal WHERE asset = ?",
      SQLValue(asset.key))
    try keepFormer(asset.key)
    try connection.run("DELETE FROM asset WHERE id = ?", SQLValue(asset.key))
    try note(.asset, asset.key, asset.uuid, .deleted)
    for (key, uuid) in albums { try note(.assetCollection, key, uuid ?? UUID(), .updated) }
  }

  // MARK: Files

  /// The files of an asset.
  func resources(of asset: Int) throws(PHPhotosError) -> [ResourceRow] {
    try connection.rows(
      "SELECT \(ResourceRow.columns) FROM resource WHERE asset = ? ORDER BY id", [SQLValue(asset)]
    ) { ResourceRow($0) }
  }

  /// Adds a file that lies where it stays.
  package func insert(_ resource: ResourceRow) throws(PHPhotosError) {
    let statement =
      if let resourceInsertion { resourceInsertion } else { try connection.statement(Self.insertResource) }
    resourceInsertion = statement
    defer { statement.reset() }
    statement.bind(resource.asset, 1)
    statement.bind(resource.type, 2)
    statement.bind(resource.typeIdentifier, 3)
    if let name = resource.originalName { statement.bind(name, 4) }
    statement.bind(resource.path, 5)
    statement.bind(resource.bytes, 6)
    statement.bind(resource.modified, 7)
    statement.bind(resource.width, 8)
    statement.bind(resource.height, 9)
    _ = try statement.step()
    hasChanges = true
  }

  private static let insertResource =
    "INSERT INTO resource(asset, type, uti, original_name, path, bytes, modified, width, height) VALUES(?,?,?,?,?,?,?,?,?)"

  /// Adds a file that waits in the staging area, under a free name that begins with `stem`.
  func insert(_ resource: ResourceRow, staged: String, stem: String) throws(PHPhotosError) {
    var resource = resource
    let source = "\(place.pictures)/\(staged)"
    guard let facts = FileCalls.facts(source) else {
      throw PHPhotosError(
        .missingResource, because: "The file \(source) has vanished before it was kept; add it again.")
    }
    resource.bytes = facts.bytes
    resource.modified = facts.modified
    let suffix = MediaFacts.fileExtension(of: resource.typeIdentifier, originalName: resource.originalName)
    resource.path = try freePath("\(try insideStem(stem)).\(suffix)")
    try insert(resource)
    try addPending(PendingFile(staged: staged, path: resource.path))
  }

  /// Forgets a file, and removes it after the commit.
  func remove(_ resource: ResourceRow) throws(PHPhotosError) {
    try connection.run("DELETE FROM resource WHERE id = ?", SQLValue(resource.key))
    // One that waits for its name is not given it any more.
    try connection.run("UPDATE pending SET staged = NULL WHERE path = ?", .text(resource.path))
    try addPending(PendingFile(staged: nil, path: resource.path))
  }

  private func addPending(_ file: PendingFile) throws(PHPhotosError) {
    try connection.run(
      "INSERT INTO pending(staged, path) VALUES(?, ?)", SQLValue(file.staged), .text(file.path))
    var file = file
    file.key = connection.lastKey
    pending.append(file)
    hasChanges = true
  }

  /// A name in a folder that lies in the library: that of the month may have become a link to another disk, which is not followed.
  private func insideStem(_ stem: String) throws(PHPhotosError) -> String {
    if place.file(named: stem) != nil { return stem }
    let (folder, name) = ((stem as NSString).deletingLastPathComponent, (stem as NSString).lastPathComponent)
    let others = (1...99).lazy.map { "\(folder)-\($0)/\(name)" }
    guard let other = others.first(where: { place.file(named: $0) != nil }) else {
      throw PHPhotosError(
        .accessRestricted,
        because: "The folder \(folder) of the photo library is a link; put a folder in its place.")
    }
    return other
  }

  private func freePath(_ path: String) throws(PHPhotosError) -> String {
    var number = lastNumbers[path] ?? 0
    while true {
      let candidate = number == 0 ? path : FileNames.numbered(path, number)
      number += 1
      let isKnown = try connection.integer("SELECT 1 FROM resource WHERE path = ?", .text(candidate)) != nil
      let isPending = try connection.integer("SELECT 1 FROM pending WHERE path = ?", .text(candidate)) != nil
      guard !isKnown, !isPending, !FileCalls.exists("\(place.pictures)/\(candidate)") else { continue }
      lastNumbers[path] = number
      return candidate
    }
  }

  // MARK: Notes

  /// Notes a change for those who watch the library.
  func note(
    _ entity: PHObjectType, _ key: Int, _ uuid: UUID, _ kind: ChangeKind
  ) throws(PHPhotosError) {
    let statement = try connection.statement(
      "INSERT INTO change(revision, entity, object, uuid, kind) VALUES(?,?,?,?,?)")
    defer { statement.reset() }
    statement.bind(revision, 1)
    statement.bind(entity, 2)
    statement.bind(key, 3)
    statement.bind(uuid, 4)
    statement.bind(kind, 5)
    _ = try statement.step()
    hasChanges = true
  }
}
