internal import Foundation
internal import FoundationExtras
internal import Linux

/// An observer of the library's changes.
///
/// Apple: `PHPhotoLibraryChangeObserver`.
public protocol PHPhotoLibraryChangeObserver: AnyObject {
  /// Called on a queue of the library, in the order of the changes, also of those of other programs.
  func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// Notifies the observers of a library, whichever process changed it.
package final class LibraryObservers: Sendable {
  private struct Observer: @unchecked Sendable {  // Safe because it is only called on the queue.
    let object: any PHPhotoLibraryChangeObserver
  }

  private struct State {
    var store: LibraryStore?
    var seen = 0
    var watch: FolderWatch?
    var finishing: BackgroundFinishing?
    var upkeep: FolderUpkeep?
  }

  private let observers = WeakObjects<Observer>()
  private let state = Locked(State())
  /// Observers and completion handlers are called on it.
  package let queue = DispatchQueue(label: "obscura.photo-library")

  func add(_ observer: any PHPhotoLibraryChangeObserver) {
    let reference = WeakReference(observer)
    observers.add(ObjectIdentifier(observer)) { reference.object.map { Observer(object: $0) } }
  }

  func remove(_ observer: any PHPhotoLibraryChangeObserver) {
    observers.remove(ObjectIdentifier(observer))
  }

  private final class WeakReference: @unchecked Sendable {  // Safe because weak references are.
    private weak let target: (any PHPhotoLibraryChangeObserver)?
    init(_ object: any PHPhotoLibraryChangeObserver) { target = object }
    var object: (any PHPhotoLibraryChangeObserver)? { target }
  }

  /// Watches a library from now on, instead of another one.
  func attach(_ store: LibraryStore) {
    guard state.withLock({ $0.store !== store }) else { return }
    let seen = (try? store.revision()) ?? 0
    let watch = try? FolderWatch([.init(store.place.catalogue, prefix: "changes")]) { [weak self] in
      self?.lookSoon()
    }
    let finishing =
      DeferredFinishing.isAutomatic && store.isWritable
      ? DeferredFinishing.finisher.map { BackgroundFinishing(store, $0, DeferredFinishing.conditions) } : nil
    let upkeep = DeferredFinishing.isAutomatic && store.isWritable ? FolderUpkeep(store) : nil
    let old = state.withLock { state in
      defer {
        state = State(store: store, seen: seen, watch: watch, finishing: finishing, upkeep: upkeep)
      }
      return state
    }
    withExtendedLifetime(old) {}
    store.committed.set { [weak self] _ in self?.lookSoon() }
    finishing?.wake()
    upkeep?.wake()
  }

  /// Looks for changes on the queue, and notifies the observers.
  package func lookSoon() {
    queue.carry { self.look() }
  }

  private func look() {
    let (known, seen) = state.withLock { ($0.store, $0.seen) }
    // Transactions on internal tables alone, such as the upkeep's, are not reported.
    guard let store = known, let newest = (try? store.changes(since: seen))?.last else { return }
    let isNew = state.withLock { state in
      defer { state.seen = max(state.seen, newest) }
      return newest > state.seen
    }
    guard isNew else { return }
    state.withLock({ $0.finishing })?.wake()
    let change = PHChange(store)
    for observer in observers.present { observer.object.photoLibraryDidChange(change) }
  }
}
