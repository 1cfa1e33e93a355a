internal import Foundation
internal import Linux

extension Thumbnails {
  /// Where the thumbnails of assets lie, whether they are there or not; `nil` for an asset without a file.
  ///
  /// All files are looked up at once, and none is touched: a grid that scrolls asks for a page of them.
  package static func paths(
    of assets: [PHAsset], _ size: Size, _ store: LibraryStore
  ) throws(PHPhotosError) -> [String?] {
    let list = assets.map { String($0.key) }.joined(separator: ",")
    let shown = Self.shownTypes.enumerated().map { "WHEN \($1.rawValue) THEN \($0)" }.joined(separator: " ")
    let files = try store.read { connection throws(PHPhotosError) in
      // Not kept as a statement: the text is another one each time.
      let statement = try Statement(
        connection.pointer,
        "SELECT asset, path, CASE type \(shown) END AS rank FROM resource WHERE asset IN (\(list)) AND rank IS NOT NULL"
      )
      var files: [Int: (path: String, rank: Int)] = [:]
      while try statement.step() {
        let (asset, rank) = (statement.integer(0), statement.integer(2))
        if let known = files[asset], known.rank <= rank { continue }
        files[asset] = (statement.text(1) ?? "", rank)
      }
      return files
    }
    var names = Names(store.place, size)
    return assets.map { asset in files[asset.key].map { names.path(of: $0.path) } }
  }

  /// The kinds of files that thumbnails are made of, the best first.
  private static let shownTypes: [PHAssetResourceType] = [
    .fullSizePhoto, .photo, .photoProxy, .fullSizeVideo, .video,
  ]

  /// Names thumbnails of files in one folder: what they share is worked out once, and its memory serves all.
  private struct Names {
    private let sum: MD5
    /// What is behind the whole blocks of the folder's URI, then a name; so long is the first part.
    private var rest: [UInt8]
    private let restCount: Int
    /// The folder of the thumbnails, then a name; so long is the first part.
    private var text: [UInt8]
    private let folderCount: Int

    init(_ place: LibraryFolders, _ size: Size) {
      rest = Array(Thumbnails.uri(place.pictures + "/").utf8)
      sum = MD5(&rest)
      restCount = rest.count
      text = Array("\(place.thumbnails)/\(size.folder)/".utf8)
      folderCount = text.count
    }

    /// The thumbnail of a file that lies at `path` in the folder.
    mutating func path(of path: String) -> String {
      rest.removeLast(rest.count - restCount)
      text.removeLast(text.count - folderCount)
      Thumbnails.append(path, to: &rest)
      sum.appendDigits(behind: &rest, to: &text)
      text += ".png".utf8
      return String(decoding: text, as: UTF8.self)
    }
  }
}
