internal import Foundation
internal import Linux

/// Finds the resource type of a file for the command that adds it.
package enum LibraryFile {
  /// The type that a file would have in an asset, by its content; by its name when that cannot be read, so that adding it says why.
  package static func type(of path: String) -> PHAssetResourceType {
    if let facts = MediaFacts(path: path) { return PHAssetResourceType(originalOf: facts.mediaType) }
    return filmExtensions.contains((path as NSString).pathExtension.lowercased()) ? .video : .photo
  }

  private static let filmExtensions: Set<String> = ["mov", "mp4", "m4v", "avi", "mkv", "webm"]
}

extension PHAssetResource {
  /// The path of the file; `nil` for what the catalogue keeps.
  package var path: String? { adjustment == nil ? store.path(of: row) : nil }
  /// How many bytes it has.
  package var byteCount: Int { row.bytes }

  /// Copies it into a folder, under its own name or the next free one; returns the path.
  ///
  /// - Throws: ``PHPhotosError``.
  package func export(to folder: String) throws(PHPhotosError) -> String {
    let name = ((adjustment == nil ? row.path : "adjustments") as NSString).lastPathComponent
    for number in 0..<100_000 {
      let path = "\(folder)/\(number == 0 ? name : FileNames.numbered(name, number))"
      if FileCalls.exists(path) { continue }
      do throws(PHPhotosError) {
        try PHAssetResourceManager.write(self, to: path)
        return path
      } catch {
        // Another program was faster with that name.
        guard (error.userInfo["NSUnderlyingError"] as? SystemError)?.reason == .alreadyExists else {
          throw error
        }
      }
    }
    throw PHPhotosError(
      .operationInterrupted, because: "\(folder) is full of files called \(name); choose another folder.")
  }
}
