internal import CameraTasks
internal import Foundation
internal import Linux

/// A picture for the background effect, as a command line names it.
enum BackgroundPicture {
  /// The absolute path of the picture that `word` names; `~` at its start is the user's home.
  ///
  /// - Throws: `CameraTaskError` when it cannot be decoded.
  static func path(_ word: String, _ environment: [String: String]) throws -> String {
    let path = URL(fileURLWithPath: UserFolders(environment).expanded(word)).path
    _ = try PictureReading.picture(at: path, atMostPixels: 100_000_000)
    return path
  }
}
