import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import FoundationExtras
import ImageIO
import Linux
import Testing

extension DeviceSuites {
  @Suite("Brackets")
  struct Brackets {
    private func bracket(_ biases: Float...) -> AVCapturePhotoBracketSettings {
      AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg],
        bracketedSettings: biases.map {
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        })
    }

    private func manual(_ seconds: Double, _ iso: Float) -> AVCaptureManualExposureBracketedStillImageSettings
    {
      .manualExposureSettings(
        exposureDuration: CMTime(seconds: seconds, preferredTimescale: 1_000_000_000), iso: iso)
    }

    private func manualBracket(
      _ settings: AVCaptureManualExposureBracketedStillImageSettings...
    ) -> AVCapturePhotoBracketSettings {
      AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: nil, bracketedSettings: settings)
    }

    private func exif(_ photo: AVCapturePhoto) throws -> [String: Any] {
      try #require(photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any])
    }

    @Test func `each exposure is a photo of its own, in order, and the end comes once`() throws {
      let stage = try ScriptedStage()
      let settings = bracket(-1.5, 0, 2)
      stage.press(settings)
      #expect(
        stage.camera.requests.map(\.exposure) == [.bias(-1.5), .bias(0), .bias(2)])
      stage.camera.exposeAll()
      #expect(stage.delegate.wait())
      let id = settings.uniqueID
      #expect(
        stage.delegate.steps.withLock { $0 } == [
          .willBegin(id), .willCapture(id), .didCapture(id), .processed(id, failed: false),
          .processed(id, failed: false), .processed(id, failed: false), .finished(id, failed: false),
        ])
      let photos = stage.delegate.photos.withLock { $0 }
      #expect(photos.map(\.photoCount) == [1, 2, 3])
      #expect(photos.map(\.sequenceCount) == [1, 2, 3])
      #expect(photos.allSatisfy { $0.resolvedSettings.expectedPhotoCount == 3 })
      #expect(photos.allSatisfy { $0.fileDataRepresentation() != nil })
      for (photo, asked) in zip(photos, settings.bracketedSettings) {
        #expect(photo.bracketSettings === asked)
      }
      let biases = try photos.map { try #require(exif($0)["ExposureBiasValue"] as? Double) }
      #expect(biases == [-1.5, 0, 2])
      #expect(try photos.map { try exif($0)["ExposureMode"] as? Int } == [2, 2, 2])
      let sequences = photos.compactMap(\.frameSequenceNumber)
      #expect(sequences == [1, 2, 3])
    }

    @Test func `a photo without a bracket has no bracket settings`() throws {
      let stage = try ScriptedStage()
      stage.press(AVCapturePhotoSettings())
      stage.camera.expose()
      #expect(stage.delegate.wait())
      let photo = try #require(stage.delegate.photos.withLock { $0.first })
      #expect(photo.sequenceCount == 0 && photo.photoCount == 1 && photo.bracketSettings == nil)
      #expect(stage.camera.requests.first?.exposure == nil)
    }

    @Test func `a manual bracket asks for durations and ISOs, and what is current is left to the device`()
      throws
    {
      let stage = try ScriptedStage()
      stage.press(
        manualBracket(
          manual(0.001, 100),
          .manualExposureSettings(exposureDuration: AVCaptureDevice.currentExposureDuration, iso: 400),
          .manualExposureSettings(
            exposureDuration: CMTime(value: 1, timescale: 30), iso: AVCaptureDevice.currentISO)))
      #expect(
        stage.camera.requests.map(\.exposure) == [
          .manual(durationNanoseconds: 1_000_000, iso: 100), .manual(durationNanoseconds: nil, iso: 400),
          .manual(durationNanoseconds: 33_333_333, iso: nil),
        ])
      stage.camera.exposeAll()
      #expect(stage.delegate.wait())
      let first = try #require(stage.delegate.photos.withLock { $0.first })
      #expect(try exif(first)["ExposureTime"] as? Double == 0.001)
      #expect(try exif(first)["ExposureMode"] as? Int == 1)
    }

    @Test func `the current bias is the one that the device has`() throws {
      let stage = try ScriptedStage()
      stage.press(bracket(AVCaptureDevice.currentExposureTargetBias))
      #expect(stage.camera.requests.map(\.exposure) == [.bias(0)])
    }

    @Test func `one exposure that fails takes nothing from the others`() throws {
      let stage = try ScriptedStage()
      let settings = bracket(-1, 0, 1)
      stage.press(settings)
      stage.camera.expose()
      stage.camera.expose(
        refusing: CaptureDeviceError(.outOfMemory, "There is no memory left; close something."))
      stage.camera.expose()
      #expect(stage.delegate.wait())
      let id = settings.uniqueID
      #expect(
        stage.delegate.steps.withLock { $0.suffix(4) } == [
          .processed(id, failed: false), .processed(id, failed: true), .processed(id, failed: false),
          .finished(id, failed: true),
        ])
      #expect(stage.delegate.errors.withLock { ($0.first as? AVError)?.code } == .outOfMemory)
    }

    @Test(arguments: 0..<3)
    func `a session that stops in the middle keeps what was exposed and fails the rest`(exposed: Int) throws {
      let stage = try ScriptedStage()
      let settings = bracket(-1, 0, 1)
      stage.press(settings)
      for _ in 0..<exposed { stage.camera.expose() }
      stage.session.stopRunning()
      #expect(stage.delegate.wait())
      let id = settings.uniqueID
      let processed = (0..<3).map { RecordingPhotoDelegate.Step.processed(id, failed: $0 >= exposed) }
      #expect(
        stage.delegate.steps.withLock { $0.suffix(4) } == processed + [.finished(id, failed: true)])
      #expect(stage.delegate.errors.withLock { ($0.first as? AVError)?.code } == .sessionNotRunning)
    }

    @Test func `photos behind a bracket wait for it, and come`() throws {
      let stage = try ScriptedStage()
      let count = stage.output.maxBracketedCapturePhotoCount
      #expect(count >= 3)
      stage.press(
        AVCapturePhotoBracketSettings(
          rawPixelFormatType: 0, processedFormat: nil,
          bracketedSettings: (0..<count).map { _ in
            AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 0)
          }))
      stage.press(AVCapturePhotoSettings())
      #expect(stage.camera.requests.count == count)
      // Not until there is none: the photo's own exposure may be asked for as soon as the bracket's last one is there.
      for _ in 0..<count { stage.camera.expose() }
      #expect(stage.delegate.wait(for: 1))
      stage.camera.expose()
      #expect(stage.delegate.wait(for: 2))
      #expect(stage.delegate.errors.withLock { $0.isEmpty })
    }

    @Test func `presses in quick succession are exposures of their own where the camera can`() throws {
      let stage = try ScriptedStage()
      stage.overlapPhotos()
      for _ in 0..<3 { stage.press(AVCapturePhotoSettings()) }
      let apart = StillExposure.manual(durationNanoseconds: nil, iso: nil)
      #expect(stage.camera.requests.map(\.exposure) == [nil, apart, apart])
      stage.camera.exposeAll()
      #expect(stage.delegate.wait(for: 3))
      let simple = try ScriptedStage { $0.exposureModes = [.continuousAuto] }
      simple.overlapPhotos()
      for _ in 0..<3 { simple.press(AVCapturePhotoSettings()) }
      #expect(simple.camera.requests.map(\.exposure) == [nil, nil, nil])
    }

    // MARK: Mistakes

    @Test func `no settings, and some of each class, are mistakes`() {
      func mistakes(_ settings: [AVCaptureBracketedStillImageSettings]) -> Int {
        ProgrammingMistake.collect {
          _ = AVCapturePhotoBracketSettings(
            rawPixelFormatType: 0, processedFormat: nil, bracketedSettings: settings)
        }.count
      }
      let automatic = AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(
        exposureTargetBias: 1)
      #expect(mistakes([]) == 1)
      #expect(mistakes([automatic, manual(0.01, 100)]) == 1)
      #expect(mistakes([automatic, automatic]) == 0)
    }

    @Test func `what the camera cannot do is a mistake`() throws {
      let stage = try ScriptedStage()
      let tooMany = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: nil,
        bracketedSettings: (0...stage.output.maxBracketedCapturePhotoCount).map { _ in manual(0.01, 100) })
      let flashed = bracket(0, 1)
      flashed.flashMode = .auto
      let stabilized = bracket(0, 1)
      stabilized.isLensStabilizationEnabled = true
      let raw = AVCapturePhotoBracketSettings(
        rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB, processedFormat: nil,
        bracketedSettings: [manual(0.01, 100)])
      let wrong: [(AVCapturePhotoBracketSettings, String)] = [
        (bracket(0, 2.5), "exposureTargetBias"), (bracket(.nan), "exposureTargetBias"),
        (manualBracket(manual(0.01, 10)), "iso"), (manualBracket(manual(0.01, 3200)), "iso"),
        (manualBracket(manual(1, 100)), "exposureDuration"),
        (manualBracket(manual(0, 100)), "exposureDuration"),
        (tooMany, "maxBracketedCapturePhotoCount"), (flashed, "flash"),
        (stabilized, "isLensStabilizationEnabled"), (raw, "rawPhotoPixelFormatType"),
      ]
      for (settings, word) in wrong {
        let rule = try #require(stage.mistake(settings))
        #expect(rule.contains(word), "\(rule)")
      }
    }

    @Test func `a camera whose exposure cannot be set takes no brackets`() throws {
      let stage = try ScriptedStage { capabilities in
        capabilities.exposureBias = nil
        capabilities.exposureModes = [.continuousAuto]
      }
      #expect(stage.output.maxBracketedCapturePhotoCount == 0)
      #expect(try #require(stage.mistake(bracket(0))).contains("maxBracketedCapturePhotoCount"))
      #expect(AVCapturePhotoOutput().maxBracketedCapturePhotoCount == 0)
    }

    @Test func `a camera that exposes stills only as its stream takes no brackets and shares exposures`()
      throws
    {
      let stage = try ScriptedStage { $0.exposesStillsApart = false }
      #expect(stage.output.maxBracketedCapturePhotoCount == 0)
      #expect(try #require(stage.mistake(bracket(0))).contains("maxBracketedCapturePhotoCount"))
      stage.overlapPhotos()
      for _ in 0..<3 { stage.press(AVCapturePhotoSettings()) }
      #expect(stage.camera.requests.map(\.exposure) == [nil, nil, nil])
    }

    // MARK: Settings

    @Test func `a copy and the next request have the same bracket`() throws {
      let settings = bracket(-1, 1)
      settings.isHighResolutionPhotoEnabled = true
      #expect(!settings.isAutoStillImageStabilizationEnabled)
      let copy = try #require(settings.copy() as? AVCapturePhotoBracketSettings)
      #expect(copy.uniqueID == settings.uniqueID)
      let next = AVCapturePhotoBracketSettings(from: settings)
      #expect(next.uniqueID != settings.uniqueID)
      for other in [copy, next] {
        let isSame = other.bracketedSettings.elementsEqual(settings.bracketedSettings) { $0 === $1 }
        #expect(isSame)
        #expect(other.isHighResolutionPhotoEnabled)
        #expect(other.processedFileType == .jpg)
      }
    }

    @Test func `a bracket of one class keeps its figures`() {
      let automatic = AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(
        exposureTargetBias: 0.5)
      #expect(automatic.exposureTargetBias == 0.5)
      let manual = manual(0.25, 320)
      #expect(manual.exposureDuration.seconds == 0.25)
      #expect(manual.iso == 320)
    }
  }
}
