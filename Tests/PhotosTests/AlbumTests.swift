import Foundation
import FoundationExtras
import Photos
import Testing

extension PhotosTests {
  @Suite("Albums", .serialized)
  struct AlbumTests {
    private func album(_ title: String) -> PHAssetCollection? {
      let options = PHFetchOptions()
      options.predicate = NSPredicate(format: "title = %@", title)
      return PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options)
        .firstObject
    }

    private func names(_ album: PHAssetCollection?) throws -> [String] {
      let found = PHAsset.fetchAssets(in: try #require(album), options: nil)
      return found.objects(at: IndexSet(integersIn: 0..<found.count)).map(\.localIdentifier)
    }

    @Test func `an album is made with a new photo in one change, found by its title, renamed and deleted`()
      throws
    {
      try withLibrary { test in
        let file = try TestLibrary.jpeg()
        var placeholder: PHObjectPlaceholder?
        try test.library.performChangesAndWait {
          let photo = PHAssetCreationRequest.forAsset()
          photo.addResource(with: .photo, data: file, options: nil)
          let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Cats")
          // Safe because it makes an asset.
          album.addAssets([photo.placeholderForCreatedAsset!] as NSArray)
          placeholder = album.placeholderForCreatedAssetCollection
        }
        let found = try #require(album("Cats"))
        #expect(found.localIdentifier == placeholder?.localIdentifier && found.localizedTitle == "Cats")
        #expect(found.assetCollectionType == .album && found.assetCollectionSubtype == .albumRegular)
        #expect(
          found.estimatedAssetCount == 1 && found.startDate == found.endDate && found.startDate != nil)
        let named = PHAssetCollection.fetchAssetCollections(
          withLocalIdentifiers: [found.localIdentifier], options: nil)
        #expect(named.firstObject == found)
        try test.library.performChangesAndWait {
          PHAssetCollectionChangeRequest(for: found)?.title = "Dogs"
        }
        #expect(album("Cats") == nil && album("Dogs") == found)
        let asset = try test.first()
        #expect(
          PHAssetCollection.fetchAssetCollectionsContaining(asset, with: .album, options: nil).firstObject
            == found)
        try test.library.performChangesAndWait {
          PHAssetCollectionChangeRequest.deleteAssetCollections([found] as NSArray)
        }
        #expect(album("Dogs") == nil && test.assets.count == 1)
      }
    }

    @Test func `assets are added, inserted, replaced, moved and taken out`() throws {
      try withLibrary { test in
        let n = try test.add(5)
        func change(_ edit: (PHAssetCollectionChangeRequest) -> Void) throws -> [String] {
          let album = try #require(self.album("A"))
          try test.library.performChangesAndWait { PHAssetCollectionChangeRequest(for: album).map(edit) }
          return try names(album)
        }
        func assets(_ places: Int...) -> [PHAsset] { places.map { test.assets.object(at: $0) } }
        try test.library.performChangesAndWait {
          PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        }
        #expect(try change { $0.addAssets(assets(3, 1)) } == [n[3], n[1]])
        #expect(try change { $0.addAssets(assets(1, 0)) } == [n[3], n[1], n[0]])
        #expect(
          try change { $0.insertAssets(assets(2, 4), at: [0, 2]) } == [n[2], n[3], n[4], n[1], n[0]])
        #expect(try change { $0.moveAssets(at: [0, 1], to: 2) } == [n[4], n[1], n[2], n[3], n[0]])
        #expect(try change { $0.removeAssets(assets(1)) } == [n[4], n[2], n[3], n[0]])
        #expect(try change { $0.removeAssets(at: [0, 3]) } == [n[2], n[3]])
        #expect(try change { $0.replaceAssets(at: [1], withAssets: assets(0)) } == [n[2], n[0]])
        #expect(throws: PHPhotosError.self) { _ = try change { $0.removeAssets(at: [7]) } }
      }
    }

    @Test func `albums lie in folders, and no folder in itself`() throws {
      try withLibrary { test in
        try test.library.performChangesAndWait {
          let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Inner")
          let folder = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Outer")
          folder.addChildCollections([album.placeholderForCreatedAssetCollection] as NSArray)
          #expect(folder.placeholderForCreatedCollectionList.localIdentifier.hasSuffix("/L0/020"))
        }
        let top = PHCollection.fetchTopLevelUserCollections(with: nil)
        let folder = try #require(top.firstObject as? PHCollectionList)
        #expect(top.count == 1 && folder.canContainCollections && !folder.canContainAssets)
        #expect(folder.collectionListType == .folder && folder.collectionListSubtype == .regularFolder)
        let inner = PHCollection.fetchCollections(in: folder, options: nil)
        #expect(inner.firstObject?.localizedTitle == "Inner")
        #expect(
          PHCollectionList.fetchCollectionListsContaining(try #require(inner.firstObject), options: nil)
            .firstObject
            == folder)
        #expect(
          PHCollectionList.fetchCollectionLists(with: .folder, subtype: .any, options: nil).count == 1)
        #expect(throws: PHPhotosError.self) {
          try test.library.performChangesAndWait {
            PHCollectionListChangeRequest(for: folder)?.addChildCollections([folder])
          }
        }
        #expect(folder.canPerform(.rename) && folder.canPerform(.createContent))
        try test.library.performChangesAndWait {
          PHCollectionListChangeRequest.deleteCollectionLists([folder])
        }
        #expect(album("Inner") == nil)
      }
    }

    @Test func `smart albums have what their rule says`() throws {
      try withLibrary { test in
        try test.add(4)
        let asset = test.assets.object(at: 2)
        try test.library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
        func smart(_ subtype: PHAssetCollectionSubtype) throws -> PHFetchResult<PHAsset> {
          let album = PHAssetCollection.fetchAssetCollections(
            with: .smartAlbum, subtype: subtype, options: nil)
          return PHAsset.fetchAssets(in: try #require(album.firstObject), options: nil)
        }
        #expect(try smart(.smartAlbumFavorites).firstObject == asset)
        #expect(try smart(.smartAlbumUserLibrary).count == 4)
        #expect(try smart(.smartAlbumRecentlyAdded).count == 4)
        #expect(try smart(.smartAlbumVideos).count == 0)
        #expect(try smart(.smartAlbumSelfPortraits).count == 0)
        let all = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: nil)
        #expect(all.count == SmartAlbum.all.count && Set(SmartAlbum.all.map(\.uuid)).count == all.count)
        let recents = try #require(all.firstObject)
        #expect(recents.estimatedAssetCount == NSNotFound && !recents.canPerform(.addContent))
        #expect(PHAssetCollectionChangeRequest(for: recents) == nil)
        #expect(PHAsset.fetchKeyAssets(in: recents, options: nil)?.count == 3)
      }
    }

    @Test func `an album that is not kept shows what it was given`() throws {
      try withLibrary { test in
        try test.add(3)
        let album = PHAssetCollection.transientAssetCollection(
          with: [test.assets.object(at: 2), test.assets.object(at: 0)], title: "Now")
        #expect(
          try names(album) == [test.assets.object(at: 2), test.assets.object(at: 0)].map(\.localIdentifier))
        let whole = PHAssetCollection.transientAssetCollection(
          withAssetFetchResult: test.assets, title: nil)
        #expect(whole.estimatedAssetCount == 3)
        let list = PHCollectionList.transientCollectionList(with: [album, whole], title: "Both")
        #expect(PHCollection.fetchCollections(in: list, options: nil).count == 2)
      }
    }

    @Test func `a subtype of another type is a mistake, and nothing is found`() throws {
      try withLibrary { test in
        try test.add(1)
        let albums: [PHAssetCollectionSubtype] = [
          .albumRegular, .albumSyncedEvent, .albumSyncedFaces, .albumSyncedAlbum, .albumImported,
          .albumMyPhotoStream, .albumCloudShared,
        ]
        let smart: [PHAssetCollectionSubtype] = [
          .smartAlbumGeneric, .smartAlbumPanoramas, .smartAlbumVideos, .smartAlbumFavorites,
          .smartAlbumTimelapses, .smartAlbumAllHidden, .smartAlbumRecentlyAdded, .smartAlbumBursts,
          .smartAlbumSlomoVideos, .smartAlbumUserLibrary, .smartAlbumSelfPortraits, .smartAlbumScreenshots,
          .smartAlbumDepthEffect, .smartAlbumLivePhotos, .smartAlbumAnimated, .smartAlbumLongExposures,
          .smartAlbumRAW, .smartAlbumScreenRecordings,
        ]
        func fetch(_ type: PHAssetCollectionType, _ subtype: PHAssetCollectionSubtype) -> (Int, Int) {
          var found = 0
          let mistakes = ProgrammingMistake.collect {
            found = PHAssetCollection.fetchAssetCollections(with: type, subtype: subtype, options: nil).count
          }
          return (found, mistakes.count)
        }
        for subtype in albums {
          #expect(fetch(.smartAlbum, subtype) == (0, 1), "\(subtype)")
          #expect(fetch(.album, subtype).1 == 0, "\(subtype)")
        }
        for subtype in smart {
          #expect(fetch(.album, subtype) == (0, 1), "\(subtype)")
          #expect(fetch(.smartAlbum, subtype).1 == 0, "\(subtype)")
        }
        #expect(fetch(.album, .any).1 == 0 && fetch(.smartAlbum, .any).1 == 0)
        #expect(fetch(.smartAlbum, .smartAlbumUserLibrary).0 == 1)
      }
    }
  }
}
