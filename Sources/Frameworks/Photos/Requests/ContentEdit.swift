internal import Foundation

/// A changed picture or video, and what was changed.
final class ContentEdit {
  private let resource: ResourceWork
  private let adjustment: PHAdjustmentData

  init(_ resource: ResourceWork, _ adjustment: PHAdjustmentData) {
    self.resource = resource
    self.adjustment = adjustment
  }

  func stage(_ store: LibraryStore) throws(PHPhotosError) { try resource.stage(store) }

  func end(_ store: LibraryStore, _ outcome: ChangeOutcome) { resource.end(store, outcome) }

  /// Puts the rendering in place of an earlier one; the original stays.
  func apply(_ row: inout AssetRow, _ transaction: LibraryTransaction) throws(PHPhotosError) {
    let resources = try transaction.resources(of: row.key)
    for old in resources where old.type == resource.type { try transaction.remove(old) }
    let original = resources.first { $0.type.isOriginal }
    let stem =
      original.map { ($0.path as NSString).deletingPathExtension + "_edited" }
      ?? FileNames.stem(transaction.date, mediaType: row.mediaType)
    try resource.insert(row.key, stem: stem, transaction)
    try transaction.connection.run(
      "INSERT OR REPLACE INTO adjustment(asset, format, version, data, made) VALUES(?,?,?,?,?)",
      SQLValue(row.key),
      .text(adjustment.formatIdentifier), .text(adjustment.formatVersion), .bytes(adjustment.data),
      SQLValue(transaction.date))
    row.marks.insert(.adjusted)
    row.width = resource.facts.width
    row.height = resource.facts.height
    row.duration = resource.facts.duration
  }

  /// Takes all changes of the content back.
  static func revert(_ row: inout AssetRow, _ transaction: LibraryTransaction) throws(PHPhotosError) {
    let resources = try transaction.resources(of: row.key)
    for rendering in resources where rendering.type.isOfAdjustment {
      try transaction.remove(rendering)
    }
    try transaction.connection.run("DELETE FROM adjustment WHERE asset = ?", SQLValue(row.key))
    row.marks.remove(.adjusted)
    guard let original = resources.first(where: { $0.type.isOriginal }) else { return }
    row.width = original.width
    row.height = original.height
    // The duration of a film is read anew; a picture has none.
    if original.type == .video, let file = transaction.place.file(named: original.path),
      let facts = MediaFacts(path: file)
    {
      row.duration = facts.duration
    }
  }
}
