import Foundation
import Photos

/// A snapshot of an album: its assets and their times, ordered by days.
final class LibraryContent: Sendable {
  let assets: PHFetchResult<PHAsset>
  /// When each asset was taken, in seconds since 2001, as the fetch sorts them.
  let times: [Double?]
  /// The index in the fetch of each shown place; assets that wait to be deleted have none.
  let order: [Int32]
  let days: LibraryDays

  /// Reads all times; `hidden` are the identifiers that are not shown.
  convenience init(_ assets: PHFetchResult<PHAsset>, hiding hidden: Set<String>) {
    self.init(assets, times: (0..<assets.count).map { Self.time(assets[$0]) }, hiding: hidden)
  }

  private init(_ assets: PHFetchResult<PHAsset>, times: [Double?], hiding hidden: Set<String>) {
    self.assets = assets
    self.times = times
    let left = Set(LibraryAccess.assets(Array(hidden)).map { assets.index(of: $0) })
    order =
      left.isEmpty
      ? (0..<Int32(times.count)).map { $0 }
      : times.indices.lazy.filter { !left.contains($0) }.map { Int32($0) }
    days = LibraryDays(order.lazy.map { times[Int($0)] })
  }

  /// The same album after a change; reads what is new only.
  func changed(by details: PHFetchResultChangeDetails<PHAsset>, hiding hidden: Set<String>) -> LibraryContent
  {
    let after = details.fetchResultAfterChanges
    guard details.hasIncrementalChanges, !details.hasMoves else {
      return LibraryContent(after, hiding: hidden)
    }
    var times = times
    for index in (details.removedIndexes ?? []).reversed() where times.indices.contains(index) {
      times.remove(at: index)
    }
    for index in details.insertedIndexes ?? [] where index <= times.count {
      times.insert(Self.time(after[index]), at: index)
    }
    guard times.count == after.count else { return LibraryContent(after, hiding: hidden) }
    for index in details.changedIndexes ?? [] { times[index] = Self.time(after[index]) }
    return LibraryContent(after, times: times, hiding: hidden)
  }

  /// The same album with other assets left out.
  func hiding(_ hidden: Set<String>) -> LibraryContent {
    LibraryContent(assets, times: times, hiding: hidden)
  }

  private static func time(_ asset: PHAsset) -> Double? { asset.creationDate?.timeIntervalSinceReferenceDate }

  /// The number of shown assets.
  var count: Int { order.count }

  func asset(at place: Int) -> PHAsset? {
    order.indices.contains(place) ? assets[Int(order[place])] : nil
  }

  /// The place of an asset; `nil` when it is not shown.
  func place(of identifier: String) -> Int? {
    guard let asset = LibraryAccess.asset(identifier) else { return nil }
    let index = assets.index(of: asset)
    guard index != NSNotFound else { return nil }
    // The order only ever leaves out, so that it grows.
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] < Int32(index) { low = middle + 1 } else { high = middle }
    }
    return low < order.count && order[low] == Int32(index) ? low : nil
  }
}

extension LibraryItem {
  /// The item of an asset.
  init(_ asset: PHAsset) {
    id = asset.localIdentifier
    isMovie = asset.mediaType == .video
    isFavorite = asset.isFavorite
    duration = asset.duration
    date = asset.creationDate
    width = asset.pixelWidth
    height = asset.pixelHeight
    modified = asset.modificationDate
  }
}
