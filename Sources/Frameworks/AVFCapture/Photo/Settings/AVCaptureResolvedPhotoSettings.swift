public import CoreMedia
public import Foundation

/// The settings of a photo with every automatic choice decided.
///
/// The same object goes to each callback of one photo. Immutable and thread-safe.
///
/// Source: [AVCaptureResolvedPhotoSettings](https://developer.apple.com/documentation/avfoundation/avcaptureresolvedphotosettings).
open class AVCaptureResolvedPhotoSettings: NSObject, @unchecked Sendable {
  // Safe because everything is a constant.

  /// The `uniqueID` of the settings that asked for the photo.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.uniqueID`.
  public let uniqueID: Int64
  /// The photo's size in pixels, as the sensor lies; 0×0 if nothing can come, and for a raw picture alone.
  ///
  /// The orientation in the metadata turns it.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.photoDimensions`.
  public let photoDimensions: CMVideoDimensions
  /// The raw picture's size in pixels: all of the sensor; 0×0 when none was asked for.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.rawPhotoDimensions`.
  public let rawPhotoDimensions: CMVideoDimensions
  /// The preview image's size in pixels, or 0×0 when none was asked for.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.previewDimensions`.
  public let previewDimensions: CMVideoDimensions
  /// The size of the thumbnail inside the file, or 0×0 when none was asked for.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.embeddedThumbnailDimensions`.
  public let embeddedThumbnailDimensions: CMVideoDimensions
  /// The size of the thumbnail inside the raw picture's file, or 0×0 when none was asked for.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.rawEmbeddedThumbnailDimensions`.
  public let rawEmbeddedThumbnailDimensions: CMVideoDimensions
  /// The size in pixels of the Live Photo's movie, as the sensor lies, or 0×0 when none was asked for.
  ///
  /// The movie's matrix turns it.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.livePhotoMovieDimensions`.
  public let livePhotoMovieDimensions: CMVideoDimensions
  /// The size in pixels of the matte of people, or 0×0 when none was asked for.
  ///
  /// A photo without people has no matte.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.portraitEffectsMatteDimensions`.
  public let portraitEffectsMatteDimensions: CMVideoDimensions
  /// The size in pixels of the proxy that comes in place of the photo, or 0×0 for a photo that is finished at once.
  ///
  /// ``photoDimensions`` is then the size that the photo will have. The settings of a photo that was to be finished later, and
  /// then was finished at once because its frames could not be stored, say 0×0 in the callbacks that come with the photo.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.deferredPhotoProxyDimensions`.
  public let deferredPhotoProxyDimensions: CMVideoDimensions
  /// Whether the flash fires; decided at the press from the settings' `flashMode` and the scene's light.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.isFlashEnabled`.
  public let isFlashEnabled: Bool
  /// Whether eyes that the flash makes red become dark.
  ///
  /// Decided at the press: with flash, where the settings' `isAutoRedEyeReductionEnabled` and the output supports it.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.isRedEyeReductionEnabled`.
  public let isRedEyeReductionEnabled: Bool
  /// How often `photoOutput(_:didFinishProcessingPhoto:error:)` will be called: once, or once for each of a bracket, and twice as often where
  /// a processed picture comes beside each raw one.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.expectedPhotoCount`.
  public let expectedPhotoCount: Int
  /// How long processing may take from the end of the exposure, as a range of durations: from `start`, `duration` more.
  ///
  /// For a night photo, whose frames are exposed for longer than the stream's, it is counted from the beginning of the exposure.
  /// From what photos of this size, codec and prioritization took on this machine so far, those that are still before it
  /// included; before any was taken from the encoders' speed on one slow and on several fast cores.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.photoProcessingTimeRange`.
  public let photoProcessingTimeRange: CMTimeRange

  /// Whether the photo is processed with a lower prioritization than was asked for, to keep up with presses in a row.
  ///
  /// Decided at the press; `AVCapturePhotoOutput.isFastCapturePrioritizationEnabled` allows it.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.isFastCapturePrioritizationEnabled`.
  public let isFastCapturePrioritizationEnabled: Bool
  /// Whether the photo is made of several frames, as its file's `CompositeImage` says afterwards.
  ///
  /// Decided at the press from prioritization and light; fewer frames may serve when the camera goes meanwhile.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.isStillImageStabilizationEnabled`.
  public let isStillImageStabilizationEnabled: Bool
  /// Whether the pictures of two cameras under a virtual one are joined to this photo.
  ///
  /// Decided at the press; see `AVCapturePhotoOutput.isVirtualDeviceFusionSupported`. Where the two do not agree, as before things that are
  /// nearer than the longer lens can focus, the photo stays the one camera's.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.isVirtualDeviceFusionEnabled`.
  public let isVirtualDeviceFusionEnabled: Bool
  /// Whether heads at the edges become round where there are any.
  ///
  /// Decided at the press: see `AVCapturePhotoSettings.isAutoContentAwareDistortionCorrectionEnabled`.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.isContentAwareDistortionCorrectionEnabled`.
  public let isContentAwareDistortionCorrectionEnabled: Bool
  /// The older name of ``isVirtualDeviceFusionEnabled``.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.isDualCameraFusionEnabled`; deprecated there.
  public var isDualCameraFusionEnabled: Bool { isVirtualDeviceFusionEnabled }

  /// The size in pixels of a matte of a part of people: half of the photo's; 0×0 for one that was not asked for.
  ///
  /// Apple: `AVCaptureResolvedPhotoSettings.dimensionsForSemanticSegmentationMatte(ofType:)`.
  public func dimensionsForSemanticSegmentationMatte(
    ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
  ) -> CMVideoDimensions {
    partMattes.types.contains(semanticSegmentationMatteType)
      ? partMattes.size : CMVideoDimensions(width: 0, height: 0)
  }

  private let partMattes: (types: [AVSemanticSegmentationMatte.MatteType], size: CMVideoDimensions)

  package init(
    uniqueID: Int64, photo: CMVideoDimensions, preview: CMVideoDimensions, thumbnail: CMVideoDimensions,
    expectedPhotoCount: Int, processingTime: CMTimeRange, isFlashEnabled: Bool = false,
    isFastCapturePrioritizationEnabled: Bool = false, isFused: Bool = false,
    isOfTwoCameras: Bool = false,
    deferredPhotoProxy: CMVideoDimensions = CMVideoDimensions(width: 0, height: 0),
    raw: CMVideoDimensions = CMVideoDimensions(width: 0, height: 0),
    rawThumbnail: CMVideoDimensions = CMVideoDimensions(width: 0, height: 0),
    livePhotoMovie: CMVideoDimensions = CMVideoDimensions(width: 0, height: 0),
    portraitMatte: CMVideoDimensions = CMVideoDimensions(width: 0, height: 0),
    partMattes: (types: [AVSemanticSegmentationMatte.MatteType], size: CMVideoDimensions) = (
      [], CMVideoDimensions()
    ),
    reducesRedEyes: Bool = false,
    makesHeadsRound: Bool = false
  ) {
    self.uniqueID = uniqueID
    photoDimensions = photo
    previewDimensions = preview
    embeddedThumbnailDimensions = thumbnail
    deferredPhotoProxyDimensions = deferredPhotoProxy
    rawPhotoDimensions = raw
    rawEmbeddedThumbnailDimensions = rawThumbnail
    livePhotoMovieDimensions = livePhotoMovie
    portraitEffectsMatteDimensions = portraitMatte
    self.partMattes = partMattes
    isRedEyeReductionEnabled = reducesRedEyes
    isContentAwareDistortionCorrectionEnabled = makesHeadsRound
    self.isFlashEnabled = isFlashEnabled
    self.isFastCapturePrioritizationEnabled = isFastCapturePrioritizationEnabled
    isStillImageStabilizationEnabled = isFused
    isVirtualDeviceFusionEnabled = isOfTwoCameras
    self.expectedPhotoCount = expectedPhotoCount
    photoProcessingTimeRange = processingTime
    super.init()
  }

  /// The same, for a photo that is finished at once after all.
  func finishedAtOnce() -> AVCaptureResolvedPhotoSettings {
    AVCaptureResolvedPhotoSettings(
      uniqueID: uniqueID, photo: photoDimensions, preview: previewDimensions,
      thumbnail: embeddedThumbnailDimensions, expectedPhotoCount: expectedPhotoCount,
      processingTime: photoProcessingTimeRange, isFlashEnabled: isFlashEnabled,
      isFastCapturePrioritizationEnabled: isFastCapturePrioritizationEnabled,
      isFused: isStillImageStabilizationEnabled, isOfTwoCameras: isVirtualDeviceFusionEnabled,
      livePhotoMovie: livePhotoMovieDimensions)
  }
}
