import Foundation

/// Where a user's files belong, by the XDG rules.
package struct UserFolders: Sendable {
  /// The program's settings.
  package var settings: URL
  /// The user's pictures.
  package var pictures: URL

  /// Folders by hand, for tests.
  package init(settings: URL, pictures: URL) {
    self.settings = settings
    self.pictures = pictures
  }

  /// The folders that the environment and the desktop name.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home = URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory(), isDirectory: true)
    // The rules say that a relative path is as good as none.
    let config =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      .map { URL(fileURLWithPath: $0, isDirectory: true) } ?? home.appendingPathComponent(".config")
    settings = config.appendingPathComponent("obscura-camera/settings.json")
    let desktop =
      (try? String(contentsOf: config.appendingPathComponent("user-dirs.dirs"), encoding: .utf8)) ?? ""
    pictures =
      Self.folder("XDG_PICTURES_DIR", in: desktop, home: home) ?? home.appendingPathComponent("Pictures")
  }

  /// A folder out of the lines `NAME="$HOME/Pictures"`.
  static func folder(_ name: String, in lines: String, home: URL) -> URL? {
    for line in lines.split(separator: "\n") {
      let parts = line.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == name else { continue }
      let path = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      if path.hasPrefix("$HOME/") { return home.appendingPathComponent(String(path.dropFirst(6))) }
      return path.hasPrefix("/") ? URL(fileURLWithPath: path) : nil
    }
    return nil
  }
}
