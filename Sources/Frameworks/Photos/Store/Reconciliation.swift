internal import Foundation
internal import FoundationExtras
internal import Linux

/// Brings the catalogue in line with the files that other programs added, moved, changed and removed.
package struct Reconciliation: Sendable {
  /// The findings of a reconciliation, as paths relative to the pictures.
  package struct Report: Sendable, Hashable {
    /// Files that are assets now.
    package var appeared: [String] = []
    /// Files of assets that are gone; what is known of the assets is kept for their return.
    package var vanished: [String] = []
    /// Files that were gone and are there again.
    package var returned: [String] = []
    /// Files that have another name now.
    package var moved: [String] = []
    /// Files with another content than before.
    package var changed: [String] = []
    /// Whether files may be in the midst of being written, so that it helps to look again later.
    package var isUnsettled = false

    /// Nothing was found.
    package init() {}
  }

  private let store: LibraryStore
  private let isFull: Bool
  /// A file that is younger may be in the midst of being written.
  private let restSeconds: Double

  /// - Parameters:
  ///   - isFull: Whether also folders are read whose time of change is as it was.
  ///   - restSeconds: How long a file must not have changed before it is taken as whole.
  package init(_ store: LibraryStore, isFull: Bool, restSeconds: Double = 2) {
    self.store = store
    self.isFull = isFull
    self.restSeconds = restSeconds
  }

  private struct Found {
    var bytes: Int
    var modified: Int
  }

  private struct Known {
    var resource: ResourceRow
    var state: AssetRow.State
  }

  /// Looks, and changes the catalogue in one transaction where that is needed.
  package func run() throws(PHPhotosError) -> Report {
    var report = Report()
    let known = try knownFolders()
    // Times are read before the names: what comes in between is found the next time.
    let folders = folderTimes(known)
    var changed = folders.filter { isFull || known[$0.key] != $0.value }.map(\.key)
    let named = isFull ? try foldersOfResources() : []
    changed += named.union(known.keys).filter { folders[$0] == nil }
    guard !changed.isEmpty else { return report }

    var vanished: [Known] = []
    var fresh: [(path: String, found: Found)] = []
    var returned: [Known] = []
    var rewritten: [(ResourceRow, Found)] = []
    var unsettled: Set<String> = []
    for folder in changed.sorted() {
      let files = folders[folder] == nil ? [:] : self.files(in: folder)
      let rows = try resources(in: folder)
      for (path, row) in rows {
        if let found = files[path] {
          if row.state == .missing { returned.append(row) }
          if found.bytes != row.resource.bytes || found.modified != row.resource.modified {
            rewritten.append((row.resource, found))
          }
        } else if row.state != .missing, !FileCalls.exists(store.path(of: row.resource)) {
          vanished.append(row)
        }
      }
      for (path, found) in files where rows[path] == nil {
        let age = Date().timeIntervalSince1970 - Double(found.modified) / 1e9
        let rests = age >= restSeconds || age < 0
        if rests { fresh.append((path, found)) } else { unsettled.insert(folder) }
      }
    }
    report.isUnsettled = !unsettled.isEmpty
    let arrivals = fresh.map { file in
      (file.path, file.found, MediaFacts(path: "\(store.place.pictures)/\(file.path)"))
    }
    try store.write { transaction throws(PHPhotosError) in
      transaction.isSilent = true
      try apply(arrivals, vanished, returned, rewritten, transaction, &report)
      for folder in changed {
        if let time = folders[folder], !unsettled.contains(folder) {
          try transaction.connection.run(
            "INSERT OR REPLACE INTO folder(path, modified) VALUES(?, ?)", .text(folder), .integer(Int64(time))
          )
        } else {
          try transaction.connection.run("DELETE FROM folder WHERE path = ?", .text(folder))
        }
      }
      transaction.noteOwnChange()
    }
    return report
  }

  // MARK: Looking

  /// The folders that hold pictures, relative to that of all.
  package func folders() throws(PHPhotosError) -> Set<String> { Set(folderTimes(try knownFolders()).keys) }

  /// The folders that were read, and when a name in each had last changed.
  private func knownFolders() throws(PHPhotosError) -> [String: Int] {
    try store.read { connection throws(PHPhotosError) in
      let rows = try connection.rows("SELECT path, modified FROM folder") {
        ($0.text(0) ?? "", $0.integer(1))
      }
      return Dictionary(rows.filter { $0.0.isEmpty || LibraryFolders.isInside($0.0) }) { $1 }
    }
  }

  /// The folders in which the catalogue looks for files.
  private func foldersOfResources() throws(PHPhotosError) -> Set<String> {
    let paths = try store.read { connection throws(PHPhotosError) in
      try connection.rows("SELECT path FROM resource") { $0.text(0) ?? "" }
    }
    return Set(paths.filter(LibraryFolders.isInside).map { ($0 as NSString).deletingLastPathComponent })
  }

  /// The folders below the pictures, and when a name in them last changed; hidden ones and links are not looked into.
  ///
  /// Those in a folder that has not changed are the ones that are known: its names are not read.
  private func folderTimes(_ known: [String: Int]) -> [String: Int] {
    let inside = Dictionary(grouping: known.keys.filter { !$0.isEmpty }) {
      ($0 as NSString).deletingLastPathComponent
    }
    var times: [String: Int] = [:]
    var waiting = [""]
    while let folder = waiting.popLast(), times.count < 100_000 {
      let path = folder.isEmpty ? store.place.pictures : "\(store.place.pictures)/\(folder)"
      guard folder.isEmpty || FileCalls.kind(path) == .folder, let time = FileCalls.folderTime(path) else {
        continue
      }
      times[folder] = time
      if !isFull, known[folder] == time {
        waiting += inside[folder] ?? []
        continue
      }
      for name in DeviceTree.names(in: path) where !name.hasPrefix(".") && !MediaFacts.isMedia(named: name) {
        let inner = folder.isEmpty ? name : "\(folder)/\(name)"
        if inner.split(separator: "/").count <= 16 { waiting.append(inner) }
      }
    }
    return times
  }

  private func files(in folder: String) -> [String: Found] {
    let path = folder.isEmpty ? store.place.pictures : "\(store.place.pictures)/\(folder)"
    var found: [String: Found] = [:]
    for name in DeviceTree.names(in: path) where !name.hasPrefix(".") && MediaFacts.isMedia(named: name) {
      let relative = folder.isEmpty ? name : "\(folder)/\(name)"
      guard let facts = FileCalls.facts("\(path)/\(name)"), facts.bytes > 0 else { continue }
      found[relative] = Found(bytes: facts.bytes, modified: facts.modified)
    }
    return found
  }

  private func resources(in folder: String) throws(PHPhotosError) -> [String: Known] {
    let prefix = folder.isEmpty ? "" : "\(folder)/"
    let columns = ResourceRow.columns.split(separator: ",").map {
      "r.\($0.trimmingCharacters(in: .whitespaces))"
    }
    .joined(separator: ", ")
    let rows = try store.read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT \(columns), a.state FROM resource r JOIN asset a ON a.id = r.asset WHERE r.path >= ?1 AND r.path < ?2",
        [.text(prefix), .text(prefix + "\u{10FFFF}")]
      ) { Known(resource: ResourceRow($0), state: AssetRow.State(rawValue: $0.integer(10)) ?? .whole) }
    }
    return Dictionary(
      rows.filter { !$0.resource.path.dropFirst(prefix.count).contains("/") }.map { ($0.resource.path, $0) }
    ) { $1 }
  }

  // MARK: Changing

  private func apply(
    _ arrivals: [(String, Found, MediaFacts?)], _ vanished: [Known], _ returned: [Known],
    _ rewritten: [(ResourceRow, Found)], _ transaction: LibraryTransaction, _ report: inout Report
  ) throws(PHPhotosError) {
    let thumbnails = Thumbnails(store.place.thumbnails)
    // Other programs may have kept, renamed or deleted them since they were looked at.
    var lost: [Known] = []
    for row in vanished where try Self.isKnown(row.resource.path, transaction) {
      if store.place.file(named: row.resource.path).map(FileCalls.exists) != true { lost.append(row) }
    }
    let files = arrivals.compactMap { arrival in arrival.2.map { (arrival.0, $0) } }
    let raws = RawPairs.find(files)
    // All files of one press have the name of its movie; the movie is the photo's.
    let parts = Array(LivePairs.find(files.filter { !raws.values.contains($0.0) })) + Array(raws)
    // Videos and raw files of pictures come behind them.
    let halves = Set(parts.map(\.value))
    let owners = Dictionary(parts.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    for (path, found, facts) in arrivals.filter({ !halves.contains($0.0) })
      + arrivals.filter({ halves.contains($0.0) })
    {
      guard try !Self.isKnown(path, transaction), FileCalls.exists("\(store.place.pictures)/\(path)") else {
        continue
      }
      // A file of the same size and time as one that is gone is that one.
      let isSame = { (row: Known) in
        row.resource.bytes == found.bytes && row.resource.modified == found.modified
      }
      if let index = lost.firstIndex(where: isSame) {
        let row = lost.remove(at: index)
        try transaction.connection.run(
          "UPDATE resource SET path = ? WHERE id = ?", .text(path), SQLValue(row.resource.key))
        thumbnails.remove("\(store.place.pictures)/\(row.resource.path)")
        report.moved.append(path)
        transaction.isSilent = false
        continue
      }
      guard let facts else { continue }
      if try pair(path, found, facts, with: owners[path], transaction) {
        report.appeared.append(path)
        transaction.isSilent = false
        continue
      }
      try Self.add(path, found.bytes, found.modified, facts, transaction)
      report.appeared.append(path)
      transaction.isSilent = false
    }
    for row in lost {
      // Without a rendering or the paired video the asset is still there.
      if row.resource.type.isOriginal {
        try setState(.missing, row.resource.asset, transaction)
      }
      thumbnails.remove("\(store.place.pictures)/\(row.resource.path)")
      report.vanished.append(row.resource.path)
    }
    for row in returned {
      let isUnfinished =
        try transaction.connection.integer(
          "SELECT 1 FROM journal WHERE asset = ?", SQLValue(row.resource.asset)) != nil
      try setState(isUnfinished ? .unfinished : .whole, row.resource.asset, transaction)
      report.returned.append(row.resource.path)
    }
    for (resource, found) in rewritten { try update(resource, found, transaction, &report) }
  }

  /// Adds a video or a raw file to the asset of its picture, which is in the catalogue already; `false` where there is none.
  private func pair(
    _ path: String, _ found: Found, _ facts: MediaFacts, with owner: String?,
    _ transaction: LibraryTransaction
  ) throws(PHPhotosError) -> Bool {
    let isRaw = facts.typeIdentifier == RawPairs.rawType
    guard facts.mediaType == .video || isRaw else { return false }
    let stem = LivePairs.stem(path)
    let names = ["heic", "HEIC", "jpg", "JPG", "jpeg", "JPEG", "heif", "HEIF"].map { "\(stem).\($0)" }
    for photo in owner.map({ [$0] }) ?? names {
      guard
        let key = try transaction.connection.integer(
          "SELECT asset FROM resource WHERE path = ?", .text(photo)),
        var asset = try transaction.asset(key: Int(key)), asset.mediaType == .image,
        !(isRaw ? asset.marks.contains(.raw) : asset.subtypes.contains(.photoLive))
      else { continue }
      if owner == nil {
        // It came at another time than its picture.
        guard let file = store.place.file(named: photo), let known = MediaFacts(path: file),
          isRaw
            ? RawPairs.isPair((photo, known), (path, facts)) : LivePairs.isPair((photo, known), (path, facts))
        else { continue }
      }
      var resource = Self.resource(path, found.bytes, found.modified, facts)
      resource.asset = asset.key
      resource.type = isRaw ? .alternatePhoto : .pairedVideo
      try transaction.insert(resource)
      if isRaw { asset.marks.insert(.raw) } else { asset.subtypes.insert(.photoLive) }
      try transaction.update(asset, isContent: true)
      return true
    }
    return false
  }

  /// Whether the catalogue has a file of that path, or is about to remove it.
  private static func isKnown(_ path: String, _ transaction: LibraryTransaction) throws(PHPhotosError) -> Bool
  {
    let isKnown = try transaction.connection.integer(
      "SELECT EXISTS(SELECT 1 FROM resource WHERE path = ?1) OR EXISTS(SELECT 1 FROM pending WHERE path = ?1)",
      .text(path))
    return isKnown == 1
  }

  private func setState(
    _ state: AssetRow.State, _ key: Int, _ transaction: LibraryTransaction
  ) throws(PHPhotosError) {
    guard var asset = try transaction.asset(key: key) else { return }
    asset.state = state
    try transaction.update(asset)
    transaction.isSilent = false
  }

  /// Adds an asset for a file that lies where it stays.
  static func add(
    _ path: String, _ bytes: Int, _ modified: Int, _ facts: MediaFacts, _ transaction: LibraryTransaction
  ) throws(PHPhotosError) {
    var asset = AssetRow(facts, added: transaction.date)
    let modification = Double(modified) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate
    asset.created = asset.created ?? modification
    asset.modified = modification
    var resource = resource(path, bytes, modified, facts)
    resource.asset = try transaction.insert(asset)
    resource.type = PHAssetResourceType(originalOf: facts.mediaType)
    try transaction.insert(resource)
  }

  /// The row of a file that lies where it stays.
  private static func resource(
    _ path: String, _ bytes: Int, _ modified: Int, _ facts: MediaFacts
  ) -> ResourceRow {
    var resource = ResourceRow()
    resource.typeIdentifier = facts.typeIdentifier
    resource.originalName = (path as NSString).lastPathComponent
    resource.path = path
    resource.bytes = bytes
    resource.modified = modified
    resource.width = facts.width
    resource.height = facts.height
    return resource
  }

  private func update(
    _ resource: ResourceRow, _ found: Found, _ transaction: LibraryTransaction, _ report: inout Report
  ) throws(PHPhotosError) {
    try transaction.connection.run(
      "UPDATE resource SET bytes = ?, modified = ? WHERE id = ?", SQLValue(found.bytes),
      SQLValue(found.modified),
      SQLValue(resource.key))
    guard found.bytes != resource.bytes else { return }
    report.changed.append(resource.path)
    guard var asset = try transaction.asset(key: resource.asset),
      let file = store.place.file(named: resource.path), let facts = MediaFacts(path: file)
    else { return }
    // A paired video, or the original behind a rendering, has a size and a duration of its own.
    let isShown =
      asset.marks.contains(.adjusted)
      ? [.fullSizePhoto, .fullSizeVideo].contains(resource.type) : resource.type.isOriginal
    if isShown {
      asset.width = facts.width
      asset.height = facts.height
      asset.duration = facts.duration
    }
    asset.modified = Double(found.modified) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate
    try transaction.update(asset, isContent: true)
    transaction.isSilent = false
  }
}

extension AssetRow {
  /// An asset of a file that says this about itself.
  init(_ facts: MediaFacts, added date: Date) {
    self.init(added: date)
    mediaType = facts.mediaType
    subtypes = facts.subtypes
    width = facts.width
    height = facts.height
    duration = facts.duration
    created = facts.created?.timeIntervalSinceReferenceDate
    location = facts.location
    marks = facts.marks
  }
}
