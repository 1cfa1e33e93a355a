import Foundation
import Linux
import Photos
import SeededNumbers
import Testing

/// A library of a stranger on a stick, and files of the user beside it that nothing may touch.
struct ForeignLibrary {
  let tree: String
  let place: LibraryFolders
  private let before: [String: String]

  /// A copy of the library in `folder`, whose catalogue and folders `spoil` changes.
  init(copying folder: String, _ spoil: (LibraryFolders) throws -> Void) throws {
    tree = FileManager.default.temporaryDirectory.appendingPathComponent("foreign-\(UUID().uuidString)").path
    let files = FileManager.default
    try files.createDirectory(atPath: "\(tree)/home/deep", withIntermediateDirectories: true)
    for name in ["home/diary.txt", "home/deep/song.txt", "home/photo.jpg", "home/lock", "home/deep/lock"] {
      try Data("the user's \(name)".utf8).write(to: URL(fileURLWithPath: "\(tree)/\(name)"))
    }
    try files.copyItem(atPath: folder, toPath: "\(tree)/stick")
    place = LibraryFolders(folder: "\(tree)/stick")
    try spoil(place)
    before = Self.outside(tree)
  }

  /// The files outside of the library that differ from before; empty for none.
  func touched() -> [String] {
    let after = Self.outside(tree)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }

  func close() {
    SharedLibrary.use(nil)
    try? FileManager.default.removeItem(atPath: tree)
  }

  private static func outside(_ tree: String) -> [String: String] {
    var found: [String: String] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: tree)?.allObjects ?? [] {
      guard !path.hasPrefix("stick/") else { continue }
      let facts = try? FileManager.default.attributesOfItem(atPath: "\(tree)/\(path)")
      let isFile = facts?[.type] as? FileAttributeType == .typeRegular
      let content =
        isFile ? FileManager.default.contents(atPath: "\(tree)/\(path)")?.base64EncodedString() : nil
      found[path] = "\(facts?[.modificationDate] ?? "") \(content ?? "")"
    }
    return found
  }

  /// Does all that a program does with a library: opens it, shows it, brings it in line, checks it, deletes from it, recovers it.
  ///
  /// - Returns: What was said when it was not done.
  func useAll() -> [String] {
    var refusals: [String] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { refusals.append(error.localizedDescription) }
    }
    func use(_ store: LibraryStore) throws {
      SharedLibrary.use(store)
      let assets = PHAsset.fetchAssets(with: nil)
      for index in 0..<min(assets.count, 4) {
        let asset = assets[index]
        _ = "\(asset.creationDate ?? Date()) \(asset.pixelWidth * asset.pixelHeight) \(asset.duration)"
        for resource in PHAssetResource.assetResources(for: asset) { _ = resource.originalFilename }
      }
      attempt { _ = try Reconciliation(store, isFull: false, restSeconds: 0).run() }
      attempt { _ = try Verification(store, readsFiles: true).run() }
      attempt {
        guard let first = assets.firstObject else { return }
        try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets([first]) }
      }
      attempt { _ = try Reconciliation(store, isFull: true, restSeconds: 0).run() }
    }
    attempt { try use(LibraryStore(place)) }
    SharedLibrary.use(nil)
    attempt {
      let store = try Recovery(place).run(forgetsMissing: false).store
      try use(store)
      // What is recovered is whole.
      let problems = try Verification(store, readsFiles: false).run().problems
      #expect(!problems.contains { [.damagedCatalogue, .foreignPath].contains($0.kind) }, "\(problems)")
    }
    SharedLibrary.use(nil)
    return refusals
  }
}

/// One way to spoil a library.
enum Spoiling: CaseIterable {
  case removedFile, stagedFile, stagedTarget, resource, absoluteResource, folder, hiddenResource,
    linkedFolder, linkedStaging
  case linkedSweep, linkedCatalogueFolder, linkedThumbnails, linkedSignal, journal, discard, trigger, view,
    droppedTable
  case droppedColumn, version, flipped, cut, numbers

  static let outside = [
    "../home/diary.txt", "../home/deep/song.txt", "2001-01/../../home/photo.jpg", "./../home/diary.txt",
    "..//home/diary.txt",
  ]

  func apply(_ place: LibraryFolders, _ random: inout SeededGenerator) throws {
    let files = FileManager.default
    let home = "\((place.pictures as NSString).deletingLastPathComponent)/home"
    let path = Self.outside.randomElement(using: &random) ?? ""
    func sql(_ script: String) throws {
      let connection = try Connection(place.database, .readWrite)
      try connection.execute(script)
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    func link(_ name: String, to target: String) throws {
      try? files.removeItem(atPath: "\(place.pictures)/\(name)")
      try files.createSymbolicLink(atPath: "\(place.pictures)/\(name)", withDestinationPath: target)
    }
    func tables() -> [String] {
      ["revision", "asset", "resource", "album", "album_asset", "journal", "change", "pending", "folder"]
    }
    switch self {
    case .removedFile: try sql("INSERT INTO pending(staged, path) VALUES(NULL, '\(path)')")
    case .stagedFile: try sql("INSERT INTO pending(staged, path) VALUES('\(path)', 'mine.jpg')")
    case .stagedTarget: try sql("INSERT INTO pending(staged, path) VALUES('.staging/a/b', '\(path)')")
    case .resource: try sql("UPDATE resource SET path = '\(path)' WHERE id = (SELECT min(id) FROM resource)")
    case .absoluteResource:
      try sql("UPDATE resource SET path = '/\(home)/diary.txt' WHERE id = (SELECT min(id) FROM resource)")
    case .hiddenResource:
      try sql(
        "UPDATE resource SET path = '.catalogue/library.sqlite' WHERE id = (SELECT min(id) FROM resource)")
    case .folder: try sql("INSERT OR REPLACE INTO folder VALUES('../home', 1), ('', 1), ('\(path)', 2)")
    case .linkedFolder:
      try link("far", to: home)
      try sql(
        "UPDATE resource SET path = 'far/photo.jpg' WHERE id = (SELECT min(id) FROM resource); INSERT INTO pending(path) VALUES('far/diary.txt')"
      )
    case .linkedStaging: try link(".staging", to: home)
    case .linkedSweep:
      try files.createDirectory(atPath: place.staging, withIntermediateDirectories: true)
      try link(".staging/1-a", to: "\(home)/deep")
    case .linkedCatalogueFolder:
      try files.moveItem(atPath: place.catalogue, toPath: "\(home)/catalogue")
      try link(".catalogue", to: "\(home)/catalogue")
    case .linkedThumbnails: try link(".catalogue/thumbnails", to: home)
    case .linkedSignal: try link(".catalogue/changes", to: "\(home)/diary.txt")
    case .journal:
      try sql(
        "INSERT OR REPLACE INTO journal(asset, identifier, added, attempts) SELECT min(id), '../../home/diary', 0, 0 FROM asset"
      )
    case .discard: try sql("INSERT INTO discard VALUES('../../home/diary'), ('\(path)')")
    case .trigger:
      try sql(
        "CREATE TRIGGER t AFTER INSERT ON pending BEGIN UPDATE pending SET path = '\(path)' WHERE id = NEW.id; END"
      )
    case .view:
      try sql(
        "DROP TABLE change; CREATE VIEW change AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i revision, i entity, i object, i uuid, i kind FROM n"
      )
    case .droppedTable:
      try sql("PRAGMA foreign_keys=OFF; DROP TABLE \(tables().randomElement(using: &random) ?? "asset")")
    case .droppedColumn: try sql("DROP INDEX asset_whole; ALTER TABLE asset DROP COLUMN marks")
    case .version:
      let versions = [-5, 0, 1, Schema.version - 1, Schema.version + 1, 99, 2_000_000_000]
      try sql("PRAGMA user_version = \(versions.randomElement(using: &random) ?? 0)")
    case .numbers:
      let number = ["-1", "9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "'x'", "x'00'"]
      for column in [
        "width", "height", "media_type", "state", "marks", "duration", "created", "added", "latitude",
      ] {
        try sql("UPDATE OR IGNORE asset SET \(column) = \(number.randomElement(using: &random) ?? "0")")
      }
      try sql("UPDATE resource SET bytes = \(number[1]), modified = \(number[2]), type = \(number[0])")
    case .flipped, .cut:
      var data = try Data(contentsOf: URL(fileURLWithPath: place.database))
      if self == .cut { data = data.prefix(Int.random(in: 0..<data.count, using: &random)) }
      for _ in 0..<Int.random(in: 1...20, using: &random) where !data.isEmpty {
        let at = Int.random(in: 0..<data.count, using: &random)
        data[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      try data.write(to: URL(fileURLWithPath: place.database))
    }
  }
}
