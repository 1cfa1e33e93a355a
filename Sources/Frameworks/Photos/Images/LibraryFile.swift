internal import Foundation
internal import Linux

/// What the command needs of files.
package enum LibraryFile {
  /// What a file would be in an asset, by its content; by its name when that cannot be read, so that adding it says why.
  package static func type(of path: String) -> PHAssetResourceType {
    switch MediaFacts(path: path)?.mediaType {
    case 2: .video
    case 3: .audio
    default:
      filmExtensions.contains((path as NSString).pathExtension.lowercased()) ? .video : .photo
    }
  }

  private static let filmExtensions: Set<String> = ["mov", "mp4", "m4v", "avi", "mkv", "webm"]
}

extension PHAssetResource {
  /// Where it lies; `nil` for what the catalogue keeps.
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
