internal import Foundation
internal import Linux

/// The finishing of deferred photos in this program: the finisher, and whether it works in the background.
package enum DeferredFinishing {
  private struct State {
    var finisher: (any DeferredPhotoFinishing)?
    var isAutomatic = true
    var conditions = FinishingConditions()
  }

  private static let state = Locked(State())

  /// Whether photos are finished, and folders looked into, in the background; set before the library is opened.
  package static var isAutomatic: Bool {
    get { state.withLock { $0.isAutomatic } }
    set { state.withLock { $0.isAutomatic = newValue } }
  }

  /// The conditions of finishing in the background; set before the library is opened.
  package static var conditions: FinishingConditions {
    get { state.withLock { $0.conditions } }
    set { state.withLock { $0.conditions = newValue } }
  }

  /// The finisher of photos: the frames that the camera stored, unless another was set; `nil` without a library.
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
