internal import Foundation
internal import Linux

/// Access of the benchmarks to a library, beside Apple's API: many rows without files, and the paths of thumbnails.
@_spi(Benchmarks) public enum LibraryMeasurement {
  /// The SQL that makes an empty catalogue, for a peer with the same tables and indexes.
  public static var schema: String { Schema.steps.joined(separator: "\n") }

  /// The catalogue of the library in a folder.
  public static func database(of folder: String) -> String { LibraryFolders(folder: folder).database }

  /// Makes this program open the library in a folder when it is asked for, instead of another one.
  public static func use(_ folder: String) { SharedLibrary.use(LibraryFolders(folder: folder)) }

  /// Closes the open library.
  public static func close() { SharedLibrary.use(nil) }

  /// Opens the library in a folder, and makes it where it is missing.
  ///
  /// - Throws: ``PHPhotosError``.
  public static func open(_ folder: String) throws(PHPhotosError) {
    use(folder)
    _ = try SharedLibrary.store()
  }

  /// Puts so many photos into the open library's catalogue in one transaction; they have no files.
  ///
  /// - Throws: ``PHPhotosError``.
  public static func fill(_ count: Int) throws(PHPhotosError) {
    try SharedLibrary.store().write { transaction throws(PHPhotosError) in
      for index in 0..<count {
        var asset = AssetRow(added: Date())
        asset.mediaType = .image
        asset.width = 4000
        asset.height = 3000
        asset.created = Double(index)
        asset.modified = Double(index)
        var resource = ResourceRow()
        resource.asset = try transaction.insert(asset)
        resource.path = "2026-11/IMG_\(index).jpg"
        resource.originalName = "IMG_\(index).jpg"
        resource.bytes = 3_000_000
        resource.width = 4000
        resource.height = 3000
        try transaction.insert(resource)
      }
    }
  }

  /// The paths of assets' thumbnails in the size of 256 pixels; `nil` for an asset without a file.
  ///
  /// - Throws: ``PHPhotosError``.
  public static func thumbnailPaths(of assets: [PHAsset]) throws(PHPhotosError) -> [String?] {
    try Thumbnails.paths(of: assets, .large, SharedLibrary.store())
  }
}
