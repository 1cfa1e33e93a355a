import AVFoundation
import CaptureDevice
import Foundation
import FoundationExtras
import Linux
import Photos
import SimulatedDevices
import Testing
import Waiting

extension PhotosTests {
  /// From the camera to what a gallery shows; in processes of their own, whose cameras and library are no other test's.
  @Suite("From the camera into the library")
  struct CameraFlowTests {
    @Test func `a program with simulated cameras has a library of its own, unless one is named`() async {
      await #expect(processExitsWith: .success) {
        unsetenv("OBSCURA_LIBRARY")
        unsetenv("OBSCURA_DEVICES")
        setenv("HOME", "/nonexistent", 1)
        SimulatedDevices.install(scene: Scene(), clock: SimulatedClock())
        #expect(PHPhotoLibrary.authorizationStatus(for: .addOnly) == .authorized)
        let place = try SharedLibrary.store().place.pictures
        #expect(place.contains("/obscura-simulated-\(geteuid())-\(getpid())-"))
        let other = NSTemporaryDirectory() + "/named-\(getpid())"
        setenv("OBSCURA_LIBRARY", other, 1)
        SimulatedDevices.uninstall()
        #expect(try SharedLibrary.store().place.pictures == other)
        try FileManager.default.removeItem(atPath: other)
      }
    }

    @Test
    func
      `a proxy is kept, the session stops, and the photo is shown small, better, and as it would have been at once`()
      async
    {
      await #expect(processExitsWith: .success) {
        try await FlowStage.inLibrary { stage in
          DeferredFinishing.isAutomatic = false
          let atOnce = try stage.takePhoto(isDeferring: false)
          #expect(atOnce.proxy == nil)
          let deferred = try stage.takePhoto(isDeferring: true)
          let proxy = try #require(deferred.proxy)
          #expect(deferred.photo == nil && proxy != atOnce.photo)

          let made = Locked("")
          try await PHPhotoLibrary.shared().performChanges {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photoProxy, data: proxy, options: nil)
            let identifier = request.placeholderForCreatedAsset?.localIdentifier
            made.withLock { $0 = identifier ?? "" }
          }
          let identifier = made.withLock { $0 }
          let asset = try #require(
            PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject)
          #expect(PHAssetResource.assetResources(for: asset).map(\.type) == [.photoProxy])
          let options = PHImageRequestOptions()
          options.allowSecondaryDegradedImage = true
          let results = await ImageRequestTests.results(asset, PHImageManagerMaximumSize, options)
          #expect(results.map(\.isDegraded) == [true, true, false])
          let widths = results.map(\.size.width)
          #expect(zip(widths, widths.dropFirst()).allSatisfy { $0 < $1 } && widths.last == 480, "\(widths)")
          let finished = try #require(
            PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject)
          #expect(PHAssetResource.assetResources(for: finished).map(\.type) == [.photo])
          #expect(try PHImageManager.file(of: finished, .current).0 == atOnce.photo)
        }
      }
    }

    @Test func `a proxy is finished in the background once the session that was running before has stopped`()
      async
    {
      await #expect(processExitsWith: .success) {
        try await FlowStage.inLibrary { stage in
          let processors = FakeProcessors(isBusy: false)
          processors.govern(longestWaitSeconds: 0)
          let atOnce = try #require(try stage.takePhoto(isDeferring: false).photo)
          func newest() -> PHAsset? { PHAsset.fetchAssets(with: nil).firstObject }
          func types() -> [PHAssetResourceType] {
            newest().map { PHAssetResource.assetResources(for: $0).map(\.type) } ?? []
          }
          _ = try stage.takePhoto(isDeferring: true) { files in
            let proxy = try #require(files.proxy)
            // The library is opened here for the first time.
            try PHPhotoLibrary.shared().performChangesAndWait {
              PHAssetCreationRequest.forAsset().addResource(with: .photoProxy, data: proxy, options: nil)
            }
            stage.clock.advance(by: .milliseconds(10))
            #expect(types() == [.photoProxy])
          }
          try stage.clock.advance { types() == [.photo] }
          #expect(try PHImageManager.file(of: try #require(newest()), .current).0 == atOnce)
        }
      }
    }

    @Test
    func
      `videos go into an album that is found or made by its name, are shown and played from it, and deleted`()
      async
    {
      await #expect(processExitsWith: .success) {
        try await FlowStage.inLibrary { stage in
          for second in 1...2 {
            let film = try stage.record("\(second).mov", seconds: Double(second))
            let album = try FlowStage.album("Recorder")
            try await PHPhotoLibrary.shared().performChanges {
              let request = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: film)
              request?.creationDate = Date(timeIntervalSince1970: Double(second))
              guard let placeholder = request?.placeholderForCreatedAsset else { return }
              PHAssetCollectionChangeRequest(for: album)?.addAssets([placeholder])
            }
          }
          #expect(
            PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil).count == 1)
          let newestFirst = PHFetchOptions()
          newestFirst.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
          let films = PHAsset.fetchAssets(in: try FlowStage.album("Recorder"), options: newestFirst)
          #expect((0..<films.count).map { films[$0].duration.rounded() } == [2, 1])
          let newest = try #require(films.firstObject)
          #expect(newest.mediaType == .video)

          let pictures = await ImageRequestTests.results(newest, CGSize(width: 60, height: 60), nil)
          let thumbnail = try #require(pictures.last?.image)
          #expect(max(thumbnail.size.width, thumbnail.size.height) >= 60)
          let asset: AVAsset? = await withCheckedContinuation { continuation in
            PHImageManager.default().requestAVAsset(forVideo: newest, options: nil) { asset, _, _ in
              continuation.resume(returning: asset)
            }
          }
          #expect(try await asset?.load(.duration).seconds.rounded() == 2)
          let found: AVPlayerItem? = await withCheckedContinuation { continuation in
            PHImageManager.default().requestPlayerItem(forVideo: newest, options: nil) { item, _ in
              continuation.resume(returning: item)
            }
          }
          let item = try #require(found)
          let player = AVPlayer(playerItem: item)
          for await status in item.values(for: \.status) where status != .unknown { break }
          #expect(item.status == .readyToPlay)
          player.replaceCurrentItem(with: nil)

          let files = PHAssetResource.assetResources(for: newest).compactMap(\.path)
          #expect(!files.isEmpty && files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
          try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([newest]) }
          #expect(PHAsset.fetchAssets(in: try FlowStage.album("Recorder"), options: nil).count == 1)
          #expect(files.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        }
      }
    }
  }
}

/// A process with a library in a folder of its own, and small simulated cameras on a manual clock.
private final class FlowStage {
  private let folder: URL
  private(set) var clock = SimulatedClock()
  private let camera: AVCaptureDevice

  static func inLibrary(_ body: (FlowStage) async throws -> Void) async throws {
    let stage = try FlowStage()
    defer { try? FileManager.default.removeItem(at: stage.folder) }
    try await body(stage)
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("flow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    setenv("OBSCURA_LIBRARY", folder.appendingPathComponent("library").path, 1)
    let model = SimulatedDeviceModel.camera(
      uniqueID: "flow", name: "Flow", sizes: [FrameSize(width: 640, height: 480)])
    SimulatedDevices.install(scene: Scene(devices: [model]), clock: clock)
    camera = try #require(AVCaptureDevice(uniqueID: "flow"))
  }

  /// The album of a title, made where there is none.
  static func album(_ title: String) throws -> PHAssetCollection {
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "title = %@", title)
    func find() -> PHAssetCollection? {
      PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options).firstObject
    }
    if let album = find() { return album }
    try PHPhotoLibrary.shared().performChangesAndWait {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
    }
    return try #require(find())
  }

  /// A photo of the first second of a session, which has ended when this returns.
  func takePhoto(
    isDeferring: Bool, whileRunning body: ((photo: Data?, proxy: Data?)) throws -> Void = { _ in }
  ) throws -> (photo: Data?, proxy: Data?) {
    // Each session sees the same second.
    clock = SimulatedClock()
    let model = SimulatedDeviceModel.camera(
      uniqueID: "flow", name: "Flow", sizes: [FrameSize(width: 640, height: 480)])
    SimulatedDevices.install(scene: Scene(devices: [model]), clock: clock)
    let session = AVCaptureSession(), output = AVCapturePhotoOutput(), taker = PhotoTaker()
    session.sessionPreset = .photo
    session.addInput(
      try AVCaptureDeviceInput(device: try #require(AVCaptureDevice(uniqueID: "flow"))))
    session.addOutput(output)
    output.maxPhotoQualityPrioritization = .quality
    #expect(output.isAutoDeferredPhotoDeliverySupported)
    output.isAutoDeferredPhotoDeliveryEnabled = isDeferring
    session.startRunning()
    clock.advance(by: .seconds(1))
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
    settings.photoQualityPrioritization = .quality
    output.capturePhoto(with: settings, delegate: taker)
    clock.advance(by: .seconds(1))
    try #require(taker.ended.wait(timeout: .now() + 60) == .success)
    let files = taker.files.withLock { $0 }
    try body(files)
    session.stopRunning()
    return files
  }

  /// A movie of so many seconds.
  func record(_ name: String, seconds: Double) throws -> URL {
    let session = AVCaptureSession(), output = AVCaptureMovieFileOutput(), recorder = Recorder()
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    session.startRunning()
    clock.advance(by: .seconds(0.1))
    let url = folder.appendingPathComponent(name)
    output.startRecording(to: url, recordingDelegate: recorder)
    clock.advance(by: .seconds(seconds))
    output.stopRecording()
    clock.advance(by: .seconds(0.1))
    try #require(recorder.ended.wait(timeout: .now() + 60) == .success)
    session.stopRunning()
    return url
  }
}

private final class PhotoTaker: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  let files = Locked<(photo: Data?, proxy: Data?)>((nil, nil))
  let ended = DispatchSemaphore(value: 0)

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    files.withLock { $0.photo = photo.fileDataRepresentation() }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
    error: (any Error)?
  ) {
    files.withLock { $0.proxy = deferredPhotoProxy?.fileDataRepresentation() }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor settings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    ended.signal()
  }
}

private final class Recorder: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
  let ended = DispatchSemaphore(value: 0)

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) {
    #expect(error == nil)
    ended.signal()
  }
}
