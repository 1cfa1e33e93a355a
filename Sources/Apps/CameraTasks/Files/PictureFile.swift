package import Foundation
internal import Glibc
internal import Linux

/// Where pictures go: an existing file is overwritten only on request, and no file is half-written.
package struct PictureFile: Sendable {
  /// How the files are named.
  package var pattern: FileNamePattern
  /// Where they are.
  package var folder: URL
  /// Whether a file that is there gives way.
  package var overwrites: Bool
  /// Whether the folder is made with all that leads to it; else only the last level of it is.
  package var makesParents = false

  /// Where a picture goes when the user names no file: `IMG_0001.jpg` in the library's folder.
  package static func inLibrary(fileExtension: String, environment: [String: String]) -> PictureFile {
    PictureFile(
      pattern: FileNamePattern("IMG_%04d.\(fileExtension)"), folder: libraryFolder(environment),
      overwrites: false, makesParents: isLibraryStandard(environment))
  }

  /// The place that the user named, relative to the working folder; a tilde is the user's home.
  /// - Throws: ``CameraTaskError/Code/badFileName`` for no name at all, ``CameraTaskError/Code/badFile`` where there is no such folder.
  package static func named(
    _ path: String, overwrites: Bool, environment: [String: String]
  ) throws(CameraTaskError) -> PictureFile {
    guard !path.isEmpty else {
      throw CameraTaskError(.badFileName, "-o '' names no file; write it like -o a.jpg.")
    }
    var whole = UserPath.expanded(path, environment)
    if !whole.hasPrefix("/") {
      let here = FileManager.default.currentDirectoryPath
      // Otherwise the name would be one in the root folder.
      guard !here.isEmpty else {
        throw CameraTaskError(
          .badFile, "\(path) cannot be written, because the working folder was deleted; change to another.")
      }
      whole = "\(here)/\(whole)"
    }
    let cut = whole.lastIndex(of: "/") ?? whole.startIndex
    let folder = cut == whole.startIndex ? "/" : String(whole[..<cut])
    return PictureFile(
      pattern: FileNamePattern(String(whole[cut...].dropFirst())),
      folder: URL(fileURLWithPath: folder, isDirectory: true), overwrites: overwrites)
  }

  /// `$OBSCURA_LIBRARY`, else `Obscura` in the desktop's pictures folder, else `~/Pictures/Obscura`.
  package static func libraryFolder(_ environment: [String: String]) -> URL {
    if let library = environment["OBSCURA_LIBRARY"], !library.isEmpty {
      return URL(fileURLWithPath: UserPath.expanded(library, environment), isDirectory: true)
    }
    if let pictures = environment["XDG_PICTURES_DIR"], pictures.hasPrefix("/") {
      return URL(fileURLWithPath: pictures, isDirectory: true).appendingPathComponent(
        "Obscura", isDirectory: true)
    }
    return URL(fileURLWithPath: UserPath.home(environment), isDirectory: true)
      .appendingPathComponent("Pictures/Obscura", isDirectory: true)
  }

  /// Whether the library's folder follows from a standard; a folder that a user typed may be mistyped.
  private static func isLibraryStandard(_ environment: [String: String]) -> Bool {
    environment["OBSCURA_LIBRARY"]?.isEmpty ?? true
  }

  /// Finds out before a picture is taken whether it can be kept.
  ///
  /// - Parameters:
  ///   - date: When the picture would be taken.
  ///   - isMovie: Whether it is a movie, whose beginning is written last: no pipe and no device takes it.
  /// - Throws: ``CameraTaskError/Code/badFile``: what is in the way, and what to do.
  package func check(date: Date, isMovie: Bool = false) throws(CameraTaskError) {
    try FilePlace(folder: folder.path, name: candidate(index: 0, attempt: 0, date: date)).check(
      makesParents: makesParents, returnsToBeginning: isMovie)
  }

  /// Writes picture `index` (0 is the first of this run) and returns where it went.
  ///
  /// A name that is taken gets the next free number: the pattern's own, or `-1`, `-2` … before the extension.
  /// - Throws: ``CameraTaskError/Code/diskFull`` or ``CameraTaskError/Code/badFile``; no file is left behind then.
  package func write(_ data: Data, index: Int, date: Date) throws(CameraTaskError) -> URL {
    let place = FilePlace(folder: folder.path, name: candidate(index: index, attempt: 0, date: date))
    try place.checkName()
    let limit = 100_000
    let path: String?
    do throws(SystemError) {
      try place.makeFolder(makesParents: makesParents)
      if overwrites {
        try AtomicFile.write(data, to: place.path)
        path = place.path
      } else {
        path = try AtomicFile.write(
          data,
          toFirstFreeOf: (0..<limit).lazy.map { attempt in
            FilePlace(folder: folder.path, name: candidate(index: index, attempt: attempt, date: date)).path
          })
      }
    } catch {
      throw CameraTaskError(
        error.reason == .diskFull ? .diskFull : .badFile, "The picture was taken but not kept: \(error)")
    }
    guard let path else {
      throw CameraTaskError(
        .badFile,
        "\(folder.path) holds \(limit) pictures of that name already; choose another name with -o.")
    }
    return URL(fileURLWithPath: path, isDirectory: false)
  }

  /// Makes the folder, and finds the name of file `index` of this run for a program that makes the file itself.
  ///
  /// A name that is taken gets the next free number, as with ``write(_:index:date:)``; with ``overwrites`` the file that has it is
  /// removed.
  /// - Throws: ``CameraTaskError/Code/diskFull`` or ``CameraTaskError/Code/badFile``.
  package func freePlace(index: Int, date: Date) throws(CameraTaskError) -> URL {
    for attempt in 0..<100_000 {
      let place = FilePlace(folder: folder.path, name: candidate(index: index, attempt: attempt, date: date))
      try place.checkName()
      do throws(SystemError) {
        if attempt == 0 { try place.makeFolder(makesParents: makesParents) }
      } catch {
        throw CameraTaskError(
          error.reason == .diskFull ? .diskFull : .badFile, "Nothing can be kept: \(error)")
      }
      var status = stat()
      guard lstat(place.path, &status) == 0 else {
        return URL(fileURLWithPath: place.path, isDirectory: false)
      }
      if overwrites {
        guard unlink(place.path) == 0 else {
          throw CameraTaskError(
            .badFile, "\(place.path) cannot be overwritten: \(SystemError.last("remove it"))")
        }
        return URL(fileURLWithPath: place.path, isDirectory: false)
      }
    }
    throw CameraTaskError(
      .badFile, "\(folder.path) holds too many files of that name already; choose another name with -o.")
  }

  private func candidate(index: Int, attempt: Int, date: Date) -> String {
    if pattern.hasNumber { return pattern.name(number: index + 1 + attempt, date: date) }
    let name = pattern.name(number: 0, date: date)
    let number = overwrites ? index : index + attempt
    guard number > 0 else { return name }
    let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }
}
