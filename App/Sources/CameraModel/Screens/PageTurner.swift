import Foundation

/// Photos as pages to turn, the newest first.
@MainActor
package final class PageTurner {
  /// The photos.
  package private(set) var places: [MediaPlace] = []

  /// As many photos of the library are turned.
  private static let most = 500

  /// Reads the library's newest photos, or the folder's.
  func read(_ keeper: PhotoKeeper) {
    places = (keeper.usesLibrary ? LibraryAccess.newestPhotos(Self.most).map { .asset($0) } : [])
    if places.isEmpty { places = keeper.folder.photos().map { .file($0) } }
  }

  /// A photo has come.
  func note(_ place: MediaPlace) {
    if !places.isEmpty, places.first != place { places.insert(place, at: 0) }
  }
}
