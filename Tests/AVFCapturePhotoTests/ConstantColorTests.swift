import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Photos of constant colour")
  struct ConstantColorPhotos {
    /// A reddish card at 0.5 m in the middle of the left half, before a grey wall.
    private final class Stage {
      let rig: CaptureRig
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()
      static let card = (x: 160, y: 240)
      static let wall = (x: 560, y: 240)
      static let color = SIMD3(0.5, 0.35, 0.3)

      init(
        kelvin: Double = 6500, lux: Double = 60, wallDistance: Double = 1.5,
        card: SIMD3<Double> = Stage.color
      ) throws {
        var scene = Scene(
          isStamped: false, isNoisy: false,
          background: SceneBackground(.color(red: 0.6, green: 0.6, blue: 0.6), depth: wallDistance),
          layers: [
            SceneLayer(
              .color(red: card.x, green: card.y, blue: card.z), center: CGPoint(x: 0.25, y: 0.5), width: 0.4,
              depth: 0.5)
          ])
        scene.lux = lux
        scene.lightTemperature = kelvin
        rig = try CaptureRig(
          .camera(uniqueID: "constant.color", sizes: [FrameSize(width: 640, height: 480)], sensorRotation: 0),
          scene: scene)
        rig.session.addOutput(output)
        // What a balance makes of the light, constant colours must not depend on.
        try rig.device.lockForConfiguration()
        rig.device.setWhiteBalanceModeLocked(
          with: AVCaptureDevice.WhiteBalanceGains(redGain: 2, greenGain: 1, blueGain: 2))
        rig.device.setExposurePointOnCard()
        rig.device.unlockForConfiguration()
        rig.session.startRunning()
        rig.advance(frames: 40)
      }

      func settings() -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
        ])
        settings.flashMode = .on
        return settings
      }

      /// Takes a photo, and gives back all that came of it.
      func take(_ settings: AVCapturePhotoSettings, count: Int = 1) throws -> [AVCapturePhoto] {
        let before = delegate.photos.withLock { $0.count }
        output.capturePhoto(with: settings, delegate: delegate)
        rig.advance(frames: 8)
        try #require(delegate.photos.withLock { $0.count } >= before + count)
        return delegate.photos.withLock { Array($0[before...]) }
      }

      func takeConstant(fallback: Bool = false) throws -> [AVCapturePhoto] {
        output.isConstantColorEnabled = true
        let settings = settings()
        settings.isConstantColorEnabled = true
        settings.isConstantColorFallbackPhotoDeliveryEnabled = fallback
        return try take(settings, count: fallback ? 2 : 1)
      }
    }

    /// Mean red, green and blue of some pixels about a place.
    private func color(_ photo: AVCapturePhoto, _ place: (x: Int, y: Int)) throws -> SIMD3<Double> {
      let plane = try #require(photo.pixelBuffer).planes[0]
      var sum = SIMD3<Double>.zero
      for y in place.y - 8..<place.y + 8 {
        let row = plane.row(y)
        for x in place.x - 8..<place.x + 8 {
          sum += SIMD3(Double(row[4 * x + 2]), Double(row[4 * x + 1]), Double(row[4 * x]))
        }
      }
      return sum / 256
    }

    private func distance(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
      let difference = one - other
      return max(abs(difference.x), abs(difference.y), abs(difference.z))
    }

    private func confidence(_ photo: AVCapturePhoto, _ place: (x: Int, y: Int)) throws -> Int {
      let map = try #require(photo.constantColorConfidenceMap)
      return Int(map.planes[0].row(place.y / 4)[place.x / 4])
    }

    @Test func `have the same colours in warm and in cold light, unlike others`() throws {
      var constant: [SIMD3<Double>] = []
      var ordinary: [SIMD3<Double>] = []
      for kelvin in [2800.0, 7500] {
        let stage = try Stage(kelvin: kelvin)
        #expect(stage.output.isConstantColorSupported)
        let plain = stage.settings()
        plain.flashMode = .off
        ordinary.append(try color(try #require(stage.take(plain).first), Stage.card))
        let photo = try #require(stage.takeConstant().first)
        #expect(photo.resolvedSettings.isFlashEnabled && !photo.isConstantColorFallbackPhoto)
        constant.append(try color(photo, Stage.card))
        #expect(photo.constantColorCenterWeightedMeanConfidenceLevel > 0)
      }
      #expect(distance(ordinary[0], ordinary[1]) > 30, "\(ordinary)")
      #expect(distance(constant[0], constant[1]) < 8, "\(constant)")
      // The card's own colour, as daylight shows it: red over green as it was painted, in linear light.
      func linear(_ code: Double) -> Double { pow((code / 255 + 0.055) / 1.055, 2.4) }
      for color in constant {
        let ratio = linear(color.x) / linear(color.y)
        #expect(
          abs(ratio / (linear(Stage.color.x * 255) / linear(Stage.color.y * 255)) - 1) < 0.15, "\(color)")
      }
    }

    @Test func `are trusted where the flash reaches, and not where the scene's own light is brighter`() throws
    {
      // As dark as a thing before a far wall can be without outshining what a scene is painted with.
      let dark = SIMD3(0.2, 0.12, 0.1)
      let dim = try Stage(lux: 60, wallDistance: 15, card: dark)
      let near = try #require(dim.takeConstant().first)
      #expect(try confidence(near, Stage.card) > 230)
      #expect(try confidence(near, Stage.wall) < 60)
      let map = try #require(near.constantColorConfidenceMap)
      #expect(map.width == 160 && map.height == 120)
      #expect(CVPixelBufferGetPixelFormatType(map) == kCVPixelFormatType_OneComponent8)
      // The wall is dark in the flash's light alone.
      #expect(try color(near, Stage.wall).max() < 40)
      let bright = try #require(try Stage(lux: 20_000, wallDistance: 15, card: dark).takeConstant().first)
      #expect(try confidence(bright, Stage.card) < 100)
      #expect(
        bright.constantColorCenterWeightedMeanConfidenceLevel
          < near.constantColorCenterWeightedMeanConfidenceLevel)
    }

    @Test func `come with the ordinary photo after them where that is asked for`() throws {
      let stage = try Stage(kelvin: 2800)
      let photos = try stage.takeConstant(fallback: true)
      #expect(photos.map(\.isConstantColorFallbackPhoto) == [false, true])
      #expect(photos.map(\.photoCount) == [1, 2])
      #expect(photos[0].resolvedSettings.expectedPhotoCount == 2)
      #expect(photos[0].timestamp == photos[1].timestamp)
      #expect(photos[1].constantColorConfidenceMap == nil)
      #expect(photos[1].constantColorCenterWeightedMeanConfidenceLevel == 0)
      let flash = try #require(stage.take(stage.settings()).first)
      for place in [Stage.card, Stage.wall] {
        #expect(try distance(color(photos[1], place), color(flash, place)) < 2)
      }
      #expect(flash.constantColorConfidenceMap == nil && !flash.isConstantColorFallbackPhoto)
      #expect(stage.delegate.errors.withLock { $0.isEmpty })
    }

    @Test func `have a file, a preview and a thumbnail of the same colours`() throws {
      let stage = try Stage(kelvin: 2800)
      let pixels = try #require(stage.takeConstant().first)
      let settings = AVCapturePhotoSettings()
      settings.flashMode = .auto
      settings.isConstantColorEnabled = true
      settings.previewPhotoFormat = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
        kCVPixelBufferWidthKey as String: 320, kCVPixelBufferHeightKey as String: 240,
      ]
      let photo = try #require(stage.take(settings).first)
      // An automatic flash fires, too.
      #expect(photo.resolvedSettings.isFlashEnabled)
      #expect(photo.fileDataRepresentation() != nil)
      let preview = try #require(photo.previewPixelBuffer)
      let row = preview.planes[0].row(Stage.card.y / 2)
      let x = 4 * Stage.card.x / 2
      let small = SIMD3(Double(row[x + 2]), Double(row[x + 1]), Double(row[x]))
      #expect(try distance(small, color(pixels, Stage.card)) < 12)
    }

    @Test func `need the output's consent and the flash, and no raw picture, bracket or movie`() throws {
      let stage = try Stage()
      func mistake(_ settings: AVCapturePhotoSettings) -> String? {
        ProgrammingMistake.collect {
          stage.output.capturePhoto(with: settings, delegate: stage.delegate)
        }.first?.rule
      }
      let early = stage.settings()
      early.isConstantColorEnabled = true
      #expect(mistake(early)?.contains("isConstantColorSupported") == true)
      stage.output.isConstantColorEnabled = true
      #expect(stage.output.isConstantColorEnabled)
      let dark = stage.settings()
      dark.isConstantColorEnabled = true
      dark.flashMode = .off
      #expect(mistake(dark)?.contains("flashMode") == true)
      let bracket = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: nil,
        bracketedSettings: [
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 0)
        ])
      let raw = AVCapturePhotoSettings(rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB)
      for settings in [bracket, raw] {
        settings.isConstantColorEnabled = true
        settings.flashMode = .on
        #expect(mistake(settings)?.contains("constant colour") == true)
      }
      stage.output.isConstantColorEnabled = false
      #expect(!stage.output.isConstantColorEnabled && stage.output.isConstantColorSupported)
    }

    /// A stage whose camera knows the colour of its flash, with constant colours enabled.
    private func scriptedStage() throws -> (stage: ScriptedStage, settings: AVCapturePhotoSettings) {
      let stage = try ScriptedStage {
        $0.flashGains = CaptureDevice.WhiteBalanceGains(red: 2, green: 1, blue: 1.5)
      }
      stage.output.isConstantColorEnabled = true
      let settings = AVCapturePhotoSettings()
      settings.flashMode = .auto
      settings.isConstantColorEnabled = true
      settings.isConstantColorFallbackPhotoDeliveryEnabled = true
      return (stage, settings)
    }

    @Test func `are of one frame with flash and of one without, exposed alike`() throws {
      let (stage, settings) = try scriptedStage()
      stage.press(settings)
      #expect(stage.camera.requests.map(\.flash) == [.on])
      stage.camera.expose()
      stage.camera.expose()
      #expect(stage.delegate.wait())
      let asked = try #require(stage.camera.requests.last)
      let exposure = stage.camera.controlState.exposure
      #expect(stage.camera.requests.count == 2 && asked.flash == .off)
      #expect(
        asked.exposure == .manual(durationNanoseconds: exposure.durationNanoseconds, iso: exposure.iso))
      #expect(stage.delegate.photos.withLock { $0.count } == 2)
      #expect(stage.delegate.errors.withLock { $0.isEmpty })
    }

    @Test func `fail without their second frame, and the ordinary photo comes all the same`() throws {
      let (stage, settings) = try scriptedStage()
      stage.press(settings)
      stage.camera.expose()
      stage.camera.expose(refusing: CaptureDeviceError(.outOfMemory, "No memory."))
      #expect(stage.delegate.wait())
      let photos = stage.delegate.photos.withLock { $0 }
      #expect(photos.map(\.isConstantColorFallbackPhoto) == [false, true])
      #expect(photos.map { $0.fileDataRepresentation() != nil } == [false, true])
      #expect(stage.delegate.errors.withLock { $0.count } >= 1)
      let again = AVCapturePhotoSettings(from: settings)
      stage.press(again)
      stage.camera.expose(refusing: CaptureDeviceError(.outOfMemory, "No memory."))
      #expect(stage.delegate.wait(for: 2))
      let all = stage.delegate.photos.withLock { $0 }
      #expect(all.suffix(2).allSatisfy { $0.fileDataRepresentation() == nil })
      #expect(all.suffix(2).map(\.isConstantColorFallbackPhoto) == [false, true])
      // Without a first frame nothing more is asked for.
      #expect(stage.camera.requests.count == 3)
    }

    @Test func `cannot be had while the camera maps tones, and without a flash of known colour`() throws {
      let stage = try Stage()
      stage.output.isConstantColorEnabled = true
      try stage.rig.device.lockForConfiguration()
      stage.rig.device.isGlobalToneMappingEnabled = true
      stage.rig.advance(frames: 2)
      #expect(!stage.output.isConstantColorSupported && !stage.output.isConstantColorEnabled)
      stage.rig.device.isGlobalToneMappingEnabled = false
      stage.rig.device.unlockForConfiguration()
      stage.rig.advance(frames: 2)
      #expect(stage.output.isConstantColorSupported)
      let plain = AVCapturePhotoOutput()
      #expect(!plain.isConstantColorSupported && !plain.isConstantColorEnabled)
    }
  }
}

extension AVCaptureDevice {
  /// Exposes for what lies in the middle of the left half.
  fileprivate func setExposurePointOnCard() {
    exposurePointOfInterest = CGPoint(x: 0.25, y: 0.5)
    exposureMode = .continuousAutoExposure
  }
}
