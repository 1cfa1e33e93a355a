internal import Foundation

/// A changed picture or film, and what was changed.
final class ContentEdit {
  private let resource: ResourceWork
  private let adjustment: PHAdjustmentData

  init(_ resource: ResourceWork, _ adjustment: PHAdjustmentData) {
    self.resource = resource
    self.adjustment = adjustment
  }

  func stage(_ store: LibraryStore) throws(PHPhotosError) { try resource.stage(store) }

  func end(_ store: LibraryStore, isCommitted: Bool) { resource.end(store, isCommitted: isCommitted) }

  /// Puts the rendering in place of an earlier one; the original stays.
  func apply(_ row: inout AssetRow, _ transaction: LibraryTransaction) throws(PHPhotosError) {
    let resources = try transaction.resources(of: row.key)
    for old in resources where old.type == resource.type.rawValue { try transaction.remove(old) }
    let original = resources.first { [1, 2, 3, 19].contains($0.type) }
    let stem =
      original.map { ($0.path as NSString).deletingPathExtension + "_edited" }
      ?? FileNames.stem(Date(), mediaType: row.mediaType)
    try resource.insert(row.key, stem: stem, transaction)
    try transaction.connection.run(
      "INSERT OR REPLACE INTO adjustment(asset, format, version, data, made) VALUES(?,?,?,?,?)",
      SQLValue(row.key),
      .text(adjustment.formatIdentifier), .text(adjustment.formatVersion), .bytes(adjustment.data),
      SQLValue(Date()))
    row.marks.insert(.adjusted)
    row.width = resource.facts.width
    row.height = resource.facts.height
    row.duration = resource.facts.duration
  }

  /// Takes all changes of the content back.
  static func revert(_ row: inout AssetRow, _ transaction: LibraryTransaction) throws(PHPhotosError) {
    let resources = try transaction.resources(of: row.key)
    for rendering in resources where [5, 6, 7, 8, 10, 11, 12].contains(rendering.type) {
      try transaction.remove(rendering)
    }
    try transaction.connection.run("DELETE FROM adjustment WHERE asset = ?", SQLValue(row.key))
    row.marks.remove(.adjusted)
    guard let original = resources.first(where: { [1, 2, 3, 19].contains($0.type) }) else { return }
    row.width = original.width
    row.height = original.height
    // The duration of a film is read anew; a picture has none.
    if original.type == 2, let facts = MediaFacts(path: "\(transaction.place.pictures)/\(original.path)") {
      row.duration = facts.duration
    }
  }
}
