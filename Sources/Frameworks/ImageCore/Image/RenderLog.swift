internal import Foundation

/// Where rendering, which has no errors in its interface, says what it could not do.
enum RenderLog {
  /// Writes one sentence to standard error.
  static func report(_ sentence: String) {
    FileHandle.standardError.write(Data("obscura: \(sentence)\n".utf8))
  }
}
