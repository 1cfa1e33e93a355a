import Foundation
import FoundationExtras
import Linux
import Photos
import Testing

extension PhotosTests {
  @Suite("Versions of pictures", .serialized)
  struct ImageVersionTests {
    private func widths(_ asset: PHAsset, _ options: PHImageRequestOptions) async -> [CGFloat] {
      await withCheckedContinuation { continuation in
        var widths: [CGFloat] = []
        PHImageManager.default().requestImage(
          for: asset, targetSize: PHImageManagerMaximumSize, contentMode: .default, options: options
        ) { image, information in
          widths.append(image?.size.width ?? 0)
          if information?[PHImageResultIsDegradedKey] as? Bool != true {
            continuation.resume(returning: widths)
          }
        }
      }
    }

    @Test func `an edited photo comes with its changes, or as it was taken, first small and then whole`()
      async throws
    {
      try await withLibrary { test in
        let original = try TestLibrary.jpeg(800, 600)
        try test.library.performChangesAndWait {
          PHAssetCreationRequest.forAsset().addResource(with: .photo, data: original, options: nil)
        }
        let taken = try test.first()
        let input: VideoRequestTests.Box<PHContentEditingInput> = await withCheckedContinuation {
          continuation in
          taken.requestContentEditingInput(with: nil) { continuation.resume(returning: .init($0, $1)) }
        }
        let output = PHContentEditingOutput(contentEditingInput: try #require(input.value))
        try TestLibrary.jpeg(500, 500).write(to: output.renderedContentURL)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest(for: taken).contentEditingOutput = output
        }
        let edited = try test.first()
        let options = PHImageRequestOptions()
        options.deliveryMode = .highQualityFormat
        #expect(await widths(edited, options) == [500])
        for version in [PHImageRequestOptionsVersion.original, .unadjusted] {
          options.version = version
          #expect(await widths(edited, options) == [800])
        }
        // A thumbnail that is there already comes first.
        _ = Thumbnails(test.store.place.thumbnails).thumbnail(
          of: "\(test.pictures)/\(try #require(test.files().first))", .large)
        options.version = .original
        options.deliveryMode = .opportunistic
        #expect(await widths(edited, options).last == 800)
        options.version = .current
        let all = Set(test.files().map { "\(test.pictures)/\($0)" })
        for path in all { _ = Thumbnails(test.store.place.thumbnails).thumbnail(of: path, .large) }
        #expect(await widths(edited, options) == [256, 500])
      }
    }
  }
}
