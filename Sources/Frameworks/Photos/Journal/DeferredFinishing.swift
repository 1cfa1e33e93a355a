internal import Foundation
internal import Linux

/// What finishes photos in this program.
package enum DeferredFinishing {
  private struct State {
    var finisher: (any DeferredPhotoFinishing)?
    var isAutomatic = true
  }

  private static let state = Locked(State())

  /// Whether photos are finished, and folders looked into, in the background; set before the library is opened.
  package static var isAutomatic: Bool {
    get { state.withLock { $0.isAutomatic } }
    set { state.withLock { $0.isAutomatic = newValue } }
  }

  /// What finishes photos: the frames that the camera stored, unless something else was set; `nil` without a library.
  package static var finisher: (any DeferredPhotoFinishing)? {
    get {
      if let finisher = state.withLock({ $0.finisher }) { return finisher }
      return SharedLibrary.open.map { StoredFrames(folder: $0.place.deferredPhotos) }
    }
    set {
      let old = state.withLock { state in
        defer { state.finisher = newValue }
        return state.finisher
      }
      withExtendedLifetime(old) {}
    }
  }
}
