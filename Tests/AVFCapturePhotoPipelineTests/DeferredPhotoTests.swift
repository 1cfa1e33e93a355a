import AVFoundation
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import ImageIO
import Linux
import PhotoProcessing
import StillCodecs
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Photos that are finished later")
  struct DeferredPhotos {
    @Test func `it is off at first, needs the highest photo quality, and observers see support come and go`()
      throws
    {
      let stage = SessionStage()
      let output = AVCapturePhotoOutput()
      let seen = Monitor<[Bool]>([])
      let observation = output.observe(\.isAutoDeferredPhotoDeliverySupported, options: .new) { _, change in
        if let value = change.newValue { seen.withLock { $0.append(value) } }
      }
      #expect(!output.isAutoDeferredPhotoDeliverySupported && !output.isAutoDeferredPhotoDeliveryEnabled)
      #expect(ProgrammingMistake.collect { output.isAutoDeferredPhotoDeliveryEnabled = true }.count == 1)
      #expect(!output.isAutoDeferredPhotoDeliveryEnabled)
      stage.session.sessionPreset = .photo
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      stage.session.addOutput(output)
      #expect(output.isAutoDeferredPhotoDeliverySupported && !output.isAutoDeferredPhotoDeliveryEnabled)
      output.isAutoDeferredPhotoDeliveryEnabled = true
      #expect(output.isAutoDeferredPhotoDeliveryEnabled)
      stage.session.startRunning()
      #expect(output.isAutoDeferredPhotoDeliveryEnabled)
      stage.session.removeOutput(output)
      #expect(!output.isAutoDeferredPhotoDeliverySupported && !output.isAutoDeferredPhotoDeliveryEnabled)
      #expect(seen.wait(for: [true, false]))
      withExtendedLifetime(observation) {}
      stage.session.stopRunning()
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `a photo comes as a proxy, and finishes to the bytes of the photo made at once`(
      codec: AVVideoCodecType
    ) throws {
      func photo(isDeferring: Bool) throws -> (delegate: ProxyDelegate, file: Data) {
        let stage = try DeferredStage(isDeferring: isDeferring)
        try #require(stage.take(DeferredStage.settings(codec)))
        let delegate = stage.delegate
        guard isDeferring else {
          #expect(stage.store.entries().isEmpty)
          return (delegate, try #require(delegate.photos.withLock { $0.first?.fileDataRepresentation() }))
        }
        let proxy = try #require(delegate.proxies.withLock { $0.first })
        let file = try #require(proxy.fileDataRepresentation())
        let identifier = try #require(DeferredPhotoStore.identifier(inProxy: file))
        #expect(stage.store.entries().map(\.identifier) == [identifier])
        let facts = try StillFacts(file)
        #expect(facts.width == 48 && facts.height == 36)
        #expect(facts.format == (codec == .hevc ? .heic : .jpeg))
        #expect(proxy.pixelBuffer.map { CVPixelBufferGetWidth($0) } == 48)
        #expect(proxy.timestamp.isValid)
        // The session has ended long ago, and its camera is another program's.
        stage.stage.session.stopRunning()
        return (delegate, try stage.store.finish(identifier).file)
      }
      let later = try photo(isDeferring: true)
      #expect(
        later.delegate.steps.withLock { $0 } == ["willBegin", "willCapture", "didCapture", "proxy", "end"])
      #expect(later.delegate.promises == [48, 48, 48, 48, 48])
      #expect(later.delegate.settings.withLock { $0.allSatisfy { $0.photoDimensions.width == 96 } })
      let atOnce = try photo(isDeferring: false)
      #expect(
        atOnce.delegate.steps.withLock { $0 } == ["willBegin", "willCapture", "didCapture", "photo", "end"])
      #expect(atOnce.delegate.promises == [0, 0, 0, 0, 0])
      #expect(later.file == atOnce.file)
    }

    @Test func `only photos for quality, in a file format, without flash and in no bracket are deferred`()
      throws
    {
      let stage = try DeferredStage()
      #expect(stage.take(DeferredStage.settings(.hevc, .balanced)))
      #expect(stage.take(DeferredStage.settings(.jpeg, .speed)))
      let pixels = AVCapturePhotoSettings(format: [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
      ])
      pixels.photoQualityPrioritization = .quality
      #expect(stage.take(pixels))
      if stage.output.supportedFlashModes.contains(.on) {
        let flashed = DeferredStage.settings()
        flashed.flashMode = .on
        #expect(stage.take(flashed))
      }
      #expect(stage.delegate.proxies.withLock { $0.isEmpty })
      #expect(stage.delegate.promises.allSatisfy { $0 == 0 })
      #expect(stage.take())
      #expect(stage.delegate.proxies.withLock { $0.count } == 1)
      stage.output.isAutoDeferredPhotoDeliveryEnabled = false
      #expect(stage.take())
      #expect(stage.delegate.proxies.withLock { $0.count } == 1)
    }

    @Test func `a delegate without the method for proxies gets the photo, and makes a mistake`() throws {
      /// Of its own, for types are remembered.
      final class Proxyless: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        let photos = Locked<[AVCapturePhoto]>([])
        let ended = Monitor<[Int32]>([])

        func photoOutput(
          _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
          error: (any Error)?
        ) {
          if error == nil { photos.withLock { $0.append(photo) } }
        }

        func photoOutput(
          _ output: AVCapturePhotoOutput, didFinishCaptureFor resolved: AVCaptureResolvedPhotoSettings,
          error: (any Error)?
        ) {
          ended.withLock { $0.append(resolved.deferredPhotoProxyDimensions.width) }
        }
      }
      let recording = ProgrammingMistake.Recording(notesCalls: false)
      ProgrammingMistake.record(into: recording)
      let stage = try DeferredStage()
      let delegate = Proxyless()
      for count in 1...2 {
        stage.output.capturePhoto(with: DeferredStage.settings(), delegate: delegate)
        stage.stage.pass(frames: 3)
        #expect(
          delegate.ended.wait(
            until: MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000), for: { $0.count == count },
            then: { _ in true }) == true)
      }
      #expect(recording.mistakes.count == 1)
      #expect(recording.mistakes.first?.rule.contains("didFinishCapturingDeferredPhotoProxy") == true)
      #expect(delegate.ended.withLock { $0 } == [0, 0])
      for photo in delegate.photos.withLock({ $0 }) {
        #expect(!(photo is AVCaptureDeferredPhotoProxy))
        #expect(try StillFacts(#require(photo.fileDataRepresentation())).width == 96)
        #expect(photo.resolvedSettings.deferredPhotoProxyDimensions.width == 0)
      }
      #expect(delegate.photos.withLock { $0.count } == 2)
      #expect(stage.store.entries().isEmpty)
    }

    @Test func `with a full store photos are finished at once, and none is lost`() throws {
      let stage = try DeferredStage(byteLimit: 25_000)
      for _ in 0..<4 { #expect(stage.take()) }
      let stored = stage.store.entries().count
      #expect((1...2).contains(stored))
      #expect(stage.delegate.proxies.withLock { $0.count } == stored)
      #expect(stage.delegate.photos.withLock { $0.count } == 4 - stored)
      #expect(stage.delegate.promises.last == 0)
      #expect(stage.delegate.photos.withLock { $0.allSatisfy { $0.fileDataRepresentation() != nil } })
    }

    @Test func `a store that cannot be written costs no photo`() throws {
      let stage = try DeferredStage()
      try Data().write(to: stage.folder)
      #expect(stage.take())
      #expect(
        stage.delegate.steps.withLock { $0 } == ["willBegin", "willCapture", "didCapture", "photo", "end"])
      #expect(stage.delegate.promises == [48, 48, 48, 0, 0])
      let photo = try #require(stage.delegate.photos.withLock { $0.first })
      #expect(try StillFacts(#require(photo.fileDataRepresentation())).width == 96)
    }

    @Test func `a photo that fails is reported as every other is`() throws {
      let stage = try DeferredStage()
      stage.output.isZeroShutterLagEnabled = false
      stage.output.capturePhoto(with: DeferredStage.settings(), delegate: stage.delegate)
      stage.stage.session.stopRunning()
      #expect(stage.delegate.wait(for: 1))
      #expect(stage.delegate.steps.withLock { $0.suffix(2) } == ["failed", "end"])
      #expect(stage.store.entries().isEmpty)
    }

    @Test func `what is deferred is not developed for quality now, and its quality is not lowered`() throws {
      let seen = Locked<[PhotoPrioritization]>([])
      let stage = try DeferredStage(load: { _, request in
        seen.withLock { $0.append(request.prioritization) }
      })
      stage.output.isResponsiveCaptureEnabled = true
      stage.output.isFastCapturePrioritizationEnabled = true
      for _ in 0..<3 {
        stage.output.capturePhoto(with: DeferredStage.settings(), delegate: stage.delegate)
      }
      stage.stage.pass(frames: 6)
      #expect(stage.delegate.wait(for: 3))
      #expect(seen.withLock { $0 } == Array(repeating: .speed, count: 6))
      #expect(stage.delegate.proxies.withLock { $0.count } == 3)
      #expect(
        stage.delegate.settings.withLock { $0.allSatisfy { !$0.isFastCapturePrioritizationEnabled } })
    }

    @Test func `preparing makes a proxy, too`() async throws {
      let stage = try DeferredStage()
      let isPrepared = Locked<Bool?>(nil)
      stage.output.setPreparedPhotoSettingsArray([DeferredStage.settings()]) { prepared, _ in
        isPrepared.withLock { $0 = prepared }
      }
      stage.stage.pass(frames: 3)
      #expect(isPrepared.withLock { $0 } == true)
      #expect(stage.store.entries().isEmpty)
    }
  }
}
