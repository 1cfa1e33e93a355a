package import Foundation
internal import Linux

/// Where pictures go: never over an existing file unless told to, and never half-written.
package struct PictureFile: Sendable {
  package var pattern: FileNamePattern
  package var folder: URL
  package var overwrites: Bool

  /// Where a picture goes when the user names no file: `IMG_0001.jpg` in the library's folder.
  package static func inLibrary(fileExtension: String, environment: [String: String]) -> PictureFile {
    PictureFile(
      pattern: FileNamePattern("IMG_%04d.\(fileExtension)"), folder: libraryFolder(environment),
      overwrites: false)
  }

  /// The place that the user named, relative to the working directory.
  package static func named(_ path: String, overwrites: Bool) -> PictureFile {
    let url = URL(fileURLWithPath: path)
    return PictureFile(
      pattern: FileNamePattern(url.lastPathComponent), folder: url.deletingLastPathComponent(),
      overwrites: overwrites)
  }

  /// `$OBSCURA_LIBRARY`, else `Obscura` in the desktop's pictures folder, else `~/Pictures/Obscura`.
  package static func libraryFolder(_ environment: [String: String]) -> URL {
    if let library = environment["OBSCURA_LIBRARY"], !library.isEmpty {
      return URL(fileURLWithPath: library, isDirectory: true)
    }
    if let pictures = environment["XDG_PICTURES_DIR"], pictures.hasPrefix("/") {
      return URL(fileURLWithPath: pictures, isDirectory: true).appendingPathComponent(
        "Obscura", isDirectory: true)
    }
    let home = environment["HOME"] ?? NSHomeDirectory()
    return URL(fileURLWithPath: home, isDirectory: true)
      .appendingPathComponent("Pictures/Obscura", isDirectory: true)
  }

  /// Writes picture `index` (0 is the first of this run) and returns where it went.
  ///
  /// A name that is taken gets the next free number: the pattern's own, or `-1`, `-2` … before the extension.
  /// - Throws: ``CommandError`` with ``ExitCode/diskFull`` or ``ExitCode/otherFailure``; no file is left behind then.
  package func write(_ data: Data, index: Int, date: Date) throws -> URL {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandError(
        .otherFailure,
        "The folder \(folder.path) cannot be made: \(reason(error)); choose another place with -o.")
    }
    let limit = 100_000
    for attempt in 0..<limit {
      let url = folder.appendingPathComponent(candidate(index: index, attempt: attempt, date: date))
      do {
        try AtomicFile.write(data, to: url.path, replacing: overwrites)
        return url
      } catch let error where error.reason == .alreadyExists {
        continue
      } catch {
        throw CommandError(
          error.reason == .diskFull ? .diskFull : .otherFailure,
          "The picture was taken but not kept: \(error)")
      }
    }
    throw CommandError(
      .otherFailure,
      "\(folder.path) holds \(limit) pictures of that name already; choose another name with -o.")
  }

  private func candidate(index: Int, attempt: Int, date: Date) -> String {
    if pattern.hasNumber { return pattern.name(number: index + 1 + attempt, date: date) }
    let name = pattern.name(number: 0, date: date)
    let number = overwrites ? index : index + attempt
    guard number > 0 else { return name }
    let url = URL(fileURLWithPath: name)
    let stem = url.deletingPathExtension().lastPathComponent
    return url.pathExtension.isEmpty ? "\(stem)-\(number)" : "\(stem)-\(number).\(url.pathExtension)"
  }

  private func reason(_ error: any Error) -> String {
    (error as NSError).localizedFailureReason ?? error.localizedDescription
  }
}
