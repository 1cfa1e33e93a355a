internal import Foundation
internal import FoundationExtras
internal import Linux

/// Where a library lies: its pictures, its catalogue, and its thumbnails.
package struct LibraryPlace: Sendable, Hashable {
  /// The folder of photos and films.
  package var pictures: String
  /// The folder of the database, and of what only the library reads.
  package var catalogue: String
  /// The folder of thumbnails, as the freedesktop specification lays it out.
  package var thumbnails: String
  /// The folder of frames of photos that are not finished yet.
  package var deferredPhotos: String

  /// A library in several folders.
  package init(pictures: String, catalogue: String, thumbnails: String, deferredPhotos: String) {
    self.pictures = pictures
    self.catalogue = catalogue
    self.thumbnails = thumbnails
    self.deferredPhotos = deferredPhotos
  }

  /// A library that lies in one folder with all it has.
  package init(folder: String) {
    self.init(
      pictures: folder, catalogue: "\(folder)/.catalogue", thumbnails: "\(folder)/.catalogue/thumbnails",
      deferredPhotos: "\(folder)/deferred-photos")
  }

  /// The place that the environment names.
  ///
  /// `$OBSCURA_LIBRARY` is a folder for all of it. Otherwise the pictures lie in `Obscura` in the desktop's pictures folder
  /// (`$XDG_PICTURES_DIR`, in the environment or in `user-dirs.dirs`, else `~/Pictures`), the catalogue in
  /// `$XDG_DATA_HOME/obscura`, thumbnails in `$XDG_CACHE_HOME/thumbnails`.
  package init(environment: [String: String]) {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    if let folder = environment["OBSCURA_LIBRARY"], !folder.isEmpty {
      let expanded = folder == "~" || folder.hasPrefix("~/") ? home + folder.dropFirst() : folder
      let whole =
        expanded.hasPrefix("/") ? expanded : "\(FileManager.default.currentDirectoryPath)/\(expanded)"
      self.init(folder: Self.trimmed(whole))
      return
    }
    func folder(_ name: String, _ standard: String) -> String {
      environment[name].flatMap { $0.hasPrefix("/") ? Self.trimmed($0) : nil } ?? "\(home)/\(standard)"
    }
    let pictures =
      environment["XDG_PICTURES_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? Self.userFolder("XDG_PICTURES_DIR", home: home, configuration: folder("XDG_CONFIG_HOME", ".config"))
      ?? "\(home)/Pictures"
    self.init(
      pictures: Self.trimmed(pictures) + "/Obscura",
      catalogue: folder("XDG_DATA_HOME", ".local/share") + "/obscura",
      thumbnails: folder("XDG_CACHE_HOME", ".cache") + "/thumbnails",
      deferredPhotos: folder("XDG_DATA_HOME", ".local/share") + "/obscura/deferred-photos")
  }

  /// What the desktop's list of folders says; `nil` when it says nothing.
  private static func userFolder(_ name: String, home: String, configuration: String) -> String? {
    guard
      let data = InputFile.contents(
        of: URL(fileURLWithPath: "\(configuration)/user-dirs.dirs"), atMost: 1 << 16)
    else { return nil }
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let parts = line.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == name else { continue }
      let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
      if value.hasPrefix("$HOME/") { return home + value.dropFirst(5) }
      return value.hasPrefix("/") ? value : nil
    }
    return nil
  }

  private static func trimmed(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The database.
  package var database: String { "\(catalogue)/library.sqlite" }
  /// The file whose time of change says to other processes that something was committed.
  var signal: String { "\(catalogue)/changes" }
  /// Where files lie until they are committed; on the same disk as the pictures.
  package var staging: String { "\(pictures)/.staging" }
}
