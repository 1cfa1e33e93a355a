import Foundation
import FoundationExtras
import Linux
import Photos
import Testing

extension PhotosTests {
  @Suite("Changes of the library", .serialized)
  struct ChangeTests {
    @Test func `a photo is a plain file named by its date and an asset with its size and date`() throws {
      try withLibrary { test in
        let file = try TestLibrary.jpeg(320, 240, date: "2024:03:05 06:07:08")
        var name: String?
        try test.library.performChangesAndWait {
          let request = PHAssetCreationRequest.forAsset()
          request.addResource(with: .photo, data: file, options: nil)
          name = request.placeholderForCreatedAsset?.localIdentifier
        }
        let known = try #require(name)
        let asset = try #require(
          PHAsset.fetchAssets(withLocalIdentifiers: [known], options: nil).firstObject)
        #expect(asset.localIdentifier == name)
        #expect(asset.mediaType == .image && asset.pixelWidth == 320 && asset.pixelHeight == 240)
        #expect(asset.creationDate == ISO8601DateFormatter().date(from: "2024-03-05T06:07:08Z"))
        let path = try #require(test.files().first)
        #expect(path.hasPrefix("2024-03/IMG_20240305_") && path.hasSuffix(".jpg"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(test.pictures)/\(path)")) == file)
        #expect(try test.problems().isEmpty)
      }
    }

    @Test func `a link that is moved into the library leaves its target a file of its own`() throws {
      try withLibrary { test in
        let (target, link) = ("\(test.folder)/.mine.jpg", "\(test.folder)/.link.jpg")
        try TestLibrary.jpeg(90, 30).write(to: URL(fileURLWithPath: target))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try test.library.performChangesAndWait {
          let options = PHAssetResourceCreationOptions()
          options.shouldMoveFile = true
          PHAssetCreationRequest.forAsset().addResource(
            with: .photo, fileURL: URL(fileURLWithPath: link), options: options)
        }
        let name = try #require(test.files().first)
        let kept = "\(test.pictures)/\(name)"
        func number(_ path: String) -> UInt? {
          var status = stat()
          return lstat(path, &status) == 0 ? UInt(status.st_ino) : nil
        }
        #expect(number(link) == nil && number(kept) != nil && number(kept) != number(target))
        #expect(FileManager.default.contents(atPath: target) == FileManager.default.contents(atPath: kept))
      }
    }

    @Test func `a change is kept as a whole or not at all`() throws {
      try withLibrary { test in
        try test.add(1)
        let good = try TestLibrary.jpeg()
        #expect(throws: PHPhotosError.self) {
          try test.library.performChangesAndWait {
            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: good, options: nil)
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Trip")
            PHAssetCreationRequest.forAsset().addResource(
              with: .photo, data: Data("no picture".utf8), options: nil)
          }
        }
        #expect(test.assets.count == 1 && test.files().count == 1)
        #expect(
          PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).count == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: test.store.place.staging).count == 1)
        #expect(try test.problems().isEmpty)
      }
    }

    @Test func `errors have Apple's codes`() throws {
      try withLibrary { test in
        func code(_ block: () -> Void) -> PHPhotosError.Code? {
          do {
            try test.library.performChangesAndWait(block)
            return nil
          } catch {
            return (error as? PHPhotosError)?.code
          }
        }
        let picture = try TestLibrary.jpeg()
        #expect(code { _ = PHAssetCreationRequest.forAsset() } == .missingResource)
        #expect(
          code {
            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data([1]), options: nil)
          }
            == .invalidResource)
        #expect(
          code {
            PHAssetCreationRequest.forAsset().addResource(with: .photoProxy, data: picture, options: nil)
          }
            == .invalidResource)
        #expect(
          code {
            PHAssetCreationRequest.forAsset().addResource(
              with: .photo, fileURL: URL(fileURLWithPath: "/nowhere.jpg"), options: nil)
          } == .missingResource)
        let names = try test.add(1)
        let gone = try test.first()
        try test.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([gone]) }
        #expect(code { PHAssetChangeRequest(for: gone).isFavorite = true } == .identifierNotFound)
        #expect(PHAsset.fetchAssets(withLocalIdentifiers: names, options: nil).count == 0)
        #expect(PHPhotosErrorDomain == PHPhotosError.errorDomain)
      }
    }

    @Test func `favourites, hiding, date and place of an asset are changed`() throws {
      try withLibrary { test in
        try test.add(2)
        let asset = try test.first()
        let date = Date(timeIntervalSinceReferenceDate: 12345)
        try test.library.performChangesAndWait {
          let request = PHAssetChangeRequest(for: asset)
          request.isFavorite = true
          request.creationDate = date
          request.location = CLLocation(latitude: 37.5, longitude: 127)
          #expect(
            request.isFavorite && request.creationDate == date
              && request.location?.coordinate.latitude == 37.5)
          #expect(request.placeholderForCreatedAsset == nil)
        }
        let after = try #require(
          PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: nil).firstObject)
        #expect(after.isFavorite && !asset.isFavorite && after == asset)
        #expect(after.creationDate == date && after.location?.coordinate.longitude == 127)
        #expect(try #require(after.modificationDate) > date)
        try test.library.performChangesAndWait { PHAssetChangeRequest(for: after).isHidden = true }
        #expect(test.assets.count == 1)
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        #expect(PHAsset.fetchAssets(with: options).count == 2)
        let hidden = PHAssetCollection.fetchAssetCollections(
          with: .smartAlbum, subtype: .smartAlbumAllHidden, options: nil)
        #expect(
          PHAsset.fetchAssets(in: try #require(hidden.firstObject), options: nil).firstObject == asset)
        try test.library.performChangesAndWait { PHAssetChangeRequest(for: after).location = nil }
        #expect(PHAsset.fetchAssets(with: options).object(at: 0).location == nil)
      }
    }

    @Test func `a deleted asset takes its file with it and leaves its albums`() throws {
      try withLibrary { test in
        try test.add(3)
        let all = test.assets
        try test.library.performChangesAndWait {
          let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Trip")
          album.addAssets(all)
        }
        try test.library.performChangesAndWait {
          PHAssetChangeRequest.deleteAssets([all.object(at: 1)] as NSArray)
        }
        #expect(test.files().count == 2 && test.assets.count == 2)
        let album = try #require(
          PHAssetCollection.fetchAssetCollections(with: .album, subtype: .albumRegular, options: nil)
            .firstObject)
        #expect(album.estimatedAssetCount == 2)
        #expect(try test.problems().isEmpty)
      }
    }

    @Test
    func `a file that moves into the library is gone where it was, and stays there when the change fails`()
      throws
    {
      try withLibrary { test in
        let file = URL(fileURLWithPath: test.folder).appendingPathComponent(".outside.jpg")
        let bytes = try TestLibrary.jpeg()
        try bytes.write(to: file)
        let options = PHAssetResourceCreationOptions()
        options.shouldMoveFile = true
        options.originalFilename = "Holiday.jpg"
        #expect(throws: PHPhotosError.self) {
          try test.library.performChangesAndWait {
            PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: file, options: options)
            _ = PHAssetCreationRequest.forAsset()
          }
        }
        #expect(try Data(contentsOf: file) == bytes)
        try test.library.performChangesAndWait {
          PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: file, options: options)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let resource = try #require(
          PHAssetResource.assetResources(for: try test.first()).first)
        #expect(
          resource.originalFilename == "Holiday.jpg" && resource.uniformTypeIdentifier == "public.jpeg")
      }
    }

    @Test func `requests outside of a block, and blocks inside of blocks, are mistakes`() throws {
      try withLibrary { test in
        let outside = ProgrammingMistake.collect { _ = PHAssetCreationRequest.forAsset() }
        #expect(outside.count == 1)
        let library = test.library
        let inner: @Sendable () -> Void = { try? library.performChangesAndWait {} }
        let mistakes = ProgrammingMistake.collect { try? library.performChangesAndWait(inner) }
        #expect(mistakes.first?.rule.contains("inside of a block") == true)
      }
    }

    @Test func `changes are made asynchronously, too`() async throws {
      try await withLibrary { test in
        let file = try TestLibrary.jpeg()
        try await test.library.performChanges {
          PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil)
        }
        #expect(test.assets.count == 1)
        let isDone = await withCheckedContinuation { continuation in
          test.library.performChanges(
            { _ = PHAssetCreationRequest.forAsset() },
            completionHandler: { isDone, error in
              continuation.resume(returning: isDone || (error as? PHPhotosError)?.code != .missingResource)
            })
        }
        #expect(!isDone)
        #expect(await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized)
      }
    }

    @Test func `an image becomes an asset, and so do files of pictures`() throws {
      try withLibrary { test in
        let image = try #require(UIImage(data: try TestLibrary.jpeg(100, 60)))
        let file = URL(fileURLWithPath: test.folder).appendingPathComponent(".a.jpg")
        try TestLibrary.jpeg(50, 70).write(to: file)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest.creationRequestForAsset(from: image).creationDate = .distantPast
          #expect(PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file) != nil)
          #expect(
            PHAssetChangeRequest.creationRequestForAssetFromImage(
              atFileURL: URL(fileURLWithPath: "/no.jpg"))
              == nil)
        }
        #expect(test.assets.count == 2)
        #expect(test.assets.object(at: 0).pixelWidth == 100 && test.assets.object(at: 1).pixelHeight == 70)
        #expect(PHAssetCreationRequest.supportsAssetResourceTypes([1, 9]))
        #expect(!PHAssetCreationRequest.supportsAssetResourceTypes([2, 1]))
      }
    }
  }
}
