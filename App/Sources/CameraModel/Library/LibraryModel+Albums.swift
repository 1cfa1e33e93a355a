import Foundation
import Photos

extension LibraryModel {
  /// Marks photos and films as favourites, or takes the mark away.
  package func setFavorite(_ on: Bool, _ identifiers: [String]) {
    change {
      for asset in LibraryAccess.assets(identifiers) { PHAssetChangeRequest(for: asset).isFavorite = on }
    }
  }

  /// Makes an album of photos and films.
  package func makeAlbum(_ title: String, of identifiers: [String]) {
    let title = title.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !title.isEmpty else { return }
    change {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
        .addAssets(LibraryAccess.assets(identifiers))
    } done: { [weak self] isDone in
      if isDone { self?.onNotice(.addedToAlbum(title: title, count: identifiers.count)) }
    }
    clearSelection()
  }

  /// Adds photos and films to an album of the user's.
  package func add(_ identifiers: [String], to album: LibraryAlbum) {
    guard case .own(let name) = album.kind else { return }
    change {
      Self.request(name)?.addAssets(LibraryAccess.assets(identifiers))
    } done: { [weak self] isDone in
      if isDone { self?.onNotice(.addedToAlbum(title: album.title, count: identifiers.count)) }
    }
    clearSelection()
  }

  /// Takes photos and films out of the album that is shown; they stay in the library.
  package func removeFromAlbum(_ identifiers: [String]) {
    guard case .own(let name) = state.value.album else { return }
    change { Self.request(name)?.removeAssets(LibraryAccess.assets(identifiers)) }
    clearSelection()
  }

  /// Removes the album that is shown; what was in it stays in the library.
  package func removeAlbum() {
    guard case .own(let name) = state.value.album else { return }
    change {
      PHAssetCollectionChangeRequest.deleteAssetCollections(
        PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [name], options: nil))
    }
  }

  private nonisolated static func request(_ identifier: String) -> PHAssetCollectionChangeRequest? {
    PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: nil).firstObject
      .flatMap { PHAssetCollectionChangeRequest(for: $0) }
  }

  /// Where the files of photos and films lie, for other programs; those that are gone are left out.
  package func urls(_ identifiers: [String]) async -> [URL] {
    let assets = await Task.detached { LibraryAccess.assets(identifiers) }.value
    var urls: [URL] = []
    for asset in assets {
      if let url = await LibraryAccess.url(of: asset) { urls.append(url) }
    }
    return urls
  }
}
