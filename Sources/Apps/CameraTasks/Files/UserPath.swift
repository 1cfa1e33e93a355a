internal import Foundation

/// Paths as users write them.
package enum UserPath {
  /// `path` with `~` or `~name` at its start replaced by a user's home folder, as a shell does outside quotes.
  ///
  /// A name that no user has stays.
  package static func expanded(_ path: String, _ environment: [String: String]) -> String {
    guard path.hasPrefix("~") else { return path }
    let name = path.dropFirst().prefix { $0 != "/" }
    let rest = path.dropFirst(name.count + 1)
    if name.isEmpty { return home(environment) + rest }
    return FileManager.default.homeDirectory(forUser: String(name)).map { $0.path + rest } ?? path
  }

  /// The user's home folder.
  static func home(_ environment: [String: String]) -> String {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home
  }
}
