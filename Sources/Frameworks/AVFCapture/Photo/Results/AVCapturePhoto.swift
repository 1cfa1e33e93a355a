internal import AVFCore
package import CaptureDevice
public import CoreMedia
public import CoreVideo
public import Foundation
internal import FoundationExtras
public import GraphicsCore
internal import ImageIO
internal import StillCodecs
package import PhotoProcessing

/// A finished photo: its file, its picture, its metadata.
///
/// Pictures lie as the sensor sees them; the metadata's orientation says how to turn them. Immutable and thread-safe.
///
/// Source: [AVCapturePhoto](https://developer.apple.com/documentation/avfoundation/avcapturephoto).
open class AVCapturePhoto: NSObject, @unchecked Sendable {
  // Safe because everything is a constant, and the pixel buffers are not written to.

  let result: PhotoResult

  /// What the photo was to be.
  ///
  /// Apple: `AVCapturePhoto.resolvedSettings`.
  public let resolvedSettings: AVCaptureResolvedPhotoSettings
  /// Which photo of its request this is, from 1.
  ///
  /// Apple: `AVCapturePhoto.photoCount`.
  public let photoCount: Int
  /// When the exposure began, on the session's `synchronizationClock`; invalid for a photo that failed before.
  ///
  /// Apple: `AVCapturePhoto.timestamp`.
  public let timestamp: CMTime
  /// Whether this is the sensor's raw picture.
  ///
  /// Where a processed picture comes beside it, the raw one comes first.
  ///
  /// - Note: Apple does not say which of the two comes first; ask this property.
  ///
  /// Apple: `AVCapturePhoto.isRawPhoto`.
  public var isRawPhoto: Bool { result.isRaw }
  /// Whether this is the ordinary photo beside one of constant colour, which comes before it.
  ///
  /// Apple: `AVCapturePhoto.isConstantColorFallbackPhoto`.
  public var isConstantColorFallbackPhoto: Bool { result.isConstantColorFallback }
  /// Which of a bracket's exposures this is of, from 1; 0 if it is of no bracket.
  ///
  /// A raw picture and the processed one beside it are of one exposure.
  ///
  /// Apple: `AVCapturePhoto.sequenceCount`.
  public let sequenceCount: Int
  /// How this picture of a bracket was to be exposed: the object from the settings; `nil` if it is of no bracket.
  ///
  /// Apple: `AVCapturePhoto.bracketSettings`.
  public let bracketSettings: AVCaptureBracketedStillImageSettings?
  /// What kind of camera took the photo: of a virtual camera's photo, the one under it whose lens was in use.
  ///
  /// Apple: `AVCapturePhoto.sourceDeviceType`.
  public var sourceDeviceType: AVCaptureDevice.DeviceType? {
    result.sourceDeviceType.map(AVCaptureDevice.DeviceType.init(rawValue:))
  }

  package init(
    _ result: PhotoResult, resolvedSettings: AVCaptureResolvedPhotoSettings, photoCount: Int = 1,
    bracketSettings: AVCaptureBracketedStillImageSettings? = nil, sequenceCount: Int? = nil
  ) {
    self.result = result
    self.resolvedSettings = resolvedSettings
    self.photoCount = photoCount
    self.bracketSettings = bracketSettings
    self.sequenceCount = bracketSettings == nil ? 0 : sequenceCount ?? photoCount
    timestamp = result.timestamp
    super.init()
  }

  /// The uncompressed picture, when an uncompressed or a raw format was asked for; `nil` otherwise.
  ///
  /// Of a raw picture it holds the sensor's numbers as they were counted, in two bytes each, whatever bits they have: a
  /// `kCVPixelFormatType_14Bayer_…` names the order of the colours. The DNG file says which of them are black and white.
  ///
  /// - Note: Unlike AVFoundation, whose raw pictures have 14 bits, numbers of other sensors are not scaled to that.
  ///
  /// Apple: `AVCapturePhoto.pixelBuffer`.
  open var pixelBuffer: CVPixelBuffer? { result.pixelBuffer }

  /// The preview image, when one was asked for.
  ///
  /// Apple: `AVCapturePhoto.previewPixelBuffer`.
  open var previewPixelBuffer: CVPixelBuffer? { result.preview }

  /// The depth that was measured when the photo was exposed; `nil` unless it was asked for, and when the camera measured none then.
  ///
  /// It lies as the photo's pixels, and shows what they show, also where the photo is enlarged or cut; the metadata's orientation turns both
  /// (`applyingExifOrientation(_:)`). In the pixel format of the device's `activeDepthDataFormat`.
  ///
  /// Apple: `AVCapturePhoto.depthData`.
  open var depthData: AVDepthData? { result.depthData as? AVDepthData }

  /// The matte of the people in the photo; `nil` unless it was requested, without a person in the photo, or without a depth map of its moment.
  ///
  /// It lies as the photo's pixels, and shows what they show.
  ///
  /// Apple: `AVCapturePhoto.portraitEffectsMatte`.
  open var portraitEffectsMatte: AVPortraitEffectsMatte? { result.portraitMatte as? AVPortraitEffectsMatte }

  /// Where the photo shows a part of people; `nil` unless it was requested, and where the photo shows none of it.
  ///
  /// It lies as the photo's pixels, and shows what they show.
  ///
  /// Apple: `AVCapturePhoto.semanticSegmentationMatte(for:)`.
  open func semanticSegmentationMatte(
    for semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
  )
    -> AVSemanticSegmentationMatte?
  {
    result.partMattes.compactMap { $0 as? AVSemanticSegmentationMatte }
      .first { $0.matteType == semanticSegmentationMatteType }
  }

  /// With what camera the photo was made; `nil` unless that was asked for, and where nothing is known of its lens.
  ///
  /// Of the picture as it is stored, as large as the photo.
  ///
  /// Apple: `AVCapturePhoto.cameraCalibrationData`.
  open var cameraCalibrationData: AVCameraCalibrationData? { result.calibration as? AVCameraCalibrationData }

  /// How the thumbnail in the file is encoded, or `nil` when there is none.
  ///
  /// Apple: `AVCapturePhoto.embeddedThumbnailPhotoFormat`.
  open var embeddedThumbnailPhotoFormat: [String: Any]? {
    guard let size = result.thumbnailSize else { return nil }
    return [
      AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: NSNumber(value: size.width),
      AVVideoHeightKey: NSNumber(value: size.height),
    ]
  }

  /// What is known of the photo, in ImageIO's dictionaries: orientation, `{Exif}`, `{TIFF}`, and what the client added.
  ///
  /// ``FrameAttachments/sequenceNumber`` is in it, too.
  ///
  /// Apple: `AVCapturePhoto.metadata`.
  open var metadata: [String: Any] { result.metadata.properties }

  /// The device's own number of the frame that became the photo, or `nil` when there is no picture.
  ///
  /// Not in Apple's API; the same number as ``FrameAttachments/sequenceNumber``.
  public var frameSequenceNumber: UInt32? {
    LooseNumber.code(result.metadata.properties[FrameAttachments.sequenceNumber])
  }

  /// What the camera's controls stood at when the frame was exposed, or `nil` when there is no picture.
  package var controls: ControlState? { result.controls }

  /// When the photo passed the stages of its way; `nil` for one that failed.
  package var stages: PhotoStageTimes? { result.stages }

  /// The photo as the bytes of a file, with metadata and thumbnail: of a raw picture a DNG.
  ///
  /// The bytes were made when the photo was finished: costs nothing, and gives the same ones each time.
  ///
  /// - Returns: `nil` for an uncompressed photo, which has no file format, and for one that failed.
  ///
  /// Apple: `AVCapturePhoto.fileDataRepresentation()`.
  open func fileDataRepresentation() -> Data? { result.file }

  /// The photo as an image, not turned; decodes the file of a compressed photo, some 50 ms for 12 megapixels.
  ///
  /// - Returns: `nil` for a raw picture, of which a `CIRAWFilter` makes one.
  ///
  /// Apple: `AVCapturePhoto.cgImageRepresentation()`.
  open func cgImageRepresentation() -> CGImage? {
    if isRawPhoto { return nil }
    if let pixelBuffer { return Self.image(of: pixelBuffer) }
    guard let file = result.file, let source = CGImageSourceCreateWithData(file, nil) else { return nil }
    return CGImageSourceCreateImageAtIndex(source, 0, nil)
  }

  /// The preview as an image, not turned; `nil` when none was asked for.
  ///
  /// Apple: `AVCapturePhoto.previewCGImageRepresentation()`.
  open func previewCGImageRepresentation() -> CGImage? {
    previewPixelBuffer.flatMap(Self.image)
  }

  private static func image(of pixelBuffer: CVPixelBuffer) -> CGImage? {
    // Fails for pixel formats that cannot be converted, and no photo is in one of those.
    try? CGImage.make(of: pixelBuffer)
  }
}

extension AVCapturePhoto {
  /// What a stabilized lens did while the picture of a bracket was exposed: no camera here says so.
  ///
  /// Apple: `AVCapturePhoto.lensStabilizationStatus`.
  public var lensStabilizationStatus: AVCaptureDevice.LensStabilizationStatus { .unsupported }
}
