package import AVFoundation
internal import CoreVideo
internal import Foundation

/// The settings of photos: format, quality, size and controls.
package struct PhotoPlan: Sendable {
  /// The format of a photo's file.
  package enum Format: String, CaseIterable, Sendable {
    case jpeg, heic, png
    /// The sensor's numbers, and no other picture.
    case dng

    /// The format that a file's extension names, or `nil`.
    package init?(fileExtension: String) {
      switch fileExtension.lowercased() {
      case "jpg", "jpeg": self = .jpeg
      case "heic", "heif": self = .heic
      case "png": self = .png
      case "dng": self = .dng
      default: return nil
      }
    }

    /// The extension that such a file gets.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
  }

  /// The quality of a photo: of its processing and of its file.
  package enum Quality: String, CaseIterable, Sendable {
    case speed, balanced, quality

    /// Apple's priority.
    package var prioritization: AVCapturePhotoOutput.QualityPrioritization {
      switch self {
      case .speed: .speed
      case .balanced: .balanced
      case .quality: .quality
      }
    }
  }

  /// The format of the file.
  package var format = Format.jpeg
  /// Whether the sensor's numbers come beside the photo.
  package var addsRaw = false
  /// The quality of the processing and of the file; raw pictures are of one frame whatever it is.
  package var quality = Quality.balanced
  /// The size.
  package var preset = FramePreset.photo
  /// Whether photos are as large as the camera can take them, each photosite of the sensor by itself, whatever the preset says.
  package var isLargest = false
  /// Whether several photos are taken in a row.
  package var isSeries = false
  /// Whether the time between photos matters more than the last bit of quality.
  package var hasInterval = false
  /// Whether exposure, focus and white balance need not have settled.
  package var isImmediate = false
  /// Whether a frame from before the press will do.
  package var takesPast = true
  /// Whether photos come with a short movie of the moments around them.
  package var isLive = false
  /// Whether photos hold a depth map of their moment.
  package var hasDepth = false
  /// The settings of the camera's controls.
  package var controls = PhotoControls()

  /// One photo as the camera takes it by itself.
  package init() {}

  /// Settings for one photo; each photo needs its own.
  /// - Throws: ``CameraTaskError/Code/formatNotSupported`` when this output cannot write the format.
  func settings(for output: AVCapturePhotoOutput) throws(CameraTaskError) -> AVCapturePhotoSettings {
    let processed = try processedFormat(for: output)
    let settings: AVCapturePhotoSettings
    if addsRaw || processed == nil {
      guard let raw = output.availableRawPhotoPixelFormatTypes.first else {
        throw CameraTaskError(
          .formatNotSupported,
          "This camera does not hand on its sensor's raw picture; leave --raw and dng out, or choose another camera with -d."
        )
      }
      settings = AVCapturePhotoSettings(rawPixelFormatType: raw, processedFormat: processed)
    } else {
      settings = AVCapturePhotoSettings(format: processed)
      settings.photoQualityPrioritization = quality.prioritization
    }
    settings.maxPhotoDimensions = output.maxPhotoDimensions
    if let flash = controls.flash { settings.flashMode = flash.mode }
    settings.isDepthDataDeliveryEnabled = hasDepth
    return settings
  }

  /// The format of the picture that is no raw one; `nil` where none is wanted.
  private func processedFormat(for output: AVCapturePhotoOutput) throws(CameraTaskError) -> [String: Any]? {
    switch format {
    case .dng: return nil
    case .jpeg, .heic:
      let codec: AVVideoCodecType = format == .jpeg ? .jpeg : .hevc
      guard output.availablePhotoCodecTypes.contains(codec) else {
        throw CameraTaskError(
          .formatNotSupported,
          "This camera's photos cannot be written as \(format.rawValue); try --format jpeg.")
      }
      return [AVVideoCodecKey: codec]
    case .png:
      let pixelFormat = kCVPixelFormatType_32BGRA
      guard output.availablePhotoPixelFormatTypes.contains(pixelFormat) else {
        throw CameraTaskError(
          .formatNotSupported, "This camera's photos cannot be had uncompressed for png; try --format jpeg.")
      }
      return [kCVPixelBufferPixelFormatTypeKey as String: pixelFormat]
    }
  }
}
