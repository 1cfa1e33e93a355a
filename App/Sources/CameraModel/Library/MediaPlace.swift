import Foundation

/// The place where a photo or video is kept.
package enum MediaPlace: Sendable, Hashable {
  /// In the photo library, under this identifier.
  case asset(String)
  /// In a file of its own.
  case file(URL)

  /// The file, for what is not in the library.
  package var url: URL? {
    if case .file(let url) = self { url } else { nil }
  }
}
