import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import PhotoProcessing
import Photos
import Testing

extension PhotosTests {
  /// Thumbnails of photos that this program has just taken.
  @Suite("Thumbnails from captured frames", .serialized)
  struct FreshPictureTests {
    /// A photo's file, made of a frame whose left half is dark.
    private func photo(_ shade: UInt8, _ orientation: CGImagePropertyOrientation) throws -> Data {
      var made: CVPixelBuffer?
      CVPixelBufferCreate(nil, 800, 600, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
      let pixels = try #require(made)
      for (index, plane) in pixels.planes.enumerated() {
        for row in 0..<plane.height {
          let bytes = plane.row(row)
          for column in bytes.indices {
            bytes[column] = index == 1 ? 128 : column < 400 ? 20 : shade
          }
        }
      }
      let frame = CapturedFrame(
        picture: .pixels(pixels), timestamp: MonotonicInstant(nanoseconds: 1_500_000_000), sequence: 45,
        conditions: FrameConditions(exposure: FrameExposure(durationNanoseconds: 8_333_333, iso: 64)))
      let request = PhotoProcessingRequest(
        uniqueID: 3, encoding: .jpeg(quality: nil), orientation: orientation, prioritization: .speed,
        camera: PhotoCamera(make: "Maker", model: "Model"), clientMetadata: PhotoMetadata([:]))
      return try #require(PhotoProcessor().process([frame], for: request).file)
    }

    @Test func `the thumbnail of a photo just taken is made of its frame, upright and in both sizes`()
      throws
    {
      try withLibrary { test in
        FreshPictures.isWanted = true
        defer { FreshPictures.isWanted = false }
        let file = try photo(200, .right)
        try test.library.performChangesAndWait {
          PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil)
        }
        let path = "\(test.pictures)/\(try #require(test.files().first))"
        #expect(FreshPictures.picture(ofFile: path) != nil)
        // Only the frame can still say what the picture shows: between its ends, the file is rubbish.
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: 4096)
        handle.write(Data(repeating: 0, count: max(0, file.count - 8192)))
        let thumbnails = Thumbnails(test.store.place.thumbnails)
        for (size, edge) in [(Thumbnails.Size.large, 256), (.normal, 128)] {
          let image = try #require(thumbnails.thumbnail(of: path, size))
          #expect(image.height == edge && image.width == edge * 3 / 4)
          // Turned to the right, what was at the left is on top.
          let bytes = try #require(image.dataProvider?.data)
          let step = image.bitsPerPixel / 8
          let top = Data(bytes)[image.bytesPerRow * 4 + 10 * step + 1]
          let bottom = Data(bytes)[image.bytesPerRow * (image.height - 4) + 10 * step + 1]
          #expect(top < 60 && bottom > 150)
        }
        // Another photo is another one.
        let other = "\(test.folder)/.other.jpg"
        try photo(100, .right).write(to: URL(fileURLWithPath: other))
        FreshPictures.isWanted = false
        #expect(FreshPictures.picture(ofFile: other) == nil)
      }
    }

    @Test func `pictures are kept of the newest photos only, and of none without a library`() throws {
      try withLibrary { test in
        let file = "\(test.folder)/.photo.jpg"
        FreshPictures.isWanted = false
        try photo(90, .up).write(to: URL(fileURLWithPath: file))
        #expect(FreshPictures.picture(ofFile: file) == nil)
        FreshPictures.isWanted = true
        defer { FreshPictures.isWanted = false }
        try photo(90, .up).write(to: URL(fileURLWithPath: file))
        #expect(FreshPictures.picture(ofFile: file)?.orientation == 1)
        for shade in 100..<116 { _ = try photo(UInt8(shade), .up) }
        #expect(FreshPictures.picture(ofFile: file) == nil)
      }
    }
  }
}
