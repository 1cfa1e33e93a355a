import Foundation

/// The photos of a folder, the newest first, as pages to turn.
@MainActor
package final class PageTurner {
  /// The photos.
  package private(set) var urls: [URL] = []

  /// Reads the folder.
  func read(_ folder: PhotoFolder) { urls = folder.photos() }

  /// A photo has come.
  func note(_ url: URL) {
    if !urls.isEmpty, urls.first != url { urls.insert(url, at: 0) }
  }
}
