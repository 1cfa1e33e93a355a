internal import Foundation
internal import Linux

/// The photos of a library that are not finished yet, and their finishing.
package struct ProxyJournal: Sendable {
  /// A photo that is not finished.
  package struct Entry: Sendable, Hashable {
    package var asset: Int
    package var identifier: String
    package var added: Date
    package var attempts: Int
    package var failure: String?
  }

  /// The outcome of finishing.
  package enum Outcome: Sendable, Hashable {
    case finished
    /// It was finished before, or deleted.
    case notNeeded
    /// The frames are lost, and the proxy is the photo now.
    case keptProxy(String)
  }

  private let store: LibraryStore
  private let finisher: any DeferredPhotoFinishing

  package init(_ store: LibraryStore, _ finisher: any DeferredPhotoFinishing) {
    self.store = store
    self.finisher = finisher
  }

  /// The photos that are not finished, the oldest first.
  package static func entries(_ store: LibraryStore) throws(PHPhotosError) -> [Entry] {
    try store.read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT asset, identifier, added, attempts, failure FROM journal ORDER BY added, asset"
      ) {
        row in
        Entry(
          asset: row.integer(0), identifier: row.text(1) ?? "", added: row.date(2) ?? .distantPast,
          attempts: row.integer(3), failure: row.text(4))
      }
    }
  }

  /// The identifier of an asset's frames; `nil` when it is finished.
  package static func identifier(of asset: Int, _ store: LibraryStore) -> String? {
    let found = try? store.read { connection throws(PHPhotosError) in
      try connection.rows("SELECT identifier FROM journal WHERE asset = ?", [SQLValue(asset)]) { $0.text(0) }
    }
    return found?.first ?? nil
  }

  /// Notes that an asset is a proxy yet.
  static func add(
    _ asset: Int, _ identifier: String, _ transaction: LibraryTransaction
  ) throws(PHPhotosError) {
    try transaction.connection.run(
      "INSERT INTO journal(asset, identifier, added, attempts) VALUES(?, ?, ?, 0)", SQLValue(asset),
      .text(identifier), SQLValue(transaction.date))
  }

  /// Finishes a photo; what is known of it, and the user's changes, stay.
  ///
  /// Blocks for as long as processing takes. Two processes may do it at once: the second finds nothing to do.
  /// - Throws: ``PHPhotosError`` when it may be tried again.
  package func finish(_ asset: Int) throws(PHPhotosError) -> Outcome {
    guard let identifier = Self.identifier(of: asset, store) else { return .notNeeded }
    let file: Data
    let facts: MediaFacts
    do {
      file = try finisher.finish(identifier)
      guard let found = MediaFacts(picture: file) else {
        throw DeferredFramesLost("The finished photo cannot be read.")
      }
      facts = found
    } catch let lost as DeferredFramesLost {
      return try keepProxy(asset, because: lost.description)
    } catch {
      throw try noteFailure(asset, error)
    }
    let staged: String
    let area = try store.stagingArea()
    do throws(SystemError) {
      staged = try area.stage(file)
    } catch {
      throw PHPhotosError(error)
    }
    let isDone = try replaceProxy(asset, identifier, staged, facts)
    if !isDone { FileCalls.remove("\(store.place.pictures)/\(staged)") }
    try? discardUnneeded()
    return isDone ? .finished : .notNeeded
  }

  private func replaceProxy(
    _ key: Int, _ identifier: String, _ staged: String, _ facts: MediaFacts
  ) throws(PHPhotosError) -> Bool {
    try store.write { transaction throws(PHPhotosError) in
      let isWaiting = try transaction.connection.integer(
        "SELECT 1 FROM journal WHERE asset = ? AND identifier = ?", SQLValue(key), .text(identifier))
      guard isWaiting != nil, var asset = try transaction.asset(key: key) else { return false }
      let resources = try transaction.resources(of: key)
      let proxy = resources.first { $0.type == .photoProxy }
      var photo = ResourceRow()
      photo.asset = key
      photo.type = .photo
      photo.typeIdentifier = facts.typeIdentifier
      photo.originalName = proxy?.originalName
      photo.width = facts.width
      photo.height = facts.height
      let stem =
        proxy.map { ($0.path as NSString).deletingPathExtension }
        ?? FileNames.stem(facts.created ?? transaction.date, mediaType: .image)
      try transaction.insert(photo, staged: staged, stem: stem)
      if let proxy { try transaction.remove(proxy) }
      try transaction.connection.run("DELETE FROM journal WHERE asset = ?", SQLValue(key))
      try transaction.connection.run("INSERT OR IGNORE INTO discard(identifier) VALUES(?)", .text(identifier))
      asset.state = .whole
      // The user's own rendering has a size of its own.
      if !asset.marks.contains(.adjusted) {
        asset.width = facts.width
        asset.height = facts.height
      }
      try transaction.update(asset, isContent: true)
      return true
    }
  }

  private func keepProxy(_ key: Int, because reason: String) throws(PHPhotosError) -> Outcome {
    let isDone = try store.write { transaction throws(PHPhotosError) in
      guard var asset = try transaction.asset(key: key) else { return false }
      try transaction.connection.run("DELETE FROM journal WHERE asset = ?", SQLValue(key))
      try transaction.connection.run(
        "UPDATE resource SET type = ? WHERE asset = ? AND type = ?",
        SQLValue(PHAssetResourceType.photo), SQLValue(key), SQLValue(PHAssetResourceType.photoProxy))
      asset.state = .whole
      try transaction.update(asset)
      return true
    }
    return isDone ? .keptProxy(reason) : .notNeeded
  }

  private func noteFailure(_ key: Int, _ error: any Error) throws(PHPhotosError) -> PHPhotosError {
    let sentence = (error as? PHPhotosError)?.localizedDescription ?? "\(error)"
    try store.write { transaction throws(PHPhotosError) in
      transaction.isSilent = true
      transaction.noteOwnChange()
      try transaction.connection.run(
        "UPDATE journal SET attempts = attempts + 1, failure = ? WHERE asset = ?", .text(sentence),
        SQLValue(key))
    }
    return (error as? PHPhotosError)
      ?? PHPhotosError(
        .operationInterrupted, because: "The photo cannot be finished now: \(sentence)", underlying: error)
  }

  /// Removes frames that no photo waits for any more, also those of photos that were deleted.
  package func discardUnneeded() throws(PHPhotosError) {
    let unneeded = try store.read { connection throws(PHPhotosError) in
      try connection.rows("SELECT identifier FROM discard") { $0.text(0) ?? "" }
    }
    // What cannot be removed now is tried again the next time.
    let gone = unneeded.filter { (try? finisher.discard($0)) != nil }
    guard !gone.isEmpty else { return }
    try store.write { transaction throws(PHPhotosError) in
      transaction.isSilent = true
      transaction.noteOwnChange()
      for identifier in gone {
        try transaction.connection.run("DELETE FROM discard WHERE identifier = ?", .text(identifier))
      }
    }
  }
}
