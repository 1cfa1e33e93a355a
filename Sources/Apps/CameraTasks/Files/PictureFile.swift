internal import CaptureDevice
package import Foundation
internal import Glibc
internal import Linux

/// The destination of pictures: an existing file is overwritten only on request, and no file is half-written.
package struct PictureFile: Sendable {
  /// The pattern of the files' names.
  package var pattern: FileNamePattern
  /// The folder of the files.
  package var folder: URL
  /// Whether a file that is there gives way.
  package var overwrites: Bool
  /// Whether the folder is made with all that leads to it; else only the last level of it is.
  package var makesParents = false
  /// The names that this value and its copies have given so far.
  let given = UsedNames()

  /// The destination when the user names no file: `IMG_0001.jpg` in the library's folder.
  package static func inLibrary(fileExtension: String, environment: [String: String]) -> PictureFile {
    PictureFile(
      pattern: FileNamePattern("IMG_%04d.\(fileExtension)"),
      folder: URL(fileURLWithPath: LibraryFolders(environment: environment).pictures, isDirectory: true),
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
    guard !RawNames.contains(path) else {
      throw CameraTaskError(
        .badFileName, "The name behind -o is not UTF-8, so no file gets it; choose one that is.")
    }
    var whole = UserFolders(environment).expanded(path)
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

  /// Whether the library's folder follows from a standard; a folder that a user typed may be mistyped.
  private static func isLibraryStandard(_ environment: [String: String]) -> Bool {
    let library = environment["OBSCURA_LIBRARY"] ?? ""
    return library.isEmpty || library == LibraryEnvironment.simulatedFolder(environment)
  }

  /// Finds out before a picture is taken whether it can be kept.
  ///
  /// - Parameters:
  ///   - date: When the picture would be taken.
  ///   - isMovie: Whether it is a movie, whose beginning is written last: no pipe and no device takes it.
  /// - Throws: ``CameraTaskError/Code/badFile``: what is in the way, and what to do.
  package func check(date: Date, isMovie: Bool = false) throws(CameraTaskError) {
    var place = place(pattern.name(number: 1, date: date))
    if overwrites { place = place.target }
    try place.check(makesParents: makesParents, returnsToBeginning: isMovie)
  }

  /// Writes a picture and returns where it went.
  ///
  /// A name that is taken gets the next free number: the pattern's own, or `-1`, `-2` … before the extension, behind the highest
  /// that is there. With ``overwrites`` the file that has the name gives way; a link keeps leading to it.
  /// - Parameter failure: What an error says before its reason.
  /// - Throws: ``CameraTaskError/Code/diskFull`` or ``CameraTaskError/Code/badFile``; no file is left behind then.
  package func write(
    _ data: Data, date: Date, failingAs failure: String = "The picture was taken but not kept"
  ) throws(CameraTaskError) -> URL {
    let candidates = NameCandidates(self, date: date)
    try place(pattern.name(number: 1, date: date)).checkName()
    let path: String?
    do throws(SystemError) {
      try makeFolder()
      if overwrites {
        path = candidates.first { _ in true }.map { place($0).path }
        if let path { try AtomicFile.write(data, to: path) }
      } else {
        path = try AtomicFile.write(data, toFirstFreeOf: candidates.lazy.map { place($0).path })
      }
    } catch {
      throw refusal(error, failure)
    }
    guard let path else { throw noNameLeft }
    let url = URL(fileURLWithPath: path, isDirectory: false)
    given.note(url.lastPathComponent)
    return url
  }

  /// Makes the folder, and takes the name of the next file for a program that makes the file itself.
  ///
  /// A name that is taken gets the next free number, as with ``write(_:date:)``, also where another program has only claimed it
  /// as yet. With ``overwrites`` the file that has the name is to give way, unless a program writes it at present: then the next
  /// free number is taken, too, for no recording ends another.
  /// - Throws: ``CameraTaskError/Code/diskFull`` or ``CameraTaskError/Code/badFile``.
  package func takePlace(date: Date) throws(CameraTaskError) -> TakenPlace {
    try place(pattern.name(number: 1, date: date)).checkName()
    var giveWay = overwrites
    do throws(SystemError) {
      try makeFolder()
      for name in NameCandidates(self, date: date) {
        let place = place(name)
        let claim = try NameClaim(of: name, in: folder.path.hasSuffix("/") ? folder.path : folder.path + "/")
        let isThere = place.isTaken
        if let claim, !isThere || (giveWay && !GrowingFile.isWritten(place.path)) {
          given.note(name)
          return TakenPlace(
            url: URL(fileURLWithPath: place.path, isDirectory: false), replaces: isThere, claim: claim)
        }
        giveWay = false
      }
    } catch {
      throw refusal(error, "Nothing can be kept")
    }
    throw noNameLeft
  }

  private func place(_ name: String) -> FilePlace { FilePlace(folder: folder.path, name: name) }

  private func makeFolder() throws(SystemError) {
    try place("").makeFolder(makesParents: makesParents)
  }

  private func refusal(_ error: SystemError, _ what: String) -> CameraTaskError {
    CameraTaskError(error.reason == .diskFull ? .diskFull : .badFile, "\(what): \(error)")
  }

  private var noNameLeft: CameraTaskError {
    CameraTaskError(
      .badFile, "\(folder.path) holds too many files of that name already; choose another name with -o.")
  }
}
