internal import Foundation
internal import Linux
internal import PhotoProcessing

/// The library that the program uses.
package enum SharedLibrary {
  private struct State {
    var store: LibraryStore?
    /// `nil` for the environment's.
    var place: LibraryPlace?
  }

  private static let state = Locked(State())
  /// Held while the library is opened, so that a second thread waits for the first.
  private static let opening = Lock()

  /// The library; opened, and made where it is missing, the first time.
  ///
  /// What has failed is tried again the next time.
  /// - Throws: ``PHPhotosError``.
  package static func store() throws(PHPhotosError) -> LibraryStore {
    if let store = state.withLock({ $0.store }), !store.couldBeWritable { return store }
    return try opening.withLock { () throws(PHPhotosError) in
      if let known = state.withLock({ $0.store }) {
        guard known.couldBeWritable else { return known }
        state.withLock { $0 = State(place: known.place) }
        known.share()
      }
      let place =
        state.withLock { $0.place } ?? LibraryPlace(environment: ProcessInfo.processInfo.environment)
      let store = try LibraryStore(place)
      FreshPictures.isWanted = true
      state.withLock { $0.store = store }
      return store
    }
  }

  /// The library if it is open.
  static var open: LibraryStore? { state.withLock { $0.store } }

  /// Makes the program use another library; `nil` opens the environment's when one is asked for.
  package static func use(_ store: LibraryStore?) { use(State(store: store)) }

  /// Makes the program open the library of a place when it is asked for.
  package static func use(_ place: LibraryPlace) { use(State(place: place)) }

  private static func use(_ new: State) {
    let old = state.withLock { state in
      defer { state = new }
      return state
    }
    withExtendedLifetime(old) {}
  }
}
