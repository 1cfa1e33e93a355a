import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// Apple's rules for photos, as AVCapturePhotoOutput.h has them.
  @Suite("Photos: Apple's rules")
  struct PhotoRules {
    private let output = AVCapturePhotoOutput()
    private let delegate = RecordingPhotoDelegate()
    private static let small = FrameSize(width: 160, height: 120)
    private static let large = FrameSize(width: 320, height: 240)

    private func rig(_ model: SimulatedDeviceModel = .camera(), isRunning: Bool = true) throws -> CaptureRig {
      let rig = try CaptureRig(model, preset: .photo)
      rig.session.addOutput(output)
      if isRunning {
        rig.session.startRunning()
        rig.advance(frames: 2)
      }
      return rig
    }

    private func photo(_ settings: AVCapturePhotoSettings, _ rig: CaptureRig) throws -> AVCapturePhoto {
      let count = delegate.finishedCount.withLock { $0 }
      output.capturePhoto(with: settings, delegate: delegate)
      rig.advance(frames: 2)
      #expect(delegate.wait(for: count + 1))
      return try #require(delegate.photos.withLock { $0.last })
    }

    // MARK: Sizes and quality

    @Test func `a photo's maxPhotoDimensions default to the smallest that the format supports`() throws {
      let rig = try rig(.camera(stillSizes: [Self.small, Self.large]))
      output.maxPhotoDimensions = CMVideoDimensions(width: 320, height: 240)
      #expect(try photo(AVCapturePhotoSettings(), rig).resolvedSettings.photoDimensions.width == 160)
      let settings = AVCapturePhotoSettings()
      settings.maxPhotoDimensions = output.maxPhotoDimensions
      #expect(try photo(settings, rig).resolvedSettings.photoDimensions.width == 320)
    }

    @Test func `maxPhotoQualityPrioritization is speed in a multi-camera session, else balanced`() throws {
      let stage = SessionStage()
      let device = try stage.camera(SessionStage.back)
      let session = AVCaptureMultiCamSession()
      #expect(output.maxPhotoQualityPrioritization == .balanced)
      session.addInput(try AVCaptureDeviceInput(device: device))
      session.addOutput(output)
      #expect(output.maxPhotoQualityPrioritization == .speed)
      session.removeOutput(output)
      let plain = AVCaptureSession()
      plain.addOutput(output)
      #expect(output.maxPhotoQualityPrioritization == .balanced)
      plain.removeOutput(output)
      output.maxPhotoQualityPrioritization = .quality
      session.addOutput(output)
      #expect(output.maxPhotoQualityPrioritization == .quality)
    }

    @Test func `a photo may not be asked for with more quality than the output allows`() throws {
      let rig = try rig()
      output.maxPhotoQualityPrioritization = .speed
      let settings = AVCapturePhotoSettings()
      #expect(settings.photoQualityPrioritization == .balanced)
      #expect(try photo(settings, rig).fileDataRepresentation() != nil)
      #expect(delegate.errors.withLock { $0.isEmpty })
      let balanced = AVCapturePhotoSettings()
      balanced.photoQualityPrioritization = .balanced
      let mistakes = ProgrammingMistake.collect { output.capturePhoto(with: balanced, delegate: delegate) }
      #expect(mistakes.first?.rule.contains("maxPhotoQualityPrioritization") == true)
      #expect(delegate.wait(for: 2))
    }

    // MARK: Errors

    private func failure(_ id: Int64, pictures: Int = 1) -> [RecordingPhotoDelegate.Step] {
      [.willBegin(id), .willCapture(id), .didCapture(id)]
        + Array(repeating: .processed(id, failed: true), count: pictures) + [.finished(id, failed: true)]
    }

    @Test func `in the event of an error all expected callbacks are called, in order`() throws {
      let settings = AVCapturePhotoSettings()
      output.capturePhoto(with: settings, delegate: delegate, expecting: 1)
      #expect(delegate.wait())
      #expect(delegate.steps.withLock { $0 } == failure(settings.uniqueID))
      let rig = try rig(isRunning: false)
      let second = AVCapturePhotoSettings()
      output.capturePhoto(with: second, delegate: delegate)
      #expect(delegate.wait(for: 2))
      #expect(delegate.steps.withLock { $0.suffix(5) } == failure(second.uniqueID)[...])
      withExtendedLifetime(rig) {}
    }

    @Test func `a refused bracket calls back once for each of its photos, with that one's settings`() throws {
      let exposures = [-1, 0, 1].map {
        AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
      }
      let settings = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: nil, bracketedSettings: exposures)
      output.capturePhoto(with: settings, delegate: delegate, expecting: 1)
      #expect(delegate.wait())
      #expect(delegate.steps.withLock { $0 } == failure(settings.uniqueID, pictures: 3))
      let photos = delegate.photos.withLock { $0 }
      #expect(photos.map(\.photoCount) == [1, 2, 3])
      #expect(photos.allSatisfy { $0.resolvedSettings.expectedPhotoCount == 3 })
      for (photo, asked) in zip(photos, exposures) { #expect(photo.bracketSettings === asked) }
    }

    @Test func `the timestamp of a photo that comes with an error is invalid`() throws {
      let webcam = SimulatedDeviceModel.camera(encodings: [.motionJPEG])
      let rig = try CaptureRig(webcam, faults: [SceneFault(.corrupt(rate: 1))], preset: .photo)
      rig.session.addOutput(output)
      rig.session.startRunning()
      rig.advance(frames: 2)
      let photo = try photo(AVCapturePhotoSettings(), rig)
      #expect(delegate.errors.withLock { $0.count } == 1)
      // Its frame is known, but a failed photo has no time.
      #expect(photo.metadata[kCGImagePropertyExifDictionary as String] != nil)
      #expect(!photo.timestamp.isValid)
    }

    // MARK: Zero shutter lag

    @Test func `a phone's zero shutter lag and responsive capture are for the highest photo quality`() throws
    {
      let rig = try rig(.camera(sizes: [Self.small, Self.large]), isRunning: false)
      try rig.device.lockForConfiguration()
      for format in rig.device.formats {
        rig.device.activeFormat = format
        #expect(output.isZeroShutterLagSupported == format.isHighestPhotoQualitySupported)
        #expect(output.isResponsiveCaptureSupported == format.isHighestPhotoQualitySupported)
      }
      rig.device.unlockForConfiguration()
      let qualities = Set(rig.device.formats.map(\.isHighestPhotoQualitySupported))
      #expect(qualities == [false, true])
    }

    @Test func `a camera without a memory of its own has zero shutter lag wherever frames can be kept`()
      throws
    {
      var model = SimulatedDeviceModel.camera(sizes: [Self.small, Self.large])
      model.facts.capabilities.recalledFrames = 0
      let rig = try rig(model, isRunning: false)
      try rig.device.lockForConfiguration()
      for format in rig.device.formats {
        rig.device.activeFormat = format
        #expect(output.isZeroShutterLagSupported && output.isResponsiveCaptureSupported)
      }
      rig.device.unlockForConfiguration()
    }

    // MARK: Observing

    @Test func `the available formats of photos are key-value observable`() throws {
      let news = Monitor<[String]>([])
      let observations = [
        output.observe(\.availablePhotoFileTypes, options: [.old, .new]) { _, change in
          news.withLock { $0.append("files \(change.oldValue?.count ?? -1) \(change.newValue?.count ?? -1)") }
        },
        output.observe(\.availablePhotoCodecTypes, options: .new) { _, change in
          news.withLock { $0.append("codecs \(change.newValue?.count ?? -1)") }
        },
      ]
      let rig = try rig(isRunning: false)
      rig.session.removeOutput(output)
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      let all = news.wait(until: deadline, for: { $0.count >= 4 }, then: { $0 })
      #expect(all == ["codecs 2", "files 0 2", "codecs 0", "files 2 0"])
      withExtendedLifetime(observations) {}
    }

    // MARK: Metadata

    @Test func `a photo's metadata takes ImageIO's keys and no others`() throws {
      let settings = AVCapturePhotoSettings()
      let own: [String: Any] = [
        kCGImagePropertyGPSDictionary: [kCGImagePropertyGPSLatitude: 1.5], "{IPTC}": ["Headline": "Aurora"],
        kCGImagePropertyOrientation: 3, "{MakerApple}": ["17": "any key of a maker's"],
      ]
      settings.metadata = own
      #expect(settings.metadata.count == 4)
      let mistakes = ProgrammingMistake.collect { settings.metadata = ["Shoe size": 44] }
      #expect(mistakes.first?.rule.contains("Shoe size") == true)
      #expect(settings.metadata.count == 4)
      // What one photo says can be given to the next.
      let rig = try rig()
      let next = AVCapturePhotoSettings()
      next.metadata = try photo(AVCapturePhotoSettings(), rig).metadata
      #expect(!next.metadata.isEmpty)
    }

    @Test func `numbers in a photo's metadata are NSNumber, and cast to any number that they fit`() throws {
      let rig = try rig()
      let settings = AVCapturePhotoSettings()
      settings.metadata = [kCGImagePropertyGPSDictionary: [kCGImagePropertyGPSAltitude: 12]]
      let metadata = try photo(settings, rig).metadata
      let code = try #require(metadata[kCGImagePropertyOrientation as String] as? UInt32)
      #expect(CGImagePropertyOrientation(rawValue: code) == .right)
      #expect(metadata[kCGImagePropertyOrientation as String] as? Int == 6)
      #expect(metadata[kCGImagePropertyDPIWidth as String] as? Double == 72)
      let exif = try #require(metadata[kCGImagePropertyExifDictionary as String] as? [String: Any])
      #expect(exif[kCGImagePropertyExifPixelXDimension as String] as? UInt32 == 160)
      #expect(exif[kCGImagePropertyExifISOSpeedRatings as String] as? [Double] != nil)
      let gps = try #require(metadata[kCGImagePropertyGPSDictionary as String] as? [String: Any])
      #expect(gps[kCGImagePropertyGPSAltitude as String] as? Float == 12)
    }
  }
}

extension AVCapturePhotoOutput {
  /// Presses, and expects so many mistakes.
  fileprivate func capturePhoto(
    with settings: AVCapturePhotoSettings, delegate: RecordingPhotoDelegate, expecting count: Int
  ) {
    let mistakes = ProgrammingMistake.collect { capturePhoto(with: settings, delegate: delegate) }
    #expect(mistakes.count == count)
  }
}
