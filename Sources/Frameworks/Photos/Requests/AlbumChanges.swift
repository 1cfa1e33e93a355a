internal import Foundation

extension LibraryTransaction {
  /// Makes an album or a folder of albums, behind those that are there.
  func insertAlbum(_ uuid: UUID, _ title: String, isFolder: Bool) throws(PHPhotosError) {
    let last =
      try connection.rows("SELECT max(position) FROM album WHERE parent IS NULL") { $0.real(0) }.first ?? 0
    try connection.run(
      "INSERT INTO album(uuid, is_folder, title, parent, position, made) VALUES(?,?,?,NULL,?,?)",
      SQLValue(uuid),
      SQLValue(isFolder), .text(title), .real(last + 1), SQLValue(date))
    try note(isFolder ? .collectionList : .assetCollection, connection.lastKey, uuid, .inserted)
  }

  /// The album or folder with an identifier.
  /// - Throws: ``PHPhotosError``: `identifierNotFound`.
  func album(_ uuid: UUID) throws(PHPhotosError) -> AlbumRow {
    let found = try connection.rows(
      "SELECT \(AlbumRow.columns) FROM album WHERE uuid = ?", [SQLValue(uuid)]
    ) { AlbumRow($0) }
    guard let album = found.first else {
      throw PHPhotosError(
        .identifierNotFound, because: "The album \(uuid) is not in the library any more; fetch again.")
    }
    return album
  }

  func noteUpdate(_ album: AlbumRow) throws(PHPhotosError) {
    try note(album.isFolder ? .collectionList : .assetCollection, album.key, album.uuid, .updated)
  }

  func rename(_ uuid: UUID, _ title: String) throws(PHPhotosError) {
    let album = try album(uuid)
    try connection.run("UPDATE album SET title = ? WHERE id = ?", .text(title), SQLValue(album.key))
    try noteUpdate(album)
  }

  /// Deletes an album, or a folder with all albums in it; no asset is deleted.
  func deleteAlbum(_ uuid: UUID) throws(PHPhotosError) {
    let album = try album(uuid)
    let inner = try connection.rows(
      "SELECT \(AlbumRow.columns) FROM album WHERE parent = ?", [SQLValue(album.key)]
    ) {
      AlbumRow($0)
    }
    for album in inner { try deleteAlbum(album.uuid) }
    try connection.run("DELETE FROM album WHERE id = ?", SQLValue(album.key))
    try note(album.isFolder ? .collectionList : .assetCollection, album.key, album.uuid, .deleted)
  }

  /// Changes which assets an album has, and in which order.
  func changeAssets(
    _ uuid: UUID, _ change: (inout [Int]) throws(PHPhotosError) -> Void
  ) throws(PHPhotosError) {
    let album = try album(uuid)
    let before = try connection.rows(
      "SELECT asset FROM album_asset WHERE album = ? ORDER BY position", [SQLValue(album.key)]
    ) { $0.integer(0) }
    var after = before
    try change(&after)
    // An asset is in an album once.
    var seen: Set<Int> = []
    after = after.filter { seen.insert($0).inserted }
    guard after != before else { return }
    if after.starts(with: before) {
      let last =
        try connection.rows("SELECT max(position) FROM album_asset WHERE album = ?", [SQLValue(album.key)]) {
          $0.real(0)
        }.first ?? 0
      for (index, key) in after.dropFirst(before.count).enumerated() {
        try add(key, to: album.key, at: last + Double(index + 1))
      }
    } else {
      try connection.run("DELETE FROM album_asset WHERE album = ?", SQLValue(album.key))
      for (index, key) in after.enumerated() { try add(key, to: album.key, at: Double(index)) }
    }
    try noteUpdate(album)
  }

  private func add(_ asset: Int, to album: Int, at position: Double) throws(PHPhotosError) {
    try connection.run(
      "INSERT INTO album_asset(album, asset, position) VALUES(?,?,?)", SQLValue(album), SQLValue(asset),
      .real(position))
  }

  /// The keys of assets, also of those that were made in the same block.
  /// - Throws: ``PHPhotosError``: `identifierNotFound`.
  func keys(_ objects: [PHObject]) throws(PHPhotosError) -> [Int] {
    var keys: [Int] = []
    for object in objects {
      guard let uuid = LocalIdentifier.uuid(object.localIdentifier), let row = try asset(uuid) else {
        throw PHPhotosError(
          .identifierNotFound,
          because: "The asset \(object.localIdentifier) is not in the library; fetch again.")
      }
      keys.append(row.key)
    }
    return keys
  }

  // MARK: Folders

  /// Changes which albums a folder has, and in which order.
  func changeChildren(
    _ uuid: UUID, _ change: (inout [UUID]) throws(PHPhotosError) -> Void
  ) throws(PHPhotosError) {
    let folder = try album(uuid)
    let before = try connection.rows(
      "SELECT uuid FROM album WHERE parent = ? ORDER BY position, id", [SQLValue(folder.key)]
    ) { $0.uuid(0) ?? UUID() }
    var after = before
    try change(&after)
    for gone in before where !after.contains(gone) {
      let album = try album(gone)
      try connection.run("UPDATE album SET parent = NULL WHERE id = ?", SQLValue(album.key))
      try noteUpdate(album)
    }
    for (index, child) in after.enumerated() {
      let album = try album(child)
      try refuseCircle(album, in: folder)
      try connection.run(
        "UPDATE album SET parent = ?, position = ? WHERE id = ?", SQLValue(folder.key), .real(Double(index)),
        SQLValue(album.key))
      if !before.contains(child) { try noteUpdate(album) }
    }
    try noteUpdate(folder)
  }

  private func refuseCircle(_ album: AlbumRow, in folder: AlbumRow) throws(PHPhotosError) {
    var above: Int? = folder.key
    while let key = above {
      guard key != album.key else {
        throw PHPhotosError(
          .changeNotSupported, because: "The folder \(album.title) cannot be put into itself; choose another."
        )
      }
      above = try connection.integer("SELECT parent FROM album WHERE id = ?", SQLValue(key))
    }
  }
}
