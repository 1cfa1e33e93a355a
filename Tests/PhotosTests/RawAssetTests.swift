import AVFoundation
import Foundation
import ImageCore
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
  }
}
