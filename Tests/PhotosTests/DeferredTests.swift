import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Linux
import Photos
import SimulatedDevices
import Testing
import Waiting

/// Finishes photos whose frames are the finished files themselves, kept in memory.
final class FakeFinisher: DeferredPhotoFinishing {
  struct Offline: Error {}

  let frames = Locked<[String: Data]>([:])
  let isOffline = Locked(false)
  let discarded = Locked<[String]>([])

  /// A proxy that stands for `finished`: a smaller picture with a name behind its end.
  func proxy(_ finished: Data, name: String, shade: UInt8 = 9) throws -> Data {
    frames.withLock { $0[name] = finished }
    return try TestLibrary.jpeg(100, 75, shade: shade) + Data("proxy:\(name)".utf8)
  }

  func identifier(inProxy file: Data) -> String? {
    file.range(of: Data("proxy:".utf8)).map { String(decoding: file[$0.upperBound...], as: UTF8.self) }
  }

  func finish(_ identifier: String) throws -> Data {
    if isOffline.withLock({ $0 }) { throw Offline() }
    guard let file = frames.withLock({ $0[identifier] }) else {
      throw DeferredFramesLost("The frames are gone.")
    }
    return file
  }

  func secondaryImage(_ identifier: String) throws -> (image: CGImage, orientation: Int) {
    let data = try TestLibrary.jpeg(200, 150)
    guard let source = CGImageSourceCreateWithData(data, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
    else { throw Offline() }
    return (image, 1)
  }

  func discard(_ identifier: String) throws {
    frames.withLock { _ = $0.removeValue(forKey: identifier) }
    discarded.withLock { $0.append(identifier) }
  }
}

extension PhotosTests {
  @Suite("Photos that are finished later", .serialized)
  struct DeferredTests {
    private func add(_ finisher: FakeFinisher, _ finished: Data, name: String = "one") throws -> PHAsset {
      DeferredFinishing.finisher = finisher
      let proxy = try finisher.proxy(finished, name: name)
      try PHPhotoLibrary.shared().performChangesAndWait {
        PHAssetCreationRequest.forAsset().addResource(with: .photoProxy, data: proxy, options: nil)
      }
      return try #require(PHAsset.fetchAssets(with: nil).lastObject)
    }

    @Test func `a request shows the proxy, then a better picture, then the finished photo, each larger`()
      async throws
    {
      try await withLibrary { test in
        let finisher = FakeFinisher()
        let finished = try TestLibrary.jpeg(400, 300, shade: 77)
        let asset = try add(finisher, finished)
        #expect(PHAssetResource.assetResources(for: asset).map(\.type) == [.photoProxy])
        let options = PHImageRequestOptions()
        options.allowSecondaryDegradedImage = true
        let steps = Locked<[Double]>([])
        options.progressHandler = { share, _, _, _ in steps.withLock { $0.append(share) } }
        let results = await ImageRequestTests.results(asset, PHImageManagerMaximumSize, options)
        #expect(results.map(\.isDegraded) == [true, true, false])
        #expect(results.map(\.size.width) == [100, 200, 400])
        #expect(steps.withLock { $0 } == [0, 0.5, 1])
        let after = try test.first()
        #expect(after == asset && after.pixelWidth == 400)
        #expect(try PHImageManager.file(of: after, .current).0 == finished)
        #expect(PHAssetResource.assetResources(for: after).map(\.type) == [.photo])
        #expect(finisher.discarded.withLock { $0 } == ["one"] && test.files().count == 1)
        #expect(try test.problems().isEmpty && ProxyJournal.entries(test.store).isEmpty)
      }
    }

    @Test func `a progress handler that stops a request leaves the photo for later, and says cancelled`()
      async throws
    {
      try await withLibrary { test in
        let finisher = FakeFinisher()
        let asset = try add(finisher, try TestLibrary.jpeg(400, 300, shade: 77))
        for isSynchronous in [false, true] {
          let options = PHImageRequestOptions()
          options.deliveryMode = .highQualityFormat
          options.isSynchronous = isSynchronous
          options.progressHandler = { _, _, stop, _ in stop.pointee = true }
          let wasCancelled: Bool = await withCheckedContinuation { continuation in
            PHImageManager.default().requestImage(
              for: asset, targetSize: PHImageManagerMaximumSize, contentMode: .default, options: options
            ) { image, information in
              continuation.resume(
                returning: image == nil && information?[PHImageCancelledKey] as? Bool == true)
            }
          }
          #expect(wasCancelled)
          #expect(PHAssetResource.assetResources(for: try test.first()).map(\.type) == [.photoProxy])
        }
      }
    }

    @Test func `what is changed meanwhile survives the finishing`() throws {
      try withLibrary { test in
        let finisher = FakeFinisher()
        let asset = try add(finisher, try TestLibrary.jpeg(400, 300))
        let output = PHContentEditingOutput(
          placeholderForCreatedAsset: PHObjectPlaceholder(key: 0, localIdentifier: ""))
        try TestLibrary.jpeg(50, 50).write(to: output.renderedContentURL)
        let date = Date(timeIntervalSinceReferenceDate: 99)
        try test.library.performChangesAndWait {
          let request = PHAssetChangeRequest(for: asset)
          request.isFavorite = true
          request.creationDate = date
          request.contentEditingOutput = output
        }
        #expect(try ProxyJournal(test.store, finisher).finish(asset.key) == .finished)
        #expect(try ProxyJournal(test.store, finisher).finish(asset.key) == .notNeeded)
        let after = try test.first()
        #expect(
          after.isFavorite && after.creationDate == date && after.hasAdjustments && after.pixelWidth == 50)
        #expect(try MediaFacts(picture: PHImageManager.file(of: after, .original).0)?.width == 400)
      }
    }

    @Test func `what cannot be finished now is tried again, and lost frames leave the proxy as the photo`()
      throws
    {
      try withLibrary { test in
        let finisher = FakeFinisher()
        let asset = try add(finisher, try TestLibrary.jpeg(400, 300))
        finisher.isOffline.withLock { $0 = true }
        let journal = ProxyJournal(test.store, finisher)
        #expect(throws: PHPhotosError.self) { try journal.finish(asset.key) }
        #expect(try ProxyJournal.entries(test.store).first?.attempts == 1)
        finisher.isOffline.withLock { $0 = false }
        finisher.frames.withLock { $0 = [:] }
        #expect(try journal.finish(asset.key) == .keptProxy("The frames are gone."))
        #expect(PHAssetResource.assetResources(for: try test.first()).map(\.type) == [.photo])
        #expect(try test.problems().isEmpty)
      }
    }

    @Test func `a photo is finished in the background when processors rest, and not while they are busy`()
      throws
    {
      try withLibrary { test in
        let processors = FakeProcessors(isBusy: true)
        processors.govern(longestWaitSeconds: 600)
        defer { FakeProcessors.leave() }
        _ = try add(FakeFinisher(), try TestLibrary.jpeg(400, 300))
        #expect(processors.wait(looks: 3))
        #expect(try ProxyJournal.entries(test.store).count == 1)
        processors.rest()
        #expect(try processors.wait { try ProxyJournal.entries(test.store).isEmpty })
        #expect(PHAssetResource.assetResources(for: try test.first()).map(\.type) == [.photo])
      }
    }

    @Test func `on processors that are always busy a photo is finished after the longest wait`() throws {
      try withLibrary { test in
        let processors = FakeProcessors(isBusy: true)
        processors.govern(longestWaitSeconds: 0)
        defer { FakeProcessors.leave() }
        _ = try add(FakeFinisher(), try TestLibrary.jpeg(400, 300))
        #expect(try processors.wait { try ProxyJournal.entries(test.store).isEmpty })
      }
    }

    @Test
    func `in a simulated world, looks and second tries in the background come at their moments of its clock`()
      async
    {
      await #expect(processExitsWith: .success) {
        let clock = SimulatedClock()
        SimulatedDevices.install(scene: Scene(devices: []), clock: clock)
        try withLibrary(time: .current) { test in
          DeferredFinishing.isAutomatic = true
          let finisher = FakeFinisher()
          finisher.isOffline.withLock { $0 = true }
          DeferredFinishing.finisher = finisher
          let proxy = try finisher.proxy(try TestLibrary.jpeg(400, 300), name: "one")
          try test.library.performChangesAndWait {
            PHAssetCreationRequest.forAsset().addResource(with: .photoProxy, data: proxy, options: nil)
          }
          func attempts() throws -> Int? { try ProxyJournal.entries(test.store).first?.attempts }
          // It looks every two seconds, and tries again after 30, and then after 60.
          for (seconds, expected) in [(1, 0), (1, 1), (29, 1), (1, 2), (59, 2)] {
            clock.advance(by: .seconds(seconds))
            #expect(try attempts() == expected, "\(clock.now)")
          }
          finisher.isOffline.withLock { $0 = false }
          clock.advance(by: .seconds(1))
          #expect(try attempts() == nil)
          let asset = try test.first()
          #expect(PHAssetResource.assetResources(for: asset).map(\.type) == [.photo])
          #expect(asset.addedDate == Date(timeIntervalSinceReferenceDate: 1000))
        }
      }
    }

    @Test func `the frames of a photo that is deleted are removed`() throws {
      try withLibrary { test in
        let finisher = FakeFinisher()
        let asset = try add(finisher, try TestLibrary.jpeg(400, 300), name: "gone")
        try test.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
        try ProxyJournal(test.store, finisher).discardUnneeded()
        #expect(finisher.discarded.withLock { $0 } == ["gone"])
        #expect(
          try test.store.read { c throws(PHPhotosError) in try c.integer("SELECT count(*) FROM discard") }
            == 0)
      }
    }
  }
}
