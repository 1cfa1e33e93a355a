internal import Foundation
package import Linux

/// What a catalogue names is looked for beneath the library's folder and nowhere else: the library may be a stranger's, on a borrowed
/// stick, and its rows and links say what that one likes.
extension LibraryFolders {
  /// Whether a path relative to the pictures can be that of a file of the library: down from its folder, and not hidden.
  ///
  /// Looks at no file.
  static func isInside(_ relative: String) -> Bool {
    relative.utf8.count < 4096
      && relative.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && !$0.hasPrefix(".")
      }
  }

  /// The whole path of a picture or video that the catalogue names; `nil` where that leads out of the library.
  ///
  /// Looks at each folder on the way: a link is none. The last part may be a link, which is not followed by what moves and removes.
  package func file(named relative: String) -> String? {
    guard Self.isInside(relative), Self.hasNoLink(relative, in: pictures) else { return nil }
    return "\(pictures)/\(relative)"
  }

  /// The whole path of a file that waits for its name; `nil` where the catalogue names another place.
  func file(staged relative: String) -> String? {
    let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == ".staging", Self.isInside("\(parts[1])/\(parts[2])"),
      Self.hasNoLink(relative, in: pictures)
    else { return nil }
    return "\(pictures)/\(relative)"
  }

  /// A path at which there is never a file: for what may not be looked at.
  var nowhere: String { "\(catalogue)/library.sqlite/outside" }

  /// Whether every folder on the way to the last part is one, or is not there.
  private static func hasNoLink(_ relative: String, in folder: String) -> Bool {
    var path = folder
    for part in relative.split(separator: "/").dropLast() {
      path += "/\(part)"
      guard let kind = FileCalls.kind(path) else { return true }
      guard kind == .folder else { return false }
    }
    return true
  }

  /// Refuses a library in one folder whose own files and folders are links: they would lead out of it.
  ///
  /// - Throws: ``PHPhotosError``: `accessRestricted`.
  func checkLinks() throws(PHPhotosError) {
    var own = [staging]
    let inside = "\(pictures)/"
    if catalogue.hasPrefix(inside) {
      own += [catalogue, signal] + ["", "-wal", "-shm", "-journal"].map { database + $0 }
    }
    if deferredPhotos.hasPrefix(inside) { own.append(deferredPhotos) }
    if thumbnails.hasPrefix(inside) {
      own += [thumbnails] + Thumbnails.Size.allCases.map { "\(thumbnails)/\($0.folder)" }
    }
    for path in own where FileCalls.kind(path) == .link {
      throw PHPhotosError(
        .accessRestricted,
        because:
          "The photo library in \(pictures) is not opened: \(path.dropFirst(inside.count)) in it is a link, which may lead out of it; remove the link."
      )
    }
  }
}
