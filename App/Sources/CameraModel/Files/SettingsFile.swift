import Foundation

/// Keeps settings in a file that is replaced whole or not at all.
package struct SettingsFile: Sendable {
  let url: URL

  /// The settings in `url`.
  package init(_ url: URL) {
    self.url = url
  }

  /// The stored settings; the usual ones when there are none, or none that can be read.
  package func read() -> Settings {
    guard let data = try? Data(contentsOf: url) else { return Settings() }
    return (try? JSONDecoder().decode(Settings.self, from: data)) ?? Settings()
  }

  /// Stores settings.
  package func write(_ settings: Settings) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try WholeFile.write(encoder.encode(settings), to: url)
  }
}
