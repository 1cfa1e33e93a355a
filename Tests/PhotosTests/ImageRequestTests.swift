import CoreMedia
import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Linux
import MovieTools
import Photos
import Testing

extension PhotosTests {
  @Suite("Pictures of assets", .serialized)
  struct ImageRequestTests {
    struct Result: @unchecked Sendable {  // Safe because it is constant.
      var image: UIImage?
      var information: [AnyHashable: Any]
      var isDegraded: Bool { information[PHImageResultIsDegradedKey] as? Bool ?? false }
      var size: CGSize { image?.size ?? .zero }
    }

    /// All results of a request, the last one last.
    static func results(
      _ asset: PHAsset, _ size: CGSize, _ options: PHImageRequestOptions?,
      manager: PHImageManager = .default(),
      mode: PHImageContentMode = .aspectFit
    ) async -> [Result] {
      await withCheckedContinuation { continuation in
        var results: [Result] = []
        manager.requestImage(for: asset, targetSize: size, contentMode: mode, options: options) {
          image, information in
          results.append(Result(image: image, information: information ?? [:]))
          let isFast = options?.deliveryMode == .fastFormat
          if !(results.last?.isDegraded ?? false) || isFast { continuation.resume(returning: results) }
        }
      }
    }

    private func options(_ change: (PHImageRequestOptions) -> Void) -> PHImageRequestOptions {
      let options = PHImageRequestOptions()
      change(options)
      return options
    }

    private func waitForWork() { PHImageManager.work.waitUntilAllOperationsAreFinished() }

    private func add(_ file: Data) throws -> PHAsset {
      try PHPhotoLibrary.shared().performChangesAndWait {
        PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil)
      }
      return try #require(PHAsset.fetchAssets(with: nil).lastObject)
    }

    @Test func `a synchronous request calls its handler once, before it returns`() throws {
      try withLibrary { _ in
        let asset = try add(try TestLibrary.jpeg(800, 600))
        var results: [Result] = []
        let id = PHImageManager.default().requestImage(
          for: asset, targetSize: CGSize(width: 400, height: 400), contentMode: .aspectFit,
          options: options { $0.isSynchronous = true }
        ) { results.append(Result(image: $0, information: $1 ?? [:])) }
        #expect(results.count == 1 && results[0].size == CGSize(width: 400, height: 300))
        #expect(results[0].information[PHImageResultRequestIDKey] as? PHImageRequestID == id)
        #expect(id != PHInvalidImageRequestID && PHImageRequestID(0) == PHInvalidImageRequestID)
      }
    }

    @Test func `pictures fit or fill, stand upright, and are never made larger`() async throws {
      try await withLibrary { _ in
        let asset = try add(try TestLibrary.jpeg(800, 600, orientation: 6))
        #expect(asset.pixelWidth == 600 && asset.pixelHeight == 800)
        let best = options { $0.deliveryMode = .highQualityFormat }
        let target = CGSize(width: 300, height: 300)
        #expect(await Self.results(asset, target, best).first?.size == CGSize(width: 225, height: 300))
        #expect(
          await Self.results(asset, target, best, mode: .aspectFill).first?.size
            == CGSize(width: 300, height: 400))
        let exact = options {
          $0.deliveryMode = .highQualityFormat
          $0.resizeMode = .exact
        }
        #expect(await Self.results(asset, target, exact, mode: .aspectFill).first?.size == target)
        #expect(
          await Self.results(asset, PHImageManagerMaximumSize, best).first?.size
            == CGSize(width: 600, height: 800))
        #expect(
          await Self.results(asset, CGSize(width: 9000, height: 9000), best).first?.size
            == CGSize(width: 600, height: 800))
        exact.normalizedCropRect = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
        #expect(
          await Self.results(asset, PHImageManagerMaximumSize, exact).first?.size
            == CGSize(width: 300, height: 400))
      }
    }

    @Test func `a small picture that is there comes before the one that was asked for`() async throws {
      try await withLibrary { test in
        let asset = try add(try TestLibrary.jpeg(800, 600))
        let small = await Self.results(asset, CGSize(width: 200, height: 200), nil)
        #expect(small.count == 1 && !small[0].isDegraded)
        let both = await Self.results(asset, CGSize(width: 700, height: 700), nil)
        #expect(both.map(\.isDegraded) == [true, false])
        #expect(both[0].size.width == 256 && both[1].size.width == 700)
        let fast = await Self.results(
          asset, CGSize(width: 700, height: 700), options { $0.deliveryMode = .fastFormat })
        #expect(fast.count == 1 && fast[0].isDegraded)
        let path = try #require(test.files().first)
        #expect(
          Thumbnails(test.store.place.thumbnails).kept(of: "\(test.pictures)/\(path)", .large)?.width == 256
        )
      }
    }

    @Test func `a request that is cancelled says so, and a missing file is an error`() async throws {
      try await withLibrary { test in
        let asset = try add(try TestLibrary.jpeg(800, 600))
        PHImageManager.work.isSuspended = true
        let cancelled: Result = await withCheckedContinuation { continuation in
          let id = PHImageManager.default().requestImage(
            for: asset, targetSize: PHImageManagerMaximumSize, contentMode: .default, options: nil
          ) { continuation.resume(returning: Result(image: $0, information: $1 ?? [:])) }
          PHImageManager.default().cancelImageRequest(id)
          PHImageManager.work.isSuspended = false
        }
        #expect(cancelled.image == nil && cancelled.information[PHImageCancelledKey] as? Bool == true)
        try FileManager.default.removeItem(atPath: "\(test.pictures)/\(try #require(test.files().first))")
        let failed = await Self.results(asset, PHImageManagerMaximumSize, nil)
        let error = try #require(failed.first?.information[PHImageErrorKey] as? PHPhotosError)
        #expect(error.code == .missingResource && error.localizedDescription.contains("recover"))
      }
    }

    @Test func `requests that are cancelled while they wait decode nothing`() async throws {
      try await withLibrary { test in
        let asset = try add(try TestLibrary.jpeg(800, 600))
        let folder = test.store.place.thumbnails
        PHImageManager.work.isSuspended = true
        let manager = PHImageManager.default()
        let size = CGSize(width: 200, height: 200)
        let cancelled: [Bool] = await withCheckedContinuation { continuation in
          var answers: [Bool] = []
          for _ in 0..<8 {
            let id = manager.requestImage(
              for: asset, targetSize: size, contentMode: .aspectFit, options: nil
            ) { image, information in
              answers.append(image == nil && information?[PHImageCancelledKey] as? Bool == true)
              if answers.count == 8 { continuation.resume(returning: answers) }
            }
            manager.cancelImageRequest(id)
          }
          PHImageManager.work.isSuspended = false
        }
        #expect(cancelled == Array(repeating: true, count: 8))
        // A small picture that is decoded is kept for all programs.
        #expect(!FileManager.default.fileExists(atPath: folder))
        _ = await Self.results(asset, size, nil)
        #expect(FileManager.default.fileExists(atPath: folder))
      }
    }

    @Test func `the file's own bytes are had with their type and orientation`() async throws {
      try await withLibrary { _ in
        let file = try TestLibrary.jpeg(80, 60, orientation: 6)
        let asset = try add(file)
        let (data, type, orientation) = await withCheckedContinuation { continuation in
          PHImageManager.default().requestImageDataAndOrientation(for: asset, options: nil) {
            data, type, orientation, _ in
            continuation.resume(returning: (data, type, orientation))
          }
        }
        #expect(data == file && type == "public.jpeg" && orientation == .right)
        let old = await withCheckedContinuation { continuation in
          PHImageManager.default().requestImageData(for: asset, options: nil) { _, _, orientation, _ in
            continuation.resume(returning: orientation)
          }
        }
        #expect(old == .right)
      }
    }

    @Test func `pictures are made before they are asked for`() async throws {
      try await withLibrary { test in
        let asset = try add(try TestLibrary.jpeg(800, 600))
        let manager = PHCachingImageManager()
        let size = CGSize(width: 500, height: 500)
        manager.startCachingImages(for: [asset], targetSize: size, contentMode: .aspectFit, options: nil)
        await withCheckedContinuation { continuation in
          PHImageManager.work.addBarrierBlock { continuation.resume() }
        }
        // Only what was made before can still be had.
        try FileManager.default.removeItem(atPath: "\(test.pictures)/\(try #require(test.files().first))")
        #expect(await Self.results(asset, size, nil, manager: manager).map(\.size.width) == [500])
        manager.stopCachingImages(for: [asset], targetSize: size, contentMode: .aspectFit, options: nil)
        #expect(await Self.results(asset, size, nil, manager: manager).first?.image == nil)
        manager.stopCachingImagesForAllAssets()
        manager.allowsCachingHighQualityImages = false
        // A request's work ends a moment after its handler was called.
        waitForWork()
        manager.startCachingImages(for: [asset], targetSize: size, contentMode: .aspectFit, options: nil)
        #expect(PHImageManager.work.operationCount == 0)
      }
    }

    @Test func `a video has a first frame, a duration and an asset to play`() async throws {
      try await withLibrary { test in
        let film = URL(fileURLWithPath: test.folder).appendingPathComponent(".film.mp4")
        try Program.make(
          film.path,
          ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=2", "-pix_fmt", "yuv420p"])
        try test.library.performChangesAndWait {
          #expect(PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: film) != nil)
        }
        let asset = try #require(PHAsset.fetchAssets(with: .video, options: nil).firstObject)
        #expect(asset.duration == 2 && asset.pixelWidth == 320 && asset.playbackStyle == .video)
        let frame = await Self.results(asset, CGSize(width: 160, height: 160), nil)
        #expect(frame.last?.size == CGSize(width: 160, height: 120))
        let found: AVAsset? = await withCheckedContinuation { continuation in
          PHImageManager.default().requestAVAsset(forVideo: asset, options: nil) { film, _, _ in
            continuation.resume(returning: film)
          }
        }
        #expect(found?.duration.seconds == 2)
        #expect(test.files().first?.contains("/VID_") == true)
      }
    }
  }
}
