internal import Foundation

extension Thumbnails {
  /// Where the thumbnails of assets lie, whether they are there or not, in the order of the assets that have a file.
  ///
  /// One question to the catalogue for all of them: for lists.
  package static func paths(of assets: [PHAsset], _ size: Size) -> [String] {
    guard let store = try? SharedLibrary.store() else { return [] }
    let list = assets.map { String($0.key) }.joined(separator: ",")
    let wanted: [PHAssetResourceType] = [
      .fullSizePhoto, .fullSizeVideo, .photo, .video, .photoProxy,
    ]
    let rank = Dictionary(uniqueKeysWithValues: wanted.enumerated().map { ($1.rawValue, $0) })
    let found = try? store.read { connection throws(PHPhotosError) in
      // Not kept as a statement: the text is another one each time.
      let statement = try Statement(
        connection.pointer, "SELECT asset, type, path FROM resource WHERE asset IN (\(list))")
      var best: [Int: (rank: Int, path: String)] = [:]
      while try statement.step() {
        guard let rank = rank[statement.integer(1)] else { continue }
        let asset = statement.integer(0)
        if let known = best[asset], known.rank <= rank { continue }
        best[asset] = (rank, statement.text(2) ?? "")
      }
      return best
    }
    guard let found else { return [] }
    let thumbnails = Thumbnails(store.place.thumbnails)
    return assets.compactMap { asset in
      found[asset.key].map { thumbnails.path(of: "\(store.place.pictures)/\($0.path)", size) }
    }
  }
}
