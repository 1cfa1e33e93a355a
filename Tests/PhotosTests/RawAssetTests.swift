import AVFoundation
import Foundation
import ImageCore
import Linux
import Photos
import SimulatedDevices
import StillCodecs
import Testing

extension PhotosTests {
  @Suite("Raw pictures in the library", .serialized)
  struct RawAssets {
    /// A DNG file with some numbers in it.
    private func raw() throws -> Data {
      let mosaic = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_RGGB, width: 32, height: 24)
      var options = DNGEncoder.Options()
      options.bits = 12
      options.orientation = 6
      return try DNGEncoder.encode(mosaic, options: options)
    }

    @Test func `a raw picture and the photo beside it are one asset of two files, and go together`() throws {
      try withLibrary { test in
        let (jpeg, dng) = (try TestLibrary.jpeg(32, 24), try raw())
        var name = ""
        try test.library.performChangesAndWait {
          let request = PHAssetCreationRequest.forAsset()
          request.addResource(with: .photo, data: jpeg, options: nil)
          let options = PHAssetResourceCreationOptions()
          options.uniformTypeIdentifier = "com.adobe.raw-image"
          request.addResource(with: .alternatePhoto, data: dng, options: options)
          name = request.placeholderForCreatedAsset?.localIdentifier ?? ""
        }
        let asset = try #require(PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject)
        #expect(asset.mediaType == .image && asset.pixelWidth == 32)
        let resources = PHAssetResource.assetResources(for: asset)
        #expect(resources.map(\.type) == [.photo, .alternatePhoto])
        #expect(resources.map(\.uniformTypeIdentifier) == ["public.jpeg", "com.adobe.raw-image"])
        let path = try #require(resources.last?.path)
        #expect(path.hasSuffix(".dng") && FileManager.default.contents(atPath: path) == dng)
        let filter = try #require(CIRAWFilter(imageURL: URL(fileURLWithPath: path)))
        #expect(filter.orientation == .right)
        let album = PHAssetCollection.fetchAssetCollections(
          with: .smartAlbum, subtype: .smartAlbumRAW, options: nil
        ).firstObject
        let listed = try PHAsset.fetchAssets(in: #require(album), options: nil)
        #expect((0..<listed.count).map { listed[$0].localIdentifier } == [name])
        try test.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }

    @Test func `a raw picture alone is an asset whose pictures are developed`() throws {
      try withLibrary { test in
        let dng = try raw()
        var name = ""
        try test.library.performChangesAndWait {
          let request = PHAssetCreationRequest.forAsset()
          request.addResource(with: .photo, data: dng, options: nil)
          name = request.placeholderForCreatedAsset?.localIdentifier ?? ""
        }
        let asset = try #require(PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject)
        // It lies turned, and shows all but two pixels at each edge.
        #expect(asset.mediaType == .image && asset.pixelWidth == 20 && asset.pixelHeight == 28)
        let resources = PHAssetResource.assetResources(for: asset)
        #expect(resources.map(\.type) == [.photo])
        #expect(resources.map(\.uniformTypeIdentifier) == ["com.adobe.raw-image"])
        #expect(resources.first?.path?.hasSuffix(".dng") == true)
        let album = PHAssetCollection.fetchAssetCollections(
          with: .smartAlbum, subtype: .smartAlbumRAW, options: nil
        ).firstObject
        #expect(try PHAsset.fetchAssets(in: #require(album), options: nil).count == 1)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        for side in [10, 1000] {
          var image: UIImage?
          PHImageManager.default().requestImage(
            for: asset, targetSize: CGSize(width: side, height: side), contentMode: .aspectFit,
            options: options
          ) { found, _ in image = found }
          let picture = try #require(image?.cgImage)
          #expect(picture.height == min(side, 28) && picture.width < picture.height)
        }
        var data: Data?
        PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) {
          found, type, orientation, _ in
          data = found
          #expect(type == "com.adobe.raw-image" && orientation == .right)
        }
        #expect(data == dng)
        #expect(try test.problems().isEmpty)
      }
    }

    @Test func `a raw file that other programs put beside a picture belongs to it, whichever comes first`()
      throws
    {
      try withLibrary { test in
        let folder = test.store.place.pictures
        func put(_ name: String, _ data: Data) throws {
          try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
          _ = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        }
        try put("a.jpg", TestLibrary.jpeg(32, 24))
        try put("a.dng", raw())
        let asset = try test.first()
        #expect(test.assets.count == 1)
        #expect(PHAssetResource.assetResources(for: asset).map(\.type) == [.photo, .alternatePhoto])
        // One of another name is a picture of its own.
        try put("b.dng", raw())
        #expect(test.assets.count == 2)
        #expect(try test.problems().isEmpty)
      }
    }

    @Test func `a damaged raw file is one error that says why, and adds nothing`() throws {
      try withLibrary { test in
        let dng = try raw()
        for data in [dng.prefix(dng.count - 100), Data(dng.prefix(8))] {
          let error = #expect(throws: PHPhotosError.self) {
            try test.library.performChangesAndWait {
              PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data(data), options: nil)
            }
          }
          #expect(error?.code == .invalidResource)
          #expect(error?.localizedDescription.contains("cannot be added as a picture") == true)
        }
        #expect(test.assets.count == 0)
      }
    }
  }
}
