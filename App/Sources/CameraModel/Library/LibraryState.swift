import Foundation

/// The state of the library screen.
package struct LibraryState: Sendable, Equatable {
  /// The phase of reading the library.
  package enum Phase: Sendable, Equatable {
    case reading
    case ready
    /// The library cannot be used; a sentence says why.
    case failed(reason: String)
  }

  package var phase = Phase.reading
  package var albums: [LibraryAlbum] = []
  /// The album that is shown.
  package var album = LibraryAlbum.Kind.all
  /// Photos and videos that are shown.
  package var count = 0
  package var days = LibraryDays()
  /// Grows with each change of what is shown, also of one photo alone.
  package var revision = 0
  /// Whether presses choose photos instead of opening them.
  package var isSelecting = false
  package var selected: Set<String> = []

  /// A library that is not read yet.
  package init() {}
}

/// An album to choose.
package struct LibraryAlbum: Sendable, Equatable, Identifiable {
  /// The kind of an album: one that the library makes, or the user's own.
  package enum Kind: Sendable, Hashable {
    case all, favorites, videos, selfies
    /// An album of the user's, by its identifier.
    case own(String)
  }

  package var kind: Kind
  /// The user's words for it; empty for those that the library makes.
  package var title: String
  package var id: Kind { kind }
}

/// A photo or video of the library.
package struct LibraryItem: Sendable, Equatable, Identifiable {
  package var id: String
  package var isMovie: Bool
  package var isFavorite: Bool
  /// Seconds of a video.
  package var duration: Double
  package var date: Date?
  package var width: Int
  package var height: Int
  /// When it was last changed: pictures made before are old.
  package var modified: Date?
}
