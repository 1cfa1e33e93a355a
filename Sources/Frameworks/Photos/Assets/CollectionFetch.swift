internal import Foundation
internal import FoundationExtras

/// Fetches collections: few enough to be read as a whole, filtered and sorted here.
enum CollectionFetch {
  /// The collections that `list` returns, as the options want them.
  static func result<Collection: PHCollection>(
    _ options: PHFetchOptions?, _ list: @escaping @Sendable (LibraryStore) -> [PHCollection]
  ) -> PHFetchResult<Collection> {
    guard let store = try? SharedLibrary.store(), let choice = Choice(options) else {
      return PHFetchResult(FetchedObjects(FetchAnswer(), wantsDetails: true, ask: nil))
    }
    let ask: @Sendable () -> FetchAnswer = {
      // Before the rows: what comes in between is noticed again.
      let revision = (try? store.revision()) ?? 0
      let objects = choice.chosen(list(store).filter { $0 is Collection })
      return FetchAnswer(keys: objects.map(\.key), revision: revision, objects: objects)
    }
    return PHFetchResult(
      FetchedObjects(ask(), wantsDetails: options?.wantsIncrementalChangeDetails ?? true, ask: ask))
  }

  /// The albums and folders that fit, as the user arranged them.
  static func albums(_ store: LibraryStore, _ fits: (AlbumRow) -> Bool) -> [PHCollection] {
    let rows = try? store.read { connection throws(PHPhotosError) in
      try connection.rows("SELECT \(AlbumRow.columns) FROM album ORDER BY position, id") { AlbumRow($0) }
    }
    return (rows ?? []).filter(fits).map { $0.isFolder ? PHCollectionList($0) : PHAssetCollection($0) }
  }

  private struct Choice: Sendable {
    var filter: PredicateTree?
    var sorting: [(key: String, isAscending: Bool)] = []
    var limit = 0

    private static let keys: Set = [
      "localIdentifier", "SELF", "self", "localizedTitle", "title", "startDate", "endDate",
      "estimatedAssetCount",
      "assetCollectionType", "assetCollectionSubtype",
    ]

    init?(_ options: PHFetchOptions?) {
      guard let options else { return }
      limit = max(0, options.fetchLimit)
      if let predicate = options.predicate {
        guard let tree = predicate.predicateTree, tree.keys.isSubset(of: Self.keys) else {
          ProgrammingMistake.report(
            rule:
              "The predicate \(predicate.predicateText) asks for what collections are not fetched by; see PHFetchOptions.predicate."
          )
          return nil
        }
        filter = tree
      }
      for descriptor in options.sortDescriptors ?? [] {
        let path = descriptor.sortPath
        let key =
          descriptor.sortKey
          ?? (path == \PHCollection.localizedTitle
            ? "localizedTitle"
            : path == \PHAssetCollection.localizedTitle
              ? "localizedTitle"
              : path == \PHAssetCollection.startDate
                ? "startDate"
                : path == \PHAssetCollection.endDate ? "endDate" : nil)
        guard let key, Self.keys.contains(key) else {
          ProgrammingMistake.report(
            rule: "Collections cannot be sorted by that; see PHFetchOptions.predicate for the keys.")
          return nil
        }
        sorting.append((key, descriptor.ascending))
      }
    }

    func chosen(_ list: [PHCollection]) -> [PHCollection] {
      var list = list
      if let filter { list = list.filter { object in filter.holds { object.value(of: $0) } } }
      for (key, isAscending) in sorting.reversed() {
        let order = PredicateComparison(isAscending ? .less : .greater)
        // Equals stay as they were, so that each descriptor decides among the equals of the one before it.
        list = list.enumerated().sorted { left, right in
          let values = (left.element.value(of: key), right.element.value(of: key))
          if order.orders(values.0, values.1) { return true }
          return order.orders(values.1, values.0) ? false : left.offset < right.offset
        }.map(\.element)
      }
      return limit > 0 ? Array(list.prefix(limit)) : list
    }
  }
}

extension PHCollection {
  /// The value that predicates see under a key.
  fileprivate func value(of key: String) -> PredicateValue {
    let album = self as? PHAssetCollection
    switch key {
    case "localizedTitle", "title": return localizedTitle.map { .text($0) } ?? .null
    case "estimatedAssetCount": return album.map { .integer(Int64($0.estimatedAssetCount)) } ?? .null
    case "startDate": return (album?.startDate).map { .date($0) } ?? .null
    case "endDate": return (album?.endDate).map { .date($0) } ?? .null
    case "assetCollectionType": return album.map { .integer(Int64($0.assetCollectionType.rawValue)) } ?? .null
    case "assetCollectionSubtype":
      return album.map { .integer(Int64($0.assetCollectionSubtype.rawValue)) } ?? .null
    default: return .text(localIdentifier)
    }
  }
}
