import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import Testing

extension DeviceSuites {
  @Suite("Photo features that no camera here has")
  struct PhotoFeatures {
    private typealias Switch = (
      name: String, isSupported: (AVCapturePhotoOutput) -> Bool,
      path: ReferenceWritableKeyPath<AVCapturePhotoOutput, Bool>
    )

    private let switches: [Switch] = [
      ("isAppleProRAWEnabled", { $0.isAppleProRAWSupported }, \.isAppleProRAWEnabled),
      ("isDepthDataDeliveryEnabled", { $0.isDepthDataDeliverySupported }, \.isDepthDataDeliveryEnabled),
      (
        "isPortraitEffectsMatteDeliveryEnabled", { $0.isPortraitEffectsMatteDeliverySupported },
        \.isPortraitEffectsMatteDeliveryEnabled
      ),
      (
        "isContentAwareDistortionCorrectionEnabled", { $0.isContentAwareDistortionCorrectionSupported },
        \.isContentAwareDistortionCorrectionEnabled
      ),
      ("isConstantColorEnabled", { $0.isConstantColorSupported }, \.isConstantColorEnabled),
      (
        "isCameraSensorOrientationCompensationEnabled", { $0.isCameraSensorOrientationCompensationSupported },
        \.isCameraSensorOrientationCompensationEnabled
      ),
    ]

    @Test func `what is not supported stays off, and switching it on is a mistake`() throws {
      let stage = try ScriptedStage()
      for (name, isSupported, path) in switches {
        #expect(!isSupported(stage.output), "\(name)")
        let mistakes = ProgrammingMistake.collect { stage.output[keyPath: path] = true }
        #expect(mistakes.count == 1 && mistakes.first?.rule.contains(name) == true, "\(name)")
        #expect(!stage.output[keyPath: path], "\(name)")
        // As clients write it: enabled = supported.
        #expect(
          ProgrammingMistake.collect { stage.output[keyPath: path] = isSupported(stage.output) }.isEmpty)
      }
      #expect(!stage.output.isCameraCalibrationDataDeliverySupported)
      #expect(!stage.output.isLensStabilizationDuringBracketedCaptureSupported)
      #expect(stage.output.availableRawPhotoCodecTypes.isEmpty)
      #expect(
        stage.output.supportedRawPhotoCodecTypes(
          forRawPhotoPixelFormatType: kCVPixelFormatType_14Bayer_RGGB, fileType: .dng
        ).isEmpty)
    }

    @Test func `no photo says that its lens was stabilized`() throws {
      let stage = try ScriptedStage()
      stage.press(AVCapturePhotoSettings())
      stage.camera.expose()
      #expect(stage.delegate.wait())
      let photo = try #require(stage.delegate.photos.withLock { $0.first })
      #expect(photo.lensStabilizationStatus == .unsupported)
      let all = [
        AVCaptureDevice.LensStabilizationStatus.unsupported, .off, .active, .outOfRange, .unavailable,
      ]
      #expect(
        all.map(\.rawValue) == Array(0..<5) && AVCaptureDevice.LensStabilizationStatus(rawValue: 5) == nil)
    }

    @Test func `a photo that asks for one is a mistake and ends in an error`() throws {
      let stage = try ScriptedStage()
      let wishes: [(String, (AVCapturePhotoSettings) -> Void)] = [
        ("isDepthDataDeliveryEnabled", { $0.isDepthDataDeliveryEnabled = true }),
        ("isPortraitEffectsMatteDeliveryEnabled", { $0.isPortraitEffectsMatteDeliveryEnabled = true }),
        ("isCameraCalibrationDataDeliveryEnabled", { $0.isCameraCalibrationDataDeliveryEnabled = true }),
        (
          "isAutoContentAwareDistortionCorrectionEnabled",
          { $0.isAutoContentAwareDistortionCorrectionEnabled = true }
        ),
        ("isConstantColorEnabled", { $0.isConstantColorEnabled = true }),
      ]
      for (name, wish) in wishes {
        let settings = AVCapturePhotoSettings()
        wish(settings)
        #expect(try #require(stage.mistake(settings)).contains(name))
      }
      #expect(stage.delegate.errors.withLock { $0.count } == wishes.count)
    }

    @Test func `of a camera that gives none, asking for a raw picture is a mistake`() throws {
      let stage = try ScriptedStage()
      #expect(
        stage.output.availableRawPhotoPixelFormatTypes.isEmpty
          && stage.output.availableRawPhotoFileTypes.isEmpty)
      for settings in [
        AVCapturePhotoSettings(rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB),
        AVCapturePhotoSettings(
          rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB,
          processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg]),
      ] {
        #expect(settings.rawPhotoPixelFormatType == kCVPixelFormatType_14Bayer_RGGB)
        #expect(try #require(stage.mistake(settings)).contains("availableRawPhotoPixelFormatTypes"))
      }
    }

    @Test func `raw pixel formats are distinguished`() {
      #expect(AVCapturePhotoOutput.isBayerRAWPixelFormat(kCVPixelFormatType_14Bayer_GBRG))
      #expect(!AVCapturePhotoOutput.isBayerRAWPixelFormat(kCVPixelFormatType_64RGBALE))
      #expect(AVCapturePhotoOutput.isAppleProRAWPixelFormat(kCVPixelFormatType_64RGBALE))
      #expect(!AVCapturePhotoOutput.isAppleProRAWPixelFormat(kCVPixelFormatType_32BGRA))
    }

    @Test func `what is left to the output may be asked for, and changes nothing`() throws {
      let stage = try ScriptedStage()
      let settings = AVCapturePhotoSettings()
      settings.isAutoRedEyeReductionEnabled = true
      settings.isAutoStillImageStabilizationEnabled = true
      settings.isAutoVirtualDeviceFusionEnabled = true
      settings.isShutterSoundSuppressionEnabled = stage.output.isShutterSoundSuppressionSupported
      settings.embedsDepthDataInPhoto = true
      settings.isConstantColorFallbackPhotoDeliveryEnabled = true
      stage.press(settings)
      stage.camera.expose()
      #expect(stage.delegate.wait())
      #expect(stage.delegate.errors.withLock { $0.isEmpty })
    }
  }
}

@Suite("AVCapturePhotoSettings: features")
struct PhotoFeatureSettingsTests {
  @Test func `the defaults are Apple's`() {
    let settings = AVCapturePhotoSettings()
    #expect(settings.rawPhotoPixelFormatType == 0 && settings.rawFileType == nil)
    #expect(settings.embedsDepthDataInPhoto && settings.isDepthDataFiltered)
    #expect(settings.embedsPortraitEffectsMatteInPhoto && settings.embedsSemanticSegmentationMattesInPhoto)
    #expect(settings.enabledSemanticSegmentationMatteTypes.isEmpty)
    #expect(settings.isAutoStillImageStabilizationEnabled)
    #expect(settings.isAutoVirtualDeviceFusionEnabled)
    for isOn in [
      settings.isDepthDataDeliveryEnabled, settings.isPortraitEffectsMatteDeliveryEnabled,
      settings.isCameraCalibrationDataDeliveryEnabled, settings.isAutoContentAwareDistortionCorrectionEnabled,
      settings.isAutoRedEyeReductionEnabled, settings.isConstantColorEnabled,
      settings.isConstantColorFallbackPhotoDeliveryEnabled, settings.isShutterSoundSuppressionEnabled,
    ] {
      #expect(!isOn)
    }
  }

  @Test func `a raw picture alone has no processed format and is never fused`() {
    let raw = AVCapturePhotoSettings(rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB)
    #expect(raw.format == nil && raw.processedFileType == nil && raw.rawFileType == .dng)
    #expect(!raw.isAutoStillImageStabilizationEnabled && !raw.isAutoVirtualDeviceFusionEnabled)
    let plain = AVCapturePhotoSettings(rawPixelFormatType: 0, processedFormat: nil)
    #expect(plain.processedFileType == .jpg)
  }

  @Test func `every wish goes into the copy and into the next request`() throws {
    let settings = AVCapturePhotoSettings()
    settings.livePhotoMovieFileURL = URL(fileURLWithPath: "/tmp/a.mov")
    settings.isDepthDataDeliveryEnabled = true
    settings.embedsDepthDataInPhoto = false
    let copy = try #require(settings.copy() as? AVCapturePhotoSettings)
    for other in [copy, AVCapturePhotoSettings(from: settings)] {
      #expect(other.livePhotoMovieFileURL?.path == "/tmp/a.mov")
      #expect(other.isDepthDataDeliveryEnabled && !other.embedsDepthDataInPhoto)
    }
  }
}
