internal import Foundation

/// The catalogue's row of a file of an asset.
package struct ResourceRow: Sendable, Hashable {
  package var key = 0
  package var asset = 0
  package var type = PHAssetResourceType.photo
  /// The uniform type identifier of its content.
  package var typeIdentifier = "public.jpeg"
  /// The name that it had before it came into the library.
  package var originalName: String?
  /// Relative to the folder of pictures.
  package var path = ""
  package var bytes = 0
  /// The file's time of change in nanoseconds since 1970; it shows that another program changed the file.
  package var modified = 0
  package var width = 0
  package var height = 0

  package init() {}

  static let columns = "id, asset, type, uti, original_name, path, bytes, modified, width, height"

  init(_ row: Statement) {
    key = row.integer(0)
    asset = row.integer(1)
    type = PHAssetResourceType(rawValue: row.integer(2)) ?? .photo
    typeIdentifier = row.text(3) ?? ""
    originalName = row.text(4)
    path = row.text(5) ?? ""
    bytes = row.integer(6)
    modified = row.integer(7)
    width = row.integer(8)
    height = row.integer(9)
  }
}

/// The catalogue's row of an album or a folder of albums.
package struct AlbumRow: Sendable, Hashable {
  package var key = 0
  package var uuid: UUID
  package var isFolder = false
  package var title = ""
  package var parent: Int?
  package var position = 0.0

  package init() {
    uuid = .random()
  }

  static let columns = "id, uuid, is_folder, title, parent, position"

  init(_ row: Statement) {
    key = row.integer(0)
    uuid = row.uuid(1) ?? .random()
    isFolder = row.integer(2) != 0
    title = row.text(3) ?? ""
    parent = row.optionalInteger(4)
    position = row.real(5)
  }
}

/// The kind of a change to an object.
package enum ChangeKind: Int, Sendable {
  case inserted = 0
  case updated = 1
  case deleted = 2
  /// Its picture or video is another one now.
  case contentUpdated = 3
}
