internal import Foundation
internal import FoundationExtras

/// The operation of a request that makes or changes an asset.
final class AssetWork: ChangeOperation {
  /// The asset to change; `nil` for a new one.
  let asset: PHAsset?
  let uuid: UUID
  var resources: [ResourceWork] = []
  /// `nil` where nothing was said.
  var creationDate: Date??
  var location: CLLocation??
  var isFavorite: Bool?
  var isHidden: Bool?
  var burst: String?
  var edit: ContentEdit?
  var reverts = false

  init(_ asset: PHAsset?) {
    self.asset = asset
    uuid = asset?.row.uuid ?? .random()
  }

  func stage(_ store: LibraryStore) throws(PHPhotosError) {
    for resource in resources { try resource.stage(store) }
    try checkPair()
    try edit?.stage(store)
  }

  /// Both halves of a Live Photo are of the same one.
  private func checkPair() throws(PHPhotosError) {
    guard let photo = resources.first(where: { $0.type == .photo || $0.type == .photoProxy }),
      let film = resources.first(where: { $0.type == .pairedVideo }),
      let refusal = LivePairs.refusal(photo: photo.facts, film: film.facts)
    else { return }
    throw PHPhotosError(
      .invalidResource, because: "No asset was made because \(refusal); add each with its own.")
  }

  func end(_ store: LibraryStore, _ outcome: ChangeOutcome) {
    for resource in resources { resource.end(store, outcome) }
    edit?.end(store, outcome)
  }

  func apply(_ transaction: LibraryTransaction) throws(PHPhotosError) {
    if asset == nil { try create(transaction) } else { try change(transaction) }
  }

  // MARK: New assets

  private func create(_ transaction: LibraryTransaction) throws(PHPhotosError) {
    let primary = resources.first { $0.type.isOriginal }
    guard let primary else {
      throw PHPhotosError(
        .missingResource, because: "An asset needs a photo, a video or a recording; add one with addResource."
      )
    }
    var row = AssetRow(primary.facts, added: transaction.date)
    row.uuid = uuid
    if resources.contains(where: { $0.type == .pairedVideo }), primary.facts.mediaType == .image {
      row.subtypes.insert(.photoLive)
    }
    if resources.contains(where: { $0.type == .alternatePhoto }) { row.marks.insert(.raw) }
    if row.created == nil {
      let raw = resources.lazy.filter { $0.type == .alternatePhoto }.compactMap(\.facts.created).first
      row.created = raw?.timeIntervalSinceReferenceDate ?? row.added
    }
    row.modified = row.added
    set(&row)
    if let burst {
      row.burst = burst
      row.isBurstKey =
        try transaction.connection.integer(
          "SELECT 1 FROM asset WHERE burst = ? AND is_burst_key", .text(burst)) == nil
      if row.isBurstKey { row.burstTypes = .autoPick }
    }
    if primary.proxyIdentifier != nil { row.state = .unfinished }
    let key = try transaction.insert(row)
    let stem = FileNames.stem(
      Date(timeIntervalSinceReferenceDate: row.created ?? row.added), mediaType: row.mediaType)
    for resource in resources { try resource.insert(key, stem: stem, transaction) }
    if let identifier = primary.proxyIdentifier { try ProxyJournal.add(key, identifier, transaction) }
    if let edit {
      row.key = key
      try edit.apply(&row, transaction)
      try transaction.update(row, isContent: true)
    }
  }

  // MARK: Known assets

  private func change(_ transaction: LibraryTransaction) throws(PHPhotosError) {
    guard var row = try transaction.asset(uuid) else {
      throw PHPhotosError(
        .identifierNotFound,
        because: "The asset \(LocalIdentifier.asset(uuid)) is not in the library any more; fetch again.")
    }
    let before = row
    set(&row)
    if let edit { try edit.apply(&row, transaction) }
    if reverts, row.marks.contains(.adjusted) { try ContentEdit.revert(&row, transaction) }
    let isContent = edit != nil || (reverts && before.marks.contains(.adjusted))
    guard row != before || isContent else { return }
    row.modified = transaction.date.timeIntervalSinceReferenceDate
    try transaction.update(row, isContent: isContent)
  }

  private func set(_ row: inout AssetRow) {
    if let creationDate { row.created = creationDate?.timeIntervalSinceReferenceDate }
    if let location {
      row.location = location.map {
        AssetRow.Location(
          latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude, altitude: $0.altitude,
          accuracy: $0.horizontalAccuracy, time: $0.timestamp.timeIntervalSinceReferenceDate)
      }
    }
    if let isFavorite { row.isFavorite = isFavorite }
    if let isHidden { row.isHidden = isHidden }
  }
}
