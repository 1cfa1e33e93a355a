internal import Foundation
internal import Photos

/// `obscura library album`: lists albums, makes, fills, empties and deletes them.
enum LibraryAlbums {
  private struct Answer: Encodable {
    var schema = "obscura.library-album"
    var version = 1
    var identifier: String
    var title: String
    var count: Int
    var isSmart: Bool
  }

  private static let words = "album [create|add|remove|delete TITLE [ID…]]"

  static func run(_ arguments: inout Arguments, _ terminal: Terminal) throws -> ExitCode {
    try LibraryAssets.checkLibrary()
    guard let what = arguments.takeOperand() else {
      try list(terminal, isJSON: arguments.has("json"))
      return .done
    }
    guard let title = arguments.takeOperand() else {
      throw CommandError(.usage, "no title was given; write 'obscura library \(words)'.")
    }
    let library = PHPhotoLibrary.shared()
    switch what {
    case "create":
      guard LibraryAssets.album(title) == nil else {
        throw CommandError(.otherFailure, "There is an album '\(title)' already; choose another title.")
      }
      _ = try LibraryTransfer.album(title)
    case "add", "remove":
      let assets = try arguments.operands.map { try LibraryAssets.named($0) }
      let album = what == "add" ? try LibraryTransfer.album(title) : try known(title)
      try library.performChangesAndWait {
        let request = PHAssetCollectionChangeRequest(for: album)
        if what == "add" { request?.addAssets(assets) } else { request?.removeAssets(assets) }
      }
    case "delete":
      let album = try known(title)
      try library.performChangesAndWait { PHAssetCollectionChangeRequest.deleteAssetCollections([album]) }
    default:
      throw CommandError(
        .usage, "'\(what)' is nothing that is done with albums; write 'obscura library \(words)'.")
    }
    return .done
  }

  private static func known(_ title: String) throws(CommandError) -> PHAssetCollection {
    guard let album = LibraryAssets.album(title) else { throw LibraryListing.noAlbum(title) }
    guard album.assetCollectionType == .album else {
      throw CommandError(.otherFailure, "The album '\(title)' follows from a rule and cannot be changed.")
    }
    return album
  }

  private static func list(_ terminal: Terminal, isJSON: Bool) throws {
    for type in [PHAssetCollectionType.album, .smartAlbum] {
      let found = PHAssetCollection.fetchAssetCollections(with: type, subtype: .any, options: nil)
      for index in 0..<found.count {
        let album = found[index]
        let count = PHAsset.fetchAssets(in: album, options: nil).count
        guard type == .album || count > 0 else { continue }
        let answer = Answer(
          identifier: album.localIdentifier, title: album.localizedTitle ?? "", count: count,
          isSmart: type == .smartAlbum)
        if isJSON {
          try terminal.answer(json: answer)
        } else {
          try terminal.answer("\(answer.count)\t\(answer.title)")
        }
      }
    }
  }
}
