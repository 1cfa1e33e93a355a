internal import Foundation
internal import Glibc
internal import Linux

/// A file that the catalogue has committed and that must get its name yet, or be removed.
struct PendingFile: Sendable {
  var key = 0
  /// The path of the staged file, relative to the pictures; `nil` when it is to be removed.
  var staged: String?
  /// The name that it is to have, or has, relative to the pictures.
  var path: String
  /// The name that it got because another file had taken that one.
  var renamed: String?

  static func all(_ connection: Connection) throws(PHPhotosError) -> [PendingFile] {
    try connection.rows("SELECT id, staged, path FROM pending ORDER BY id") { row in
      PendingFile(key: row.integer(0), staged: row.text(1), path: row.text(2) ?? "")
    }
  }

  /// Does what is to be done; returns the folder that changed.
  ///
  /// Any number of processes may do it at once. Where a path leads out of the library nothing is done, and a file whose folder has
  /// become a link goes on waiting.
  mutating func finish(_ place: LibraryFolders) throws(SystemError) -> String? {
    guard let whole = place.file(named: path) else {
      guard let staged, place.file(staged: staged) != nil, LibraryFolders.isInside(path) else { return nil }
      throw SystemError("write \(place.pictures)/\(path)", errno: ELOOP)
    }
    let folder = (whole as NSString).deletingLastPathComponent
    guard let staged else {
      guard FileCalls.remove(whole) else { throw .last("remove \(whole)") }
      Thumbnails(place.thumbnails).remove(whole)
      return folder
    }
    guard let source = place.file(staged: staged) else { return nil }
    try FileCalls.makeFolder(folder)
    for number in 0...10_000 {
      let name = number == 0 ? path : FileNames.numbered(path, number)
      switch try FileCalls.publish(source, as: "\(place.pictures)/\(name)") {
      case .named:
        if number > 0 { renamed = name }
        return folder
      // Who named it notes the name, too.
      case .gone: return nil
      case .taken: continue
      }
    }
    throw SystemError("write \(whole)", errno: EEXIST)
  }
}

/// The names of the library's files.
enum FileNames {
  /// The name of a new file without extension, by the moment it shows: `2026-11/IMG_20261122_210503`.
  static func stem(_ date: Date, mediaType: PHAssetMediaType) -> String {
    let parts = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    func two(_ number: Int?) -> String { number.map { $0 < 10 ? "0\($0)" : "\($0)" } ?? "00" }
    let year = String(repeating: "0", count: max(0, 4 - "\(parts.year ?? 0)".count)) + "\(parts.year ?? 0)"
    let prefix =
      switch mediaType {
      case .video: "VID"
      case .audio: "AUD"
      case .image, .unknown: "IMG"
      }
    return "\(year)-\(two(parts.month))/\(prefix)_\(year)\(two(parts.month))\(two(parts.day))_"
      + "\(two(parts.hour))\(two(parts.minute))\(two(parts.second))"
  }

  /// The name with a number before the extension.
  static func numbered(_ path: String, _ number: Int) -> String {
    let suffix = (path as NSString).pathExtension
    let stem = (path as NSString).deletingPathExtension
    return suffix.isEmpty ? "\(stem)-\(number)" : "\(stem)-\(number).\(suffix)"
  }
}
