import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import PhotoProcessing
import Photos
import Testing

extension PhotosTests {
  /// Tests of the frames that the camera stores, and of the photos that the library makes of them.
  @Suite("Frames that the camera stored", .serialized)
  struct StoredFramesTests {
    private func frame() throws -> CapturedFrame {
      var made: CVPixelBuffer?
      CVPixelBufferCreate(nil, 320, 240, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
      let pixels = try #require(made)
      for plane in pixels.planes {
        for row in 0..<plane.height {
          let bytes = plane.row(row)
          for column in bytes.indices { bytes[column] = UInt8(truncatingIfNeeded: row &* 3 &+ column) }
        }
      }
      return CapturedFrame(
        picture: .pixels(pixels), timestamp: MonotonicInstant(nanoseconds: 1_500_000_000), sequence: 45,
        conditions: FrameConditions(exposure: FrameExposure(durationNanoseconds: 8_333_333, iso: 64)))
    }

    private func request(_ frame: CapturedFrame) -> PhotoProcessingRequest {
      var request = PhotoProcessingRequest(
        uniqueID: 3, encoding: .jpeg(quality: nil), orientation: .right, prioritization: .quality,
        camera: PhotoCamera(make: "Maker", model: "Model"), clientMetadata: PhotoMetadata([:]))
      request.frame = PhotoFrameFacts(frame)
      return request
    }

    @Test
    func
      `a proxy is shown, then its secondary image, then the very photo that would have been made at once`()
      async throws
    {
      try await withLibrary { test in
        let frame = try frame()
        let request = request(frame)
        let atOnce = try #require(PhotoProcessor().process([frame], for: request).file)
        let identifier = PhotoProxy.newIdentifier()
        let frames = DeferredPhotoStore(folder: test.store.place.deferredPhotos)
        try frames.save([frame], for: request, as: identifier)
        let proxy = try #require(PhotoProcessor().process([frame], for: request.proxy(identifier)).file)
        try test.library.performChangesAndWait {
          PHAssetCreationRequest.forAsset().addResource(with: .photoProxy, data: proxy, options: nil)
        }
        let asset = try test.first()
        #expect(asset.pixelWidth == 120 && asset.pixelHeight == 160)
        let options = PHImageRequestOptions()
        options.allowSecondaryDegradedImage = true
        let results = await ImageRequestTests.results(asset, PHImageManagerMaximumSize, options)
        #expect(
          results.map(\.size.height) == [160, 240, 320] && results.map(\.isDegraded) == [true, true, false])
        #expect(try PHImageManager.file(of: asset, .current).0 == atOnce)
        #expect(frames.entries().isEmpty && test.files().count == 1)
        #expect(try test.problems().isEmpty)
      }
    }
  }
}
