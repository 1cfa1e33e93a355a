import Foundation
import Photos

extension LibraryModel {
  /// Marks photos and videos as favourites, or takes the mark away.
  package func setFavorite(_ on: Bool, _ identifiers: [String]) {
    change {
      for asset in LibraryAccess.assets(identifiers) { PHAssetChangeRequest(for: asset).isFavorite = on }
    }
  }

  /// Makes an album of photos and videos; an empty one is shown, so that one sees it.
  package func makeAlbum(_ title: String, of identifiers: [String] = []) {
    let title = title.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !title.isEmpty else { return }
    let name = Guarded("")
    change {
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
      request.addAssets(LibraryAccess.assets(identifiers))
      name.change { $0 = request.placeholderForCreatedAssetCollection.localIdentifier }
    } done: { [weak self] isDone in
      guard isDone else { return }
      if identifiers.isEmpty {
        self?.show(.own(name.change { $0 }))
      } else {
        self?.onNotice(.addedToAlbum(title: title, count: identifiers.count))
      }
    }
    clearSelection()
  }

  /// The title of the album that is shown; `nil` for those that the library makes.
  package var ownAlbumTitle: String? {
    guard case .own = state.value.album else { return nil }
    return state.value.albums.first { $0.kind == state.value.album }?.title
  }

  /// Gives the album that is shown another title.
  package func renameAlbum(_ title: String) {
    let title = title.trimmingCharacters(in: .whitespacesAndNewlines)
    guard case .own(let name) = state.value.album, !title.isEmpty else { return }
    change { Self.request(name)?.title = title }
  }

  /// Adds photos and videos to an album of the user's.
  package func add(_ identifiers: [String], to album: LibraryAlbum) {
    guard case .own(let name) = album.kind else { return }
    change {
      Self.request(name)?.addAssets(LibraryAccess.assets(identifiers))
    } done: { [weak self] isDone in
      if isDone { self?.onNotice(.addedToAlbum(title: album.title, count: identifiers.count)) }
    }
    clearSelection()
  }

  /// Takes photos and videos out of the album that is shown; they stay in the library.
  package func removeFromAlbum(_ identifiers: [String]) {
    guard case .own(let name) = state.value.album else { return }
    change { Self.request(name)?.removeAssets(LibraryAccess.assets(identifiers)) }
    clearSelection()
  }

  /// Removes the album that is shown; what was in it stays in the library.
  package func removeAlbum() {
    guard case .own(let name) = state.value.album, let title = ownAlbumTitle else { return }
    change {
      PHAssetCollectionChangeRequest.deleteAssetCollections(
        PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [name], options: nil))
    } done: { [weak self] isDone in
      if isDone { self?.onNotice(.albumRemoved(title: title)) }
    }
  }

  private nonisolated static func request(_ identifier: String) -> PHAssetCollectionChangeRequest? {
    PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: nil).firstObject
      .flatMap { PHAssetCollectionChangeRequest(for: $0) }
  }

  /// The files of photos and videos, for other programs; those that are gone are left out.
  package func urls(_ identifiers: [String]) async -> [URL] {
    let assets = await Task.detached { LibraryAccess.assets(identifiers) }.value
    var urls: [URL] = []
    for asset in assets {
      if let url = await LibraryAccess.url(of: asset) { urls.append(url) }
    }
    return urls
  }
}
