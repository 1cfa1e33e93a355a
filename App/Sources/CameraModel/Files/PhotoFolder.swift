import Foundation
import Glibc

/// A folder of photos that are named by their time; a photo is there whole or not at all.
package struct PhotoFolder: Sendable {
  /// The folder; made when the first photo comes.
  package let url: URL

  /// The folder at `url`.
  package init(_ url: URL) {
    self.url = url
  }

  /// Writes a photo to the disk, then gives it its name; never over another file.
  ///
  /// - Returns: Where it is.
  /// - Throws: What the system says, for a full disk as well.
  package func store(_ data: Data, prefix: String = "IMG", suffix: String, date: Date) throws -> URL {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let name = Self.name(for: date, prefix: prefix)
    for number in 1... {
      let target = url.appendingPathComponent(
        number == 1 ? "\(name).\(suffix)" : "\(name)-\(number).\(suffix)")
      if try WholeFile.write(data, to: target, replacing: false) { return target }
    }
    throw CocoaError(.fileWriteUnknown)
  }

  /// A name that is free, for what writes its file itself.
  func freeName(prefix: String, suffix: String, date: Date) throws -> URL {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let name = Self.name(for: date, prefix: prefix)
    for number in 1... {
      let target = url.appendingPathComponent(
        number == 1 ? "\(name).\(suffix)" : "\(name)-\(number).\(suffix)")
      if !FileManager.default.fileExists(atPath: target.path) { return target }
    }
    throw CocoaError(.fileWriteUnknown)
  }

  /// Bytes that are free for the user on the folder's disk; `nil` where that is not known.
  var freeBytes: Int64? {
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: nearest.path)
    return (facts?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  /// Whether the user may write there, or make the folder.
  var isWritable: Bool {
    var isFolder = ObjCBool(false)
    let folder = nearest.path
    return FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
      && access(folder, W_OK | X_OK) == 0
  }

  /// The folder, or the nearest one above it that there is.
  private var nearest: URL {
    var folder = url
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      folder = folder.deletingLastPathComponent()
    }
    return folder
  }

  /// `IMG_20260102_030405`, in local time.
  static func name(for date: Date, prefix: String = "IMG") -> String {
    let parts = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    func digits(_ number: Int?, _ width: Int = 2) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(prefix)_\(digits(parts.year, 4))\(digits(parts.month))\(digits(parts.day))_"
      + digits(parts.hour) + digits(parts.minute) + digits(parts.second)
  }

  /// The time that a name says; `nil` for other names.
  static func date(ofName name: String) -> Date? {
    let digits = name.prefix { $0 != "." }.drop { !$0.isNumber }.filter(\.isNumber)
    guard digits.count >= 14 else { return nil }
    var numbers: [Int] = []
    var rest = digits[...]
    for width in [4, 2, 2, 2, 2, 2] {
      numbers.append(Int(rest.prefix(width)) ?? 0)
      rest = rest.dropFirst(width)
    }
    return Calendar(identifier: .gregorian).date(
      from: DateComponents(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
        second: numbers[5]))
  }

  /// The movie of a Live Photo that lies beside its photo; `nil` where there is none.
  static func film(of photo: URL) -> URL? {
    let film = photo.deletingPathExtension().appendingPathExtension("mov")
    return FileManager.default.fileExists(atPath: film.path) ? film : nil
  }

  /// The raw picture that lies beside a photo; `nil` where there is none.
  static func raw(of photo: URL) -> URL? {
    let raw = photo.deletingPathExtension().appendingPathExtension("dng")
    return raw != photo && FileManager.default.fileExists(atPath: raw.path) ? raw : nil
  }

  /// The photo beside which a movie or a raw picture lies; `nil` for one of its own.
  static func photo(of part: URL) -> URL? {
    let stem = part.deletingPathExtension()
    return ["jpg", "heic"].map { stem.appendingPathExtension($0) }.first {
      FileManager.default.fileExists(atPath: $0.path)
    }
  }

  /// The photos that are there, the newest first.
  package func photos() -> [URL] {
    files(["jpg", "jpeg", "heic", "png", "dng"]).filter {
      $0.pathExtension != "dng" || Self.photo(of: $0) == nil
    }
  }

  /// The photos and movies that are there, the newest first.
  package func all() -> [URL] {
    // A Live Photo is its photo, and a raw picture beside a photo belongs to it.
    files(["jpg", "jpeg", "heic", "png", "dng", "mov", "mp4"]).filter {
      !["mov", "dng"].contains($0.pathExtension) || Self.photo(of: $0) == nil
    }
  }

  private func files(_ kinds: Set<String>) -> [URL] {
    let files = (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)) ?? []
    return files.filter {
      // A depth map is no photo, though it is a picture.
      kinds.contains($0.pathExtension.lowercased())
        && !$0.lastPathComponent.hasPrefix(".") && !$0.lastPathComponent.hasPrefix("DEPTH_")
    }
    .sorted { Self.time(of: $0) > Self.time(of: $1) }
  }

  /// The time in a file's name: the part that follows the letters.
  private static func time(of url: URL) -> Substring {
    url.lastPathComponent.drop { !$0.isNumber }
  }
}
