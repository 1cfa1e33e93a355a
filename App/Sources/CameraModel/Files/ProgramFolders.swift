import Foundation
import Linux

/// The folders of this program's files.
package struct ProgramFolders: Sendable {
  /// The program's settings.
  package var settings: URL
  /// The user's pictures.
  package var pictures: URL
  /// The user's own filters.
  package var looks: URL

  /// Folders by hand, for tests.
  package init(settings: URL, pictures: URL, looks: URL) {
    self.settings = settings
    self.pictures = pictures
    self.looks = looks
  }

  /// The folders that the environment and the desktop name.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let user = UserFolders(environment)
    self.init(
      settings: URL(fileURLWithPath: user.configuration("obscura-camera/settings.json")),
      pictures: URL(fileURLWithPath: user.pictures, isDirectory: true),
      looks: URL(fileURLWithPath: user.data("obscura-camera/looks"), isDirectory: true))
  }
}
