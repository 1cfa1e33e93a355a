import Foundation
import FoundationExtras
import Linux
import Photos
import Testing

extension PhotosTests {
  @Suite("Changed photos", .serialized)
  struct EditingTests {
    private func input(_ asset: PHAsset, handles: Bool = false) async throws -> PHContentEditingInput {
      let options = PHContentEditingInputRequestOptions()
      options.canHandleAdjustmentData = { $0.formatIdentifier == "test.editor" && handles }
      // Handed over under a lock, as ThreadSanitizer knows no continuations.
      let found = Locked<PHContentEditingInput?>(nil)
      await withCheckedContinuation { continuation in
        asset.requestContentEditingInput(with: options) { input, _ in
          found.withLock { $0 = input }
          continuation.resume()
        }
      }
      return try #require(found.withLock { $0 })
    }

    @Test func `a changed photo takes the original's place, and can be taken back`() async throws {
      try await withLibrary { test in
        let original = try TestLibrary.jpeg(80, 60, shade: 1)
        try test.library.performChangesAndWait {
          PHAssetCreationRequest.forAsset().addResource(with: .photo, data: original, options: nil)
        }
        let asset = try test.first()
        #expect(!asset.hasAdjustments && asset.canPerform(.content))
        let first = try await input(asset)
        #expect(first.mediaType == .image && first.uniformTypeIdentifier == "public.jpeg")
        #expect(try Data(contentsOf: try #require(first.fullSizeImageURL)) == original)
        #expect(
          first.displaySizeImage?.size == CGSize(width: 80, height: 60) && first.adjustmentData == nil)

        let changed = try TestLibrary.jpeg(40, 40, shade: 200)
        let output = PHContentEditingOutput(contentEditingInput: first)
        try changed.write(to: output.renderedContentURL)
        output.adjustmentData = PHAdjustmentData(
          formatIdentifier: "test.editor", formatVersion: "1", data: Data("crop".utf8))
        try test.library.performChangesAndWait {
          let request = PHAssetChangeRequest(for: asset)
          request.contentEditingOutput = output
        }
        let edited = try test.first()
        #expect(edited.hasAdjustments && edited.pixelWidth == 40)
        #expect(
          Set(PHAssetResource.assetResources(for: edited).map(\.type)) == [
            .photo, .fullSizePhoto, .adjustmentData,
          ])
        #expect(try PHImageManager.file(of: edited, .current).0 == changed)
        #expect(try PHImageManager.file(of: edited, .original).0 == original)
        #expect(try await input(edited).adjustmentData == nil)
        let again = try await input(edited, handles: true)
        #expect(
          again.adjustmentData?.data == Data("crop".utf8) && again.adjustmentData?.formatVersion == "1")
        #expect(try Data(contentsOf: try #require(again.fullSizeImageURL)) == original)

        try test.library.performChangesAndWait {
          PHAssetChangeRequest(for: edited).revertAssetContentToOriginal()
        }
        let reverted = try test.first()
        #expect(!reverted.hasAdjustments && reverted.pixelWidth == 80 && test.files().count == 1)
        #expect(try test.problems().isEmpty)
      }
    }

    @Test func `a resource is read in pieces, and written whole or not at all`() async throws {
      try await withLibrary { test in
        let file = try TestLibrary.jpeg(200, 100)
        try test.library.performChangesAndWait {
          PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil)
        }
        let resource = try #require(PHAssetResource.assetResources(for: try test.first()).first)
        #expect(resource.type == .photo && resource.pixelWidth == 200)
        #expect(resource.assetLocalIdentifier == test.assets.firstObject?.localIdentifier)
        let bytes = Locked(Data())
        let error: (any Error)? = await withCheckedContinuation { continuation in
          PHAssetResourceManager.default().requestData(
            for: resource, options: nil, dataReceivedHandler: { piece in bytes.withLock { $0 += piece } },
            completionHandler: { continuation.resume(returning: $0) })
        }
        #expect(error == nil && bytes.withLock { $0 } == file)
        let target = URL(fileURLWithPath: test.folder).appendingPathComponent(".copy.jpg")
        try await PHAssetResourceManager.default().writeData(for: resource, toFile: target, options: nil)
        #expect(try Data(contentsOf: target) == file)
        await #expect(throws: PHPhotosError.self) {
          try await PHAssetResourceManager.default().writeData(for: resource, toFile: target, options: nil)
        }
      }
    }
  }
}
