internal import Foundation
internal import FoundationExtras

/// Makes the questions behind the fetches of assets, and asks them.
enum AssetFetch {
  /// A list of so many objects is read at once; of a longer one the keys at first.
  private static let directLimit = 512

  /// The assets that satisfy `conditions` and the options.
  ///
  /// - Parameters:
  ///   - order: Without sort descriptors.
  ///   - showsHidden: Whether hidden ones are wanted whatever the options say.
  static func result(
    _ options: PHFetchOptions?, _ conditions: [String] = [], _ values: [SQLValue] = [],
    source: String = "asset",
    order: String = "created, id", showsHidden: Bool = false, showsBursts: Bool = false
  ) -> PHFetchResult<PHAsset> {
    guard let store = try? SharedLibrary.store(),
      let query = query(conditions, values, source, order, showsHidden, showsBursts, options)
    else {
      return PHFetchResult(FetchedObjects(FetchAnswer(), wantsDetails: true, ask: nil))
    }
    let wantsDetails = options?.wantsIncrementalChangeDetails ?? true
    let ask: @Sendable () -> FetchAnswer = { (try? Self.answer(query, store)) ?? FetchAnswer() }
    return PHFetchResult(
      FetchedObjects(
        ask(), wantsDetails: wantsDetails, load: { Self.load($0, at: $1, store) }, ask: ask))
  }

  private static func query(
    _ conditions: [String], _ values: [SQLValue], _ source: String, _ order: String, _ showsHidden: Bool,
    _ showsBursts: Bool, _ options: PHFetchOptions?
  ) -> FetchQuery? {
    var query = FetchQuery(source: source, conditions: conditions, values: values, order: order)
    query.conditions.append(AssetRow.isPresent)
    if !showsHidden, options?.includeHiddenAssets != true { query.conditions.append("NOT is_hidden") }
    if !showsBursts, options?.includeAllBurstAssets != true {
      query.conditions.append(
        "(burst IS NULL OR is_burst_key OR burst_types & \(PHAssetBurstSelectionType.userPick.rawValue))")
    }
    guard let options else { return query }
    let sources = options.includeAssetSourceTypes
    if !sources.isEmpty, !sources.contains(.typeUserLibrary) { query.conditions.append("0") }
    query.limit = max(0, options.fetchLimit)
    if let predicate = options.predicate {
      guard let tree = predicate.predicateTree,
        let unknown = Optional(
          tree.keys.filter { PredicateSQL.columns[$0] == nil && !PredicateSQL.identities.contains($0) }),
        unknown.isEmpty
      else {
        ProgrammingMistake.report(
          rule:
            "The predicate \(predicate.predicateText) asks for what assets are not fetched by; see PHFetchOptions.predicate."
        )
        return nil
      }
      if let condition = PredicateSQL.condition(tree) {
        query.conditions.append(condition.sql)
        query.values += condition.values
      } else {
        query.filter = tree
      }
    }
    if let descriptors = options.sortDescriptors, !descriptors.isEmpty {
      guard let order = AssetFetch.order(descriptors) else { return nil }
      query.order = order
    }
    return query
  }

  private static func order(_ descriptors: [NSSortDescriptor]) -> String? {
    var parts: [String] = []
    for descriptor in descriptors {
      guard
        let column = descriptor.sortKey.flatMap({ PredicateSQL.columns[$0] }) ?? column(descriptor.sortPath)
      else {
        ProgrammingMistake.report(
          rule:
            "Assets cannot be sorted by \(descriptor.sortKey ?? "that key path"); see PHFetchOptions.predicate for the keys."
        )
        return nil
      }
      parts.append("\(column) \(descriptor.ascending ? "ASC" : "DESC")")
    }
    // The key decides among equals, in the direction of the index.
    return (parts + ["id \(descriptors[0].ascending ? "ASC" : "DESC")"]).joined(separator: ", ")
  }

  private static func column(_ path: AnyKeyPath?) -> String? {
    switch path {
    case \PHAsset.creationDate: "created"
    case \PHAsset.modificationDate: "modified"
    case \PHAsset.addedDate: "added"
    case \PHAsset.duration: "duration"
    case \PHAsset.pixelWidth: "width"
    case \PHAsset.pixelHeight: "height"
    case \PHAsset.isFavorite: "is_favorite"
    case \PHAsset.mediaType: "media_type"
    default: nil
    }
  }

  // MARK: Asking

  private static func answer(_ query: FetchQuery, _ store: LibraryStore) throws(PHPhotosError) -> FetchAnswer
  {
    try store.read { connection throws(PHPhotosError) in
      // One view of the library for the revision and the rows.
      try connection.execute("BEGIN")
      defer { try? connection.execute("COMMIT") }
      var answer = FetchAnswer()
      answer.revision = try LibraryStore.revision(connection)
      if let filter = query.filter {
        let rows = try connection.rows(query.sql(AssetRow.columns), query.values) { AssetRow($0) }
        let fitting = rows.lazy.filter { row in filter.holds { row.value(of: $0) } }
        answer.keys = query.limit > 0 ? fitting.prefix(query.limit).map(\.key) : fitting.map(\.key)
      } else if query.limit > 0, query.limit <= directLimit {
        let objects = try connection.rows(query.sql(AssetRow.columns), query.values) { PHAsset(AssetRow($0)) }
        answer.keys = objects.map(\.key)
        answer.objects = objects
      } else {
        answer.keys = try connection.rows(query.sql("id"), query.values) { $0.integer(0) }
      }
      return answer
    }
  }

  /// The assets of keys, in their order, as they were at a revision; one that was deleted so long ago that the catalogue has
  /// forgotten it is there with its identifier only.
  static func load(_ keys: [Int], at revision: Int, _ store: LibraryStore) -> [PHAsset] {
    let list = keys.map(String.init).joined(separator: ",")
    let rows = try? store.read { connection throws(PHPhotosError) in
      // One view of the library for what is and what was.
      try connection.execute("BEGIN")
      defer { try? connection.execute("COMMIT") }
      var rows: [Int: AssetRow] = [:]
      func add(_ text: String) throws(PHPhotosError) {
        // Not kept as a statement: the text is another one each time.
        let statement = try Statement(connection.pointer, text)
        while try statement.step() {
          let row = AssetRow(statement)
          rows[row.key] = row
        }
      }
      try add("SELECT \(AssetRow.columns) FROM asset WHERE id IN (\(list))")
      // The earliest comes last and stays. A library that is only read may be of before there was this table.
      try? add(
        "SELECT \(AssetRow.columns) FROM former WHERE id IN (\(list)) AND revision > \(revision) ORDER BY revision DESC"
      )
      return rows
    }
    return keys.map { key in PHAsset(rows?[key] ?? deleted(key, store)) }
  }

  private static func deleted(_ key: Int, _ store: LibraryStore) -> AssetRow {
    let uuid = try? store.read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT uuid FROM change WHERE entity = ? AND object = ? AND kind = ?",
        [SQLValue(PHObjectType.asset), SQLValue(key), SQLValue(ChangeKind.deleted)]
      ) { $0.uuid(0) }
    }
    var row = AssetRow(added: store.time.date)
    row.key = key
    if let uuid = uuid?.first ?? nil { row.uuid = uuid }
    return row
  }

  /// The asset with a key as it is now; `nil` when it is gone.
  static func asset(_ key: Int, _ store: LibraryStore) -> PHAsset? {
    let rows = try? store.read { connection throws(PHPhotosError) in
      try connection.rows(
        "SELECT \(AssetRow.columns) FROM asset WHERE id = ? AND \(AssetRow.isPresent)", [SQLValue(key)]
      ) { PHAsset(AssetRow($0)) }
    }
    return rows?.first
  }
}

extension AssetRow {
  /// The value that predicates see under a key.
  func value(of key: String) -> PredicateValue {
    func date(_ seconds: Double?) -> PredicateValue {
      seconds.map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
    }
    switch key {
    case "creationDate": return date(created)
    case "modificationDate": return date(modified)
    case "addedDate": return date(added)
    case "mediaType": return .integer(Int64(mediaType.rawValue))
    case "mediaSubtypes", "mediaSubtype": return .integer(Int64(bitPattern: UInt64(subtypes.rawValue)))
    case "duration": return .real(duration)
    case "pixelWidth": return .integer(Int64(width))
    case "pixelHeight": return .integer(Int64(height))
    case "isFavorite", "favorite": return .integer(isFavorite ? 1 : 0)
    case "isHidden", "hidden": return .integer(isHidden ? 1 : 0)
    case "representsBurst": return .integer(isBurstKey ? 1 : 0)
    case "burstIdentifier": return burst.map { .text($0) } ?? .null
    case "uuid": return .text(uuid.uuidString)
    default: return .text(LocalIdentifier.asset(uuid))
    }
  }
}
