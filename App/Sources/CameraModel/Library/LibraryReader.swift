import Dispatch
import Foundation
import Photos

/// Reads the library on a queue of its own, and reads again what changes, whichever program changes it.
final class LibraryReader: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
  // Safe because what changes is used on `queue` alone.

  /// A report of the reader about the library.
  enum News: Sendable {
    case albums([LibraryAlbum])
    case content(LibraryContent, LibraryAlbum.Kind)
    case newest(StoredPhoto?)
    case failed(String)
  }

  let queue = DispatchQueue(label: "camera.library", qos: .userInitiated)
  private var album = LibraryAlbum.Kind.all
  private var content: LibraryContent?
  private var hidden: Set<String> = []
  private var newest: String?
  private var isOpen = false
  private let report: @Sendable (News) -> Void

  init(report: @escaping @MainActor (News) -> Void) {
    self.report = { news in DispatchQueue.main.async { MainActor.assumeIsolated { report(news) } } }
  }

  /// Opens the library, and from now on reports what is in it.
  func open() {
    queue.async {
      guard !self.isOpen else { return self.readAll() }
      if let reason = PHPhotoLibrary.shared().unavailabilityReason {
        return self.report(.failed(reason.localizedDescription))
      }
      self.isOpen = true
      PHPhotoLibrary.shared().register(self)
      self.readAll()
    }
  }

  /// Ends the reports.
  func close() {
    queue.sync {
      if isOpen { PHPhotoLibrary.shared().unregisterChangeObserver(self) }
      isOpen = false
      content = nil
    }
  }

  /// Reads another album.
  func show(_ album: LibraryAlbum.Kind) {
    queue.async {
      self.album = album
      self.content = nil
      if self.isOpen { self.readContent() }
    }
  }

  /// Leaves assets out that wait to be deleted.
  func hide(_ identifiers: Set<String>) {
    queue.async {
      self.hidden = identifiers
      guard let content = self.content else { return }
      self.publish(content.hiding(identifiers))
    }
  }

  func photoLibraryDidChange(_ change: PHChange) {
    queue.async {
      guard self.isOpen else { return }
      self.readAlbums()
      self.readNewest()
      guard let content = self.content else { return }
      if let details = change.changeDetails(for: content.assets) {
        self.publish(content.changed(by: details, hiding: self.hidden))
      }
    }
  }

  private func readAll() {
    readNewest()
    readAlbums()
    readContent()
  }

  private func readContent() {
    guard let assets = fetch() else {
      album = .all
      return readContent()
    }
    publish(LibraryContent(assets, hiding: hidden))
  }

  private func publish(_ content: LibraryContent) {
    self.content = content
    report(.content(content, album))
  }

  /// `nil` for an album that is gone.
  private func fetch() -> PHFetchResult<PHAsset>? {
    let options = LibraryAccess.newestFirst()
    func smart(_ subtype: PHAssetCollectionSubtype) -> PHFetchResult<PHAsset>? {
      Self.smartAlbum(subtype).map { PHAsset.fetchAssets(in: $0, options: options) }
    }
    switch album {
    case .all: return PHAsset.fetchAssets(with: options)
    case .favorites: return smart(.smartAlbumFavorites)
    case .videos: return smart(.smartAlbumVideos)
    case .selfies: return smart(.smartAlbumSelfPortraits)
    case .own(let identifier):
      let found = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: nil)
      return found.firstObject.map { PHAsset.fetchAssets(in: $0, options: options) }
    }
  }

  static func smartAlbum(_ subtype: PHAssetCollectionSubtype) -> PHAssetCollection? {
    PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: subtype, options: nil).firstObject
  }

  private func readAlbums() {
    var albums = [LibraryAlbum(kind: .all, title: "")]
    let one = PHFetchOptions()
    one.fetchLimit = 1
    let smart: [(LibraryAlbum.Kind, PHAssetCollectionSubtype)] = [
      (.favorites, .smartAlbumFavorites), (.videos, .smartAlbumVideos), (.selfies, .smartAlbumSelfPortraits),
    ]
    // Empty ones are left out, but not the one that is shown.
    for (kind, subtype) in smart {
      if let album = Self.smartAlbum(subtype),
        kind == self.album || PHAsset.fetchAssets(in: album, options: one).count > 0
      {
        albums.append(LibraryAlbum(kind: kind, title: ""))
      }
    }
    let own = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
    own.enumerateObjects { album, _, _ in
      albums.append(LibraryAlbum(kind: .own(album.localIdentifier), title: album.localizedTitle ?? ""))
    }
    if !albums.contains(where: { $0.kind == album }) {
      album = .all
      readContent()
    }
    report(.albums(albums))
  }

  private func readNewest() {
    let asset = LibraryAccess.newest()
    guard asset?.localIdentifier != newest else { return }
    newest = asset?.localIdentifier
    report(
      .newest(
        asset.flatMap { asset in
          LibraryAccess.picture(of: asset, longerSide: 256).map {
            StoredPhoto(place: .asset(asset.localIdentifier), thumbnail: $0)
          }
        }))
  }
}
