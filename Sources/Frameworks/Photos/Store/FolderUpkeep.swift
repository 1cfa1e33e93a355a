internal import Foundation
internal import FoundationExtras
internal import Linux

/// Keeps the catalogue in line with what other programs do with the files, as long as a program has the library open.
///
/// It looks when the library is opened and when names in its folders change. A folder that has not changed costs one call.
final class FolderUpkeep: Sendable {
  private struct State {
    var isScheduled = false
    var folders: Set<String> = []
    var watch: FolderWatch?
  }

  /// Changes come in bursts.
  private static let pauseSeconds = 0.5
  /// What is being written is whole after this time, unless it has changed meanwhile.
  private static let restSeconds = 2.0
  private let queue = DispatchQueue(label: "obscura.folder-upkeep", qos: .utility)
  private let state = Locked(State())
  private let store: LibraryStore

  init(_ store: LibraryStore) {
    self.store = store
  }

  /// Looks soon; call it when the library is opened.
  func wake() { wake(after: Self.pauseSeconds) }

  private func wake(after seconds: Double) {
    let isNew = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isNew else { return }
    store.time.perform(afterNanoseconds: Int64(seconds * 1e9), on: queue) { [weak self] in self?.work() }
  }

  private func work() {
    state.withLock { $0.isScheduled = false }
    let reconciliation = Reconciliation(store, isFull: false, restSeconds: Self.restSeconds)
    // Watched first: what changes while it looks wakes it again. What fails now, on a full disk, is tried then.
    watch((try? reconciliation.folders()) ?? [])
    let report = try? reconciliation.run()
    try? store.pruneHistory()
    if report?.isUnsettled == true { wake(after: Self.restSeconds) }
  }

  private func watch(_ folders: Set<String>) {
    guard state.withLock({ $0.folders != folders }) else { return }
    let places = folders.sorted().map { folder in
      FolderWatch.Place(
        folder.isEmpty ? store.place.pictures : "\(store.place.pictures)/\(folder)", prefix: "")
    }
    // Without a watch, what other programs do is found when the library is opened next.
    let watch = try? FolderWatch(places) { [weak self] in self?.wake() }
    let old = state.withLock { state in
      defer {
        state.folders = folders
        state.watch = watch
      }
      return state.watch
    }
    withExtendedLifetime(old) {}
  }
}
