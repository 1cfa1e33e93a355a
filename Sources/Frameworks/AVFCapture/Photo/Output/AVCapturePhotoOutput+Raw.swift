public import AVFCore
internal import CaptureDevice
internal import CoreVideo
internal import Dispatch
internal import Foundation
public import FoundationExtras
internal import PhotoProcessing

// Raw pictures: what the sensor counted behind its filter of red, green and blue, before anything is made of it.
extension AVCapturePhotoOutput {
  /// Raw pixel formats for photos: the one in which the sensor of the camera's active format counts; none without a camera, and where its
  /// sensor's numbers cannot be had.
  ///
  /// Virtual devices have none: what several lenses make of a view, no one sensor sees.
  ///
  /// Observable.
  ///
  /// - Note: Apple does not say which devices have them; here the simulated phone's cameras do, and USB cameras that send such numbers.
  ///
  /// Apple: `AVCapturePhotoOutput.availableRawPhotoPixelFormatTypes`.
  public var availableRawPhotoPixelFormatTypes: [OSType] {
    observerTable.access(\AVCapturePhotoOutput.availableRawPhotoPixelFormatTypes)
    return rawPixelFormats
  }

  /// The files that raw pictures can be written as: DNG, or none where there are no raw pictures.
  ///
  /// Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.availableRawPhotoFileTypes`.
  public var availableRawPhotoFileTypes: [AVFileType] {
    observerTable.access(\AVCapturePhotoOutput.availableRawPhotoFileTypes)
    return rawPixelFormats.isEmpty ? [] : [.dng]
  }

  /// The raw pixel formats that a file of the given type can hold.
  ///
  /// Apple: `AVCapturePhotoOutput.supportedRawPhotoPixelFormatTypes(for:)`.
  public func supportedRawPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] {
    fileType == .dng ? rawPixelFormats : []
  }

  /// The codecs by which raw pictures can be compressed: none, a DNG here holds the sensor's numbers as they are.
  ///
  /// Apple: `AVCapturePhotoOutput.availableRawPhotoCodecTypes`.
  public var availableRawPhotoCodecTypes: [AVVideoCodecType] { [] }

  /// The codecs by which raw pictures of a format can be compressed in a file of a type: none.
  ///
  /// Apple: `AVCapturePhotoOutput.supportedRawPhotoCodecTypes(forRawPhotoPixelFormatType:fileType:)`.
  public func supportedRawPhotoCodecTypes(
    forRawPhotoPixelFormatType pixelFormatType: OSType, fileType: AVFileType
  ) -> [AVVideoCodecType] { [] }

  /// Whether a pixel format is a raw one as a sensor with a colour filter gives it.
  ///
  /// Apple: `AVCapturePhotoOutput.isBayerRAWPixelFormat(_:)`.
  public static func isBayerRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
    [
      kCVPixelFormatType_14Bayer_GRBG, kCVPixelFormatType_14Bayer_RGGB, kCVPixelFormatType_14Bayer_BGGR,
      kCVPixelFormatType_14Bayer_GBRG,
    ].contains(pixelFormat)
  }

  /// Whether a pixel format is that of Apple ProRAW: three linear colours and alpha in 16 bits each.
  ///
  /// Apple: `AVCapturePhotoOutput.isAppleProRAWPixelFormat(_:)`.
  public static func isAppleProRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
    pixelFormat == kCVPixelFormatType_64RGBALE
  }

  private var rawPixelFormats: [OSType] {
    videoDevice?.activeFormat.streamFormat?.rawFormat.map { [$0.layout.pixelFormat] } ?? []
  }

  /// Notifies observers of what the session's present plan changes.
  func tellRaw() {
    rawFormats.review {
      rawPixelFormats
    } notify: { old, new in
      guard observerTable.count > 0 else { return }
      callbackQueue.carry { [weak self] in
        guard let self else { return }
        observerTable.changed(
          \AVCapturePhotoOutput.availableRawPhotoPixelFormatTypes, of: self, from: old, to: new)
        if old.isEmpty != new.isEmpty {
          observerTable.changed(
            \AVCapturePhotoOutput.availableRawPhotoFileTypes, of: self, from: old.isEmpty ? [] : [.dng],
            to: new.isEmpty ? [] : [.dng])
        }
      }
    }
  }

  /// Checks the raw half of settings by Apple's rules; `nil` for settings without one.
  func checkRaw(
    _ settings: AVCapturePhotoSettings, _ connection: AVCaptureConnection
  ) throws(Refusal) -> RawPhotoRequest? {
    let format = settings.rawPhotoPixelFormatType
    guard format != 0 else {
      guard settings.rawEmbeddedThumbnailPhotoFormat == nil else {
        throw .mistake("rawEmbeddedThumbnailPhotoFormat needs a rawPhotoPixelFormatType.")
      }
      return nil
    }
    guard rawPixelFormats.contains(format) else {
      throw .mistake(
        "rawPhotoPixelFormatType must be one of the photo output's availableRawPhotoPixelFormatTypes.")
    }
    if let type = settings.rawFileType, !supportedRawPhotoPixelFormatTypes(for: type).contains(format) {
      throw .mistake(
        "rawFileType \(type.rawValue) cannot hold the raw picture; choose one of the photo output's availableRawPhotoFileTypes."
      )
    }
    guard settings.photoQualityPrioritization == .speed, !settings.isAutoStillImageStabilizationEnabled else {
      throw .mistake(
        "A raw picture is of one frame: leave photoQualityPrioritization at .speed and isAutoStillImageStabilizationEnabled at false."
      )
    }
    guard settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty else {
      throw .mistake("Cameras under a virtual device that are chosen for a photo give no raw pictures.")
    }
    guard connection.settings.enlargement == 1, videoDevice.map({ $0.videoZoomFactor == 1 }) ?? true else {
      throw .mistake(
        "A raw picture is all that the sensor sees: set the device's videoZoomFactor and the connection's videoScaleAndCropFactor to 1."
      )
    }
    return RawPhotoRequest(isAlone: settings.format == nil, thumbnail: try checkRawThumbnail(settings))
  }

  private func checkRawThumbnail(_ settings: AVCapturePhotoSettings) throws(Refusal) -> PhotoThumbnailRequest?
  {
    guard let format = settings.rawEmbeddedThumbnailPhotoFormat else { return nil }
    guard let thumbnail = PhotoThumbnailRequest(format: format) else {
      throw .mistake(
        "rawEmbeddedThumbnailPhotoFormat names one of availableRawEmbeddedThumbnailPhotoCodecTypes; given was \(format)."
      )
    }
    return thumbnail
  }
}

extension AVCapturePhotoSettings {
  /// The format of the thumbnail inside the raw picture's file, or `nil` for the preview that its writer chooses.
  ///
  /// `AVVideoCodecKey` names one of ``availableRawEmbeddedThumbnailPhotoCodecTypes``; the keys `AVVideoWidthKey` and `AVVideoHeightKey` bound
  /// the picture, up to its full size. Without them it is at most 160×160.
  ///
  /// - Note: Unlike AVFoundation, a file for which none was asked has a preview of at most 1024 pixels: without it programs that develop
  ///   nothing could not show the file.
  ///
  /// Apple: `AVCapturePhotoSettings.rawEmbeddedThumbnailPhotoFormat`.
  public var rawEmbeddedThumbnailPhotoFormat: [String: Any]? {
    get { rawThumbnail }
    set { rawThumbnail = newValue }
  }

  /// Codecs for ``rawEmbeddedThumbnailPhotoFormat``: JPEG, or none without a raw picture.
  ///
  /// Apple: `AVCapturePhotoSettings.availableRawEmbeddedThumbnailPhotoCodecTypes`.
  public var availableRawEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] {
    rawPhotoPixelFormatType == 0 ? [] : [.jpeg]
  }
}
