internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Glibc
package import Linux
internal import PhotoProcessing

/// The library that the program uses.
package enum SharedLibrary {
  private struct State {
    var store: LibraryStore?
    /// `nil` for the environment's.
    var place: LibraryFolders?
    /// Whether the program's cameras were simulated when the environment's library was opened.
    var isSimulated = false
  }

  private static let state = Locked(State())
  /// A process that ends by itself leaves nothing beside the pictures.
  private static let leavesCleanly: Void = {
    atexit { SharedLibrary.open?.leaveStaging() }
  }()
  /// Held while the library is opened, so that a second thread waits for the first.
  private static let opening = Lock()

  /// The open library, unless it could be a better one by now.
  private static var current: LibraryStore? {
    // Judged outside of the lock: a disk may take long to say how much room it has.
    let state = Self.state.withLock { $0 }
    guard let store = state.store, !store.couldBeWritable,
      state.place != nil || state.isSimulated == LibraryEnvironment.isSimulatedByProgram
    else { return nil }
    return store
  }

  /// Where the library lies, or will when it is opened.
  static var place: LibraryFolders {
    state.withLock { $0.place } ?? LibraryFolders(environment: LibraryEnvironment.current)
  }

  /// The library; opened, and made where it is missing, the first time.
  ///
  /// What has failed is tried again the next time. A program whose cameras are all simulated has a library of its own, also when
  /// they were installed after another library was opened.
  /// - Throws: ``PHPhotosError``.
  package static func store() throws(PHPhotosError) -> LibraryStore {
    if let store = current { return store }
    return try opening.withLock { () throws(PHPhotosError) in
      if let store = current { return store }
      let chosen = state.withLock { $0.place }
      let isSimulated = LibraryEnvironment.isSimulatedByProgram
      let place = chosen ?? LibraryFolders(environment: LibraryEnvironment.current)
      if let known = state.withLock({ $0.store }) {
        state.withLock { $0 = State(place: chosen) }
        if known.place == place { known.share() }
      }
      let store = try LibraryStore(place)
      _ = leavesCleanly
      FreshPictures.isWanted = true
      state.withLock { state in
        state.store = store
        state.isSimulated = isSimulated
      }
      return store
    }
  }

  /// The library if it is open.
  static var open: LibraryStore? { state.withLock { $0.store } }

  /// The time of the open library, or that in force.
  static var time: WorldTime { open?.time ?? .current }

  /// Makes the program use another library; `nil` opens the environment's when one is asked for.
  package static func use(_ store: LibraryStore?) { use(State(store: store, place: store?.place)) }

  /// Makes the program open the library of a place when it is asked for.
  package static func use(_ place: LibraryFolders) { use(State(place: place)) }

  private static func use(_ new: State) {
    let old = state.withLock { state in
      defer { state = new }
      return state
    }
    withExtendedLifetime(old) {}
  }
}
