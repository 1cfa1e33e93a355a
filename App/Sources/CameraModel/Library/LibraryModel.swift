import Foundation
import Photos

/// The library screen: albums, what they hold by days, what is selected, and what is done with it.
///
/// Everything is on the main actor and returns at once, but ``finishDeletions()``.
@MainActor
package final class LibraryModel {
  /// The state that the library screen shows.
  package let state = Observed(LibraryState())
  /// Small pictures of what is in view.
  package let thumbnails: ThumbnailFeed
  /// Called for what is said in a line that goes away by itself.
  package var onNotice: (Notice) -> Void = { _ in }
  /// Called with the newest photo or video of the library, when that is another.
  var onNewest: (StoredPhoto?) -> Void = { _ in }

  private let time: any Timekeeper
  private let relay = NewsRelay()
  let reader: LibraryReader
  private(set) var content: LibraryContent?
  private var deletions: [Deletion] = []
  private var run = 0

  struct Deletion {
    var run: Int
    var identifiers: [String]
  }

  init(time: any Timekeeper) {
    self.time = time
    let relay = relay
    reader = LibraryReader { relay.handler($0) }
    thumbnails = ThumbnailFeed()
    relay.handler = { [weak self] in self?.take($0) }
  }

  /// Opens the library.
  package func open() { reader.open() }

  /// Shows an album.
  package func show(_ album: LibraryAlbum.Kind) {
    guard album != state.value.album else { return }
    clearSelection()
    state.value.album = album
    state.value.phase = .reading
    reader.show(album)
  }

  private func take(_ news: LibraryReader.News) {
    switch news {
    case .albums(let albums): state.value.albums = albums
    case .content(let content, let album):
      self.content = content
      var new = state.value
      new.phase = .ready
      new.album = album
      new.count = content.count
      new.days = content.days
      new.revision += 1
      state.value = new
    case .newest(let photo): onNewest(photo)
    case .failed(let reason): state.value.phase = .failed(reason: reason)
    }
  }

  // MARK: What is shown

  /// The photo or video at a place; `nil` outside.
  package func item(at place: Int) -> LibraryItem? { content?.asset(at: place).map(LibraryItem.init) }

  /// The place of a photo or video; `nil` when it is not shown.
  package func place(of identifier: String) -> Int? { content?.place(of: identifier) }

  // MARK: Selection

  /// Lets presses choose photos from now on, or open them again.
  package func setSelecting(_ on: Bool) {
    state.value.isSelecting = on
    if !on { state.value.selected = [] }
  }

  /// Selects a photo, or no longer.
  package func toggle(_ identifier: String) {
    state.value.isSelecting = true
    if state.value.selected.remove(identifier) == nil { state.value.selected.insert(identifier) }
  }

  /// Selects all that is shown.
  package func selectAll() {
    guard let content else { return }
    state.value.isSelecting = true
    reader.queue.async {
      let all = Set((0..<content.count).compactMap { content.asset(at: $0)?.localIdentifier })
      DispatchQueue.main.async { MainActor.assumeIsolated { self.state.value.selected = all } }
    }
  }

  /// Selects nothing, and lets presses open photos.
  package func clearSelection() { setSelecting(false) }

  // MARK: Deleting

  /// The seconds for which a deletion can be taken back.
  package static let undoSeconds = 8.0

  /// Takes photos and videos away; for ``undoSeconds`` they can be had back.
  package func delete(_ identifiers: [String]) {
    guard !identifiers.isEmpty else { return }
    run += 1
    deletions.append(Deletion(run: run, identifiers: identifiers))
    clearSelection()
    hideDeletions()
    onNotice(.deleted(count: identifiers.count))
    let run = run
    time.after(Self.undoSeconds) { [weak self] in self?.commit(run) }
  }

  /// Takes the last deletion back, as long as that is possible.
  package func undoDelete() {
    guard deletions.popLast() != nil else { return }
    hideDeletions()
  }

  /// Whether a deletion can be taken back.
  package var canUndo: Bool { !deletions.isEmpty }

  private func hideDeletions() { reader.hide(Set(deletions.flatMap(\.identifiers))) }

  private func commit(_ run: Int) {
    guard let index = deletions.firstIndex(where: { $0.run == run }) else { return }
    let deletion = deletions.remove(at: index)
    let assets = deletion.identifiers
    change {
      PHAssetChangeRequest.deleteAssets(LibraryAccess.assets(assets))
    } done: { [weak self] _ in
      // What could not be deleted is shown again.
      self?.hideDeletions()
    }
  }

  /// Deletes now what waits for it; blocks until that is done.
  ///
  /// For the program's end.
  package func finishDeletions() {
    let identifiers = deletions.flatMap(\.identifiers)
    deletions = []
    guard !identifiers.isEmpty else { return }
    try? PHPhotoLibrary.shared().performChangesAndWait {
      PHAssetChangeRequest.deleteAssets(LibraryAccess.assets(identifiers))
    }
  }

  // MARK: Changing

  /// Makes a change in the library, then calls `done`; says why when it fails.
  func change(_ block: @escaping @Sendable () -> Void, done: @escaping @MainActor (Bool) -> Void = { _ in }) {
    PHPhotoLibrary.shared().performChanges(block) { [weak self] isDone, error in
      let reason = error?.localizedDescription ?? ""
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          if !isDone { self?.onNotice(.libraryFailed(reason: reason)) }
          done(isDone)
        }
      }
    }
  }

  /// Ends it; what can still be taken back is deleted.
  package func close() {
    finishDeletions()
    reader.close()
  }
}

/// Lets the reader report to a model that is not made yet when the reader is.
@MainActor
private final class NewsRelay {
  var handler: (LibraryReader.News) -> Void = { _ in }
}
