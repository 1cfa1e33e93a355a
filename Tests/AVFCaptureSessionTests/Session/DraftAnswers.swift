import AVFoundation
import CaptureDevice
import Foundation

/// The answers of a session, its camera and its outputs to all questions of a client, by the question.
struct DraftAnswers {
  private(set) var all: [String: String] = [:]

  /// A session with outputs to ask.
  struct Asked {
    let session: AVCaptureSession
    let device: AVCaptureDevice
    let photos: AVCapturePhotoOutput
    let video: AVCaptureVideoDataOutput
    let depth: AVCaptureDepthDataOutput
    let metadata: AVCaptureMetadataOutput
    let movie: AVCaptureMovieFileOutput
  }

  init(of asked: Asked) {
    ask(asked.device)
    ask(asked.photos)
    ask(asked.video, asked.metadata)
    ask(asked.session, asked)
  }

  /// The questions whose answers differ, with both.
  func differences(from other: DraftAnswers) -> [String] {
    all.keys.filter { all[$0] != other.all[$0] }.sorted().map {
      "\($0): \(all[$0] ?? "-") became \(other.all[$0] ?? "-")"
    }
  }

  private mutating func note(_ question: String, _ answer: Any?) {
    all[question] = answer.map { "\($0)" } ?? "nil"
  }

  private mutating func ask(_ device: AVCaptureDevice) {
    let format = device.activeFormat
    note("activeFormat", device.formats.firstIndex { $0 === format })
    note("supportedDepthDataFormats", format.supportedDepthDataFormats)
    note("supportedMaxPhotoDimensions", format.supportedMaxPhotoDimensions)
    note("supportedColorSpaces", format.supportedColorSpaces)
    note("isMultiCamSupported", format.isMultiCamSupported)
    note("activeVideoMinFrameDuration", device.activeVideoMinFrameDuration)
    note("activeVideoMaxFrameDuration", device.activeVideoMaxFrameDuration)
    note("activeColorSpace", device.activeColorSpace)
    note("activeDepthDataFormat", device.activeDepthDataFormat)
    note("activeDepthDataMinFrameDuration", device.activeDepthDataMinFrameDuration)
    note("activeMaxExposureDuration", device.activeMaxExposureDuration)
    note("minAvailableVideoZoomFactor", device.minAvailableVideoZoomFactor)
    note("maxAvailableVideoZoomFactor", device.maxAvailableVideoZoomFactor)
    note("videoZoomFactor", device.videoZoomFactor)
    note("isVideoHDREnabled", device.isVideoHDREnabled)
    note("isGlobalToneMappingEnabled", device.isGlobalToneMappingEnabled)
    note("isExposureModeSupported", device.isExposureModeSupported(.custom))
    note("isTorchAvailable", device.isTorchAvailable)
    note("isFlashAvailable", device.isFlashAvailable)
  }

  private mutating func ask(_ photos: AVCapturePhotoOutput) {
    note("availablePhotoCodecTypes", photos.availablePhotoCodecTypes)
    note("availablePhotoPixelFormatTypes", photos.availablePhotoPixelFormatTypes)
    note("availablePhotoFileTypes", photos.availablePhotoFileTypes)
    note("availableRawPhotoPixelFormatTypes", photos.availableRawPhotoPixelFormatTypes)
    note("supportedPhotoCodecTypes", photos.supportedPhotoCodecTypes(for: .heic))
    note("supportedFlashModes", photos.supportedFlashModes.map(\.rawValue))
    note("maxPhotoDimensions", photos.maxPhotoDimensions)
    note("maxPhotoQualityPrioritization", photos.maxPhotoQualityPrioritization)
    note("maxBracketedCapturePhotoCount", photos.maxBracketedCapturePhotoCount)
    note("isZeroShutterLagSupported", photos.isZeroShutterLagSupported)
    note("isZeroShutterLagEnabled", photos.isZeroShutterLagEnabled)
    note("isResponsiveCaptureSupported", photos.isResponsiveCaptureSupported)
    note("isResponsiveCaptureEnabled", photos.isResponsiveCaptureEnabled)
    note("isFastCapturePrioritizationSupported", photos.isFastCapturePrioritizationSupported)
    note("isFastCapturePrioritizationEnabled", photos.isFastCapturePrioritizationEnabled)
    note("isAutoDeferredPhotoDeliverySupported", photos.isAutoDeferredPhotoDeliverySupported)
    note("isAutoDeferredPhotoDeliveryEnabled", photos.isAutoDeferredPhotoDeliveryEnabled)
    note(
      "isVirtualDeviceConstituentPhotoDeliverySupported",
      photos.isVirtualDeviceConstituentPhotoDeliverySupported)
    note("isDepthDataDeliverySupported", photos.isDepthDataDeliverySupported)
    note("isLivePhotoCaptureSupported", photos.isLivePhotoCaptureSupported)
    note("isConstantColorSupported", photos.isConstantColorSupported)
    note("isAppleProRAWSupported", photos.isAppleProRAWSupported)
  }

  private mutating func ask(_ video: AVCaptureVideoDataOutput, _ metadata: AVCaptureMetadataOutput) {
    note("availableVideoPixelFormatTypes", video.availableVideoPixelFormatTypes)
    note("availableVideoCodecTypes", video.availableVideoCodecTypes)
    let width = video.recommendedVideoSettingsForAssetWriter(writingTo: .mov)?[AVVideoWidthKey]
    note("recommendedVideoSettings", width)
    note(
      "availableVideoCodecTypesForAssetWriter", video.availableVideoCodecTypesForAssetWriter(writingTo: .mov))
    note("availableMetadataObjectTypes", metadata.availableMetadataObjectTypes.map(\.rawValue))
  }

  private mutating func ask(_ session: AVCaptureSession, _ asked: Asked) {
    note("sessionPreset", session.sessionPreset.rawValue)
    note("hardwareCost", session.hardwareCost)
    note("connections", session.connections.count)
    let presets: [AVCaptureSession.Preset] = [.photo, .high, .vga640x480, .hd4K3840x2160]
    note("canSetSessionPreset", presets.map(session.canSetSessionPreset))
    for output in [asked.photos, asked.video, asked.depth, asked.metadata, asked.movie] as [AVCaptureOutput] {
      let name = "\(type(of: output))"
      note("\(name) canAddOutput", session.canAddOutput(output))
      for (index, connection) in output.connections.enumerated() {
        note("\(name) \(index) isActive", connection.isActive)
        note("\(name) \(index) isVideoStabilizationSupported", connection.isVideoStabilizationSupported)
        note("\(name) \(index) activeVideoStabilizationMode", connection.activeVideoStabilizationMode)
        note("\(name) \(index) isVideoRotationAngleSupported", connection.isVideoRotationAngleSupported(90))
        note("\(name) \(index) isVideoMirroringSupported", connection.isVideoMirroringSupported)
        note("\(name) \(index) videoMaxScaleAndCropFactor", connection.videoMaxScaleAndCropFactor)
        note(
          "\(name) \(index) isCameraIntrinsicMatrixDeliverySupported",
          connection.isCameraIntrinsicMatrixDeliverySupported)
        note("\(name) \(index) formatDescription", connection.inputPorts.first?.formatDescription)
      }
    }
  }
}
