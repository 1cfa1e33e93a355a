import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import MovieTools
import Photos
import Testing

extension PhotosTests {
  @Suite("Videos of assets", .serialized)
  struct VideoRequestTests {
    /// A result that its test alone looks at.
    struct Box<Value>: @unchecked Sendable {  // Safe because one test has it.
      let value: Value?
      let information: [AnyHashable: Any]

      init(_ value: Value?, _ information: [AnyHashable: Any]?) {
        self.value = value
        self.information = information ?? [:]
      }
    }

    private func film(_ test: TestLibrary, seconds: Int = 2) throws -> URL {
      let film = URL(fileURLWithPath: test.folder).appendingPathComponent(".film-\(seconds).mp4")
      try Program.make(
        film.path,
        ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=\(seconds)", "-pix_fmt", "yuv420p"])
      return film
    }

    private func add(_ film: URL) throws -> PHAsset {
      try PHPhotoLibrary.shared().performChangesAndWait {
        PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: film)
      }
      return try #require(PHAsset.fetchAssets(with: .video, options: nil).lastObject)
    }

    private func asset(_ asset: PHAsset, _ options: PHVideoRequestOptions?) async -> Box<AVAsset> {
      await withCheckedContinuation { continuation in
        PHImageManager.default().requestAVAsset(forVideo: asset, options: options) {
          film, mix, information in
          continuation.resume(returning: Box(mix == nil ? film : nil, information))
        }
      }
    }

    @Test func `a video comes in its version, however good it has to be, with progress`() async throws {
      try await withLibrary { test in
        let before = try add(try film(test))
        let input: Box<PHContentEditingInput> = await withCheckedContinuation { continuation in
          before.requestContentEditingInput(with: nil) { continuation.resume(returning: Box($0, $1)) }
        }
        let output = PHContentEditingOutput(contentEditingInput: try #require(input.value))
        try FileManager.default.copyItem(at: try film(test, seconds: 1), to: output.renderedContentURL)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest(for: before).contentEditingOutput = output
        }
        let edited = try #require(PHAsset.fetchAssets(with: .video, options: nil).firstObject)
        let options = PHVideoRequestOptions()
        let shares = Locked<[Double]>([])
        options.progressHandler = { share, _, _, _ in shares.withLock { $0.append(share) } }
        for mode in [PHVideoRequestOptionsDeliveryMode.automatic, .fastFormat, .highQualityFormat] {
          options.deliveryMode = mode
          #expect(await asset(edited, options).value?.duration.seconds == 1)
        }
        #expect(shares.withLock { $0 } == [1, 1, 1])
        let original = try #require(options.copy() as? PHVideoRequestOptions)
        original.version = .original
        #expect(await asset(edited, original).value?.duration.seconds == 2)
        original.progressHandler = { _, _, stops, _ in stops.pointee = true }
        let stopped = await asset(edited, original)
        #expect(stopped.value == nil && stopped.information[PHImageCancelledKey] as? Bool == true)
      }
    }

    @Test func `a video comes as an item for a player`() async throws {
      try await withLibrary { test in
        let film = try add(try film(test))
        let found: Box<AVPlayerItem> = await withCheckedContinuation { continuation in
          PHImageManager.default().requestPlayerItem(forVideo: film, options: nil) {
            continuation.resume(returning: Box($0, $1))
          }
        }
        #expect(found.value?.asset.duration.seconds == 2)
        try test.add(1)
        let photo = try #require(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
        let none: Box<AVPlayerItem> = await withCheckedContinuation { continuation in
          PHImageManager.default().requestPlayerItem(forVideo: photo, options: nil) {
            continuation.resume(returning: Box($0, $1))
          }
        }
        #expect(
          none.value == nil
            && (none.information[PHImageErrorKey] as? PHPhotosError)?.code == .missingResource)
      }
    }

    @Test func `a video is exported with a preset, and one that is not known is an error`() async throws {
      try await withLibrary { test in
        let film = try add(try film(test))
        func session(_ preset: String) async -> Box<AVAssetExportSession> {
          await withCheckedContinuation { continuation in
            PHImageManager.default().requestExportSession(
              forVideo: film, options: nil, exportPreset: preset
            ) { continuation.resume(returning: Box($0, $1)) }
          }
        }
        let export = try #require(await session(AVAssetExportPresetPassthrough).value)
        let target = URL(fileURLWithPath: test.folder).appendingPathComponent(".export.mov")
        try await export.export(to: target, as: .mov)
        #expect(AVURLAsset(url: target).duration.seconds == 2)
        let error = await session("Nonsense").information[PHImageErrorKey] as? PHPhotosError
        #expect(error?.code == .requestNotSupportedForAsset)
      }
    }

    // MARK: Photos with a short movie

    private func live(_ asset: PHAsset, _ size: CGSize, _ options: PHLivePhotoRequestOptions?) async -> Box<
      PHLivePhoto
    > {
      await withCheckedContinuation { continuation in
        PHImageManager.default().requestLivePhoto(
          for: asset, targetSize: size, contentMode: .aspectFit, options: options
        ) { photo, information in
          guard information?[PHImageResultIsDegradedKey] as? Bool != true else { return }
          continuation.resume(returning: Box(photo, information))
        }
      }
    }

    @Test func `a photo keeps its size when another program changes its short video`() throws {
      try withLibrary { test in
        let (picture, moment) = (try TestLibrary.jpeg(400, 300), try film(test, seconds: 1))
        try test.library.performChangesAndWait {
          let request = PHAssetCreationRequest.forAsset()
          request.addResource(with: .photo, data: picture, options: nil)
          request.addResource(with: .pairedVideo, fileURL: moment, options: nil)
        }
        let paired = try #require(test.files().first { !$0.hasSuffix(".jpg") })
        let longer = try Data(contentsOf: film(test, seconds: 2))
        try longer.write(to: URL(fileURLWithPath: "\(test.pictures)/\(paired)"))
        let report = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        #expect(report.changed == [paired])
        let asset = try test.first()
        #expect(asset.pixelWidth == 400 && asset.pixelHeight == 300 && asset.duration == 0)
      }
    }

    @Test func `a photo with its short movie is one asset, and comes as one`() async throws {
      try await withLibrary { test in
        let (picture, moment) = (try TestLibrary.jpeg(400, 300), try film(test, seconds: 1))
        try test.library.performChangesAndWait {
          let request = PHAssetCreationRequest.forAsset()
          request.addResource(with: .photo, data: picture, options: nil)
          request.addResource(with: .pairedVideo, fileURL: moment, options: nil)
        }
        let asset = try test.first()
        #expect(asset.mediaSubtypes.contains(.photoLive) && asset.playbackStyle == .livePhoto)
        let albums = PHAssetCollection.fetchAssetCollections(
          with: .smartAlbum, subtype: .smartAlbumLivePhotos, options: nil)
        #expect(
          PHAsset.fetchAssets(in: try #require(albums.firstObject), options: nil).firstObject == asset)
        let options = PHLivePhotoRequestOptions()
        options.deliveryMode = .highQualityFormat
        options.version = .original
        let found = try #require(await live(asset, CGSize(width: 200, height: 200), options).value)
        #expect(found.size == CGSize(width: 200, height: 150))
        let resources = PHAssetResource.assetResources(for: found)
        #expect(resources.map(\.type) == [.photo, .pairedVideo])
        #expect(await live(asset, PHImageManagerMaximumSize, nil).value?.size.width == 400)
        let input: Box<PHContentEditingInput> = await withCheckedContinuation { continuation in
          asset.requestContentEditingInput(with: nil) { continuation.resume(returning: Box($0, $1)) }
        }
        #expect(input.value?.livePhoto?.size == CGSize(width: 400, height: 300))
        try test.add(1, from: 9)
        let plain = try #require(
          PHAsset.fetchAssets(with: nil).objects(at: [0, 1]).first { $0 != asset })
        let none = await live(plain, PHImageManagerMaximumSize, nil)
        #expect((none.information[PHImageErrorKey] as? PHPhotosError)?.code == .missingResource)
        #expect(try test.problems().isEmpty)
      }
    }

    @Test func `a photo with its short movie is made of two files, its placeholder first`() async throws {
      try await withLibrary { test in
        let picture = URL(fileURLWithPath: test.folder).appendingPathComponent(".picture.jpg")
        try TestLibrary.jpeg(400, 300).write(to: picture)
        let moment = try film(test, seconds: 1)
        func results(_ files: [URL], _ placeholder: UIImage?) async -> [Box<PHLivePhoto>] {
          await withCheckedContinuation { continuation in
            var found: [Box<PHLivePhoto>] = []
            PHLivePhoto.request(
              withResourceFileURLs: files, placeholderImage: placeholder,
              targetSize: CGSize(width: 100, height: 100), contentMode: .aspectFit
            ) { photo, information in
              found.append(Box(photo, information))
              guard information[PHLivePhotoInfoIsDegradedKey] as? Bool != true else { return }
              continuation.resume(returning: found)
            }
          }
        }
        let placeholder = try #require(UIImage(data: try TestLibrary.jpeg(40, 30)))
        #expect(await results([moment, picture], placeholder).map(\.value?.size.width) == [40, 100])
        let none = await results([picture], nil)
        let error = none.first?.information[PHLivePhotoInfoErrorKey] as? PHPhotosError
        #expect(none.count == 1 && error?.code == .invalidResource)
        PHImageManager.work.isSuspended = true
        let cancelled: Box<PHLivePhoto> = await withCheckedContinuation { continuation in
          let id = PHLivePhoto.request(
            withResourceFileURLs: [moment, picture], placeholderImage: nil, targetSize: .zero,
            contentMode: .aspectFill
          ) { continuation.resume(returning: Box($0, $1)) }
          PHLivePhoto.cancelRequest(withRequestID: id)
          PHImageManager.work.isSuspended = false
        }
        #expect(cancelled.information[PHLivePhotoInfoCancelledKey] as? Bool == true)
      }
    }
  }
}
