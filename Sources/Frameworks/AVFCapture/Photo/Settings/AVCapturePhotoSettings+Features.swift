internal import Foundation

/// A client's settings of photo features that few photo outputs support.
///
/// They are kept so that they read back as on Apple's devices; a capture that asks for one that its output lacks ends as it does on a
/// device without it.
struct PhotoFeatureWishes: Sendable {
  var live = LivePhotoWishes()
  var deliversDepth = false
  var embedsDepth = true
  var filtersDepth = true
  var deliversPortraitMatte = false
  var embedsPortraitMatte = true
  var matteTypes: [AVSemanticSegmentationMatte.MatteType] = []
  var embedsMattes = true
  var deliversCalibration = false
  var correctsContentAware = false
  var reducesRedEyes = false
  var stabilizesStill = true
  var fusesVirtualDevice = true
  var takesBothCameras = false
  var hasConstantColor = false
  var deliversConstantColorFallback = false
  var suppressesShutterSound = false
}

extension AVCapturePhotoSettings {
  // MARK: Left to the output

  /// Whether red eyes are made dark in photos with flash; `false` at first, and ignored where the output's `isAutoRedEyeReductionSupported`
  /// is `false`.
  ///
  /// Faces are found in the developed photo; those without red eyes, and raw pictures, stay as they are. Cost: finding faces, some tenths of a
  /// second at 12 megapixels.
  ///
  /// Apple: `AVCapturePhotoSettings.isAutoRedEyeReductionEnabled`.
  public var isAutoRedEyeReductionEnabled: Bool {
    get { features.reducesRedEyes }
    set { features.reducesRedEyes = newValue }
  }

  /// Whether several exposures may be joined against a trembling hand; `true` at first, but not for brackets and raw pictures.
  ///
  /// With `false` a photo is of one frame whatever its ``photoQualityPrioritization``, of which it is the older spelling.
  ///
  /// Apple: `AVCapturePhotoSettings.isAutoStillImageStabilizationEnabled`.
  public var isAutoStillImageStabilizationEnabled: Bool {
    get { features.stabilizesStill }
    set { features.stabilizesStill = newValue }
  }

  /// Whether pictures of a virtual device's cameras may be joined; `true` at first, but not for brackets and raw pictures.
  ///
  /// The output decides at the press, see its `isVirtualDeviceFusionSupported`; the resolved settings have the decision.
  ///
  /// Apple: `AVCapturePhotoSettings.isAutoVirtualDeviceFusionEnabled`.
  public var isAutoVirtualDeviceFusionEnabled: Bool {
    get { features.fusesVirtualDevice }
    set { features.fusesVirtualDevice = newValue }
  }

  /// The older name of ``isAutoVirtualDeviceFusionEnabled``.
  ///
  /// Apple: `AVCapturePhotoSettings.isAutoDualCameraFusionEnabled`; deprecated there.
  public var isAutoDualCameraFusionEnabled: Bool {
    get { isAutoVirtualDeviceFusionEnabled }
    set { isAutoVirtualDeviceFusionEnabled = newValue }
  }

  /// Whether both cameras of a dual camera take the photo, instead of the one in use; `false` at first.
  ///
  /// As if ``virtualDeviceConstituentPhotoDeliveryEnabledDevices`` held both, the wide-angle camera first; cameras that it holds are
  /// preferred. `true` needs the output's `isDualCameraDualPhotoDeliveryEnabled`; else the capture is a programming mistake.
  ///
  /// Apple: `AVCapturePhotoSettings.isDualCameraDualPhotoDeliveryEnabled`; deprecated there.
  public var isDualCameraDualPhotoDeliveryEnabled: Bool {
    get { features.takesBothCameras }
    set { features.takesBothCameras = newValue }
  }

  /// Whether heads at the edges may be made round, which a wide lens draws too long; `false` at first.
  ///
  /// `true` needs the output's `isContentAwareDistortionCorrectionEnabled`; else the capture is a programming mistake. The output decides
  /// at the press, and the resolved settings have the decision: not for photos with depth, whose map shows heads as the lens does, nor
  /// for raw pictures, those of cameras under a virtual one that the client chose, and views that are too narrow. A photo that is corrected
  /// is finished at once. Cost: finding faces, some tenths of a second at 12 megapixels.
  ///
  /// Apple: `AVCapturePhotoSettings.isAutoContentAwareDistortionCorrectionEnabled`.
  public var isAutoContentAwareDistortionCorrectionEnabled: Bool {
    get { features.correctsContentAware }
    set { features.correctsContentAware = newValue }
  }

  /// Whether the photo is taken without the shutter sound; `false` at first.
  ///
  /// Nothing here plays one, so that photos are silent either way.
  ///
  /// Apple: `AVCapturePhotoSettings.isShutterSoundSuppressionEnabled`.
  public var isShutterSoundSuppressionEnabled: Bool {
    get { features.suppressesShutterSound }
    set { features.suppressesShutterSound = newValue }
  }

  // MARK: Asked for

  /// Whether depth comes with the photo, as `AVCapturePhoto.depthData`; `false` at first.
  ///
  /// `true` needs the output's `isDepthDataDeliveryEnabled`; else the capture is a programming mistake. The map is that of the photo's
  /// moment, or the nearest within a map's time; where none was measured then, there is none. Such a photo is finished at once.
  ///
  /// Apple: `AVCapturePhotoSettings.isDepthDataDeliveryEnabled`.
  public var isDepthDataDeliveryEnabled: Bool {
    get { features.deliversDepth }
    set { features.deliversDepth = newValue }
  }

  /// Whether depth that comes with the photo is written into its file, too; `true` at first, and ignored without depth.
  ///
  /// Apple: `AVCapturePhotoSettings.embedsDepthDataInPhoto`.
  public var embedsDepthDataInPhoto: Bool {
    get { features.embedsDepth }
    set { features.embedsDepth = newValue }
  }

  /// Whether holes of the depth are filled with what lies beside or behind them; `true` at first, and ignored without depth.
  ///
  /// Where it is `false`, unknown places are NaN in `AVCapturePhoto.depthData`; a file has no number for them, and gets them filled.
  ///
  /// Apple: `AVCapturePhotoSettings.isDepthDataFiltered`.
  public var isDepthDataFiltered: Bool {
    get { features.filtersDepth }
    set { features.filtersDepth = newValue }
  }

  /// Whether a matte of the people comes with the photo, as `AVCapturePhoto.portraitEffectsMatte`; `false` at first.
  ///
  /// `true` needs the output's `isPortraitEffectsMatteDeliveryEnabled` and ``isDepthDataDeliveryEnabled``; else the capture is a programming
  /// mistake. A photo without people has no matte.
  ///
  /// Apple: `AVCapturePhotoSettings.isPortraitEffectsMatteDeliveryEnabled`.
  public var isPortraitEffectsMatteDeliveryEnabled: Bool {
    get { features.deliversPortraitMatte }
    set { features.deliversPortraitMatte = newValue }
  }

  /// Whether the matte that comes with the photo is written into its file, too; `true` at first, and ignored without one.
  ///
  /// Apple: `AVCapturePhotoSettings.embedsPortraitEffectsMatteInPhoto`.
  public var embedsPortraitEffectsMatteInPhoto: Bool {
    get { features.embedsPortraitMatte }
    set { features.embedsPortraitMatte = newValue }
  }

  /// Which mattes of parts of people come with the photo; none at first.
  ///
  /// Each must be among the output's `enabledSemanticSegmentationMatteTypes`; else the capture is a programming mistake.
  ///
  /// Apple: `AVCapturePhotoSettings.enabledSemanticSegmentationMatteTypes`.
  public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] {
    get { features.matteTypes }
    set { features.matteTypes = newValue }
  }

  /// Whether mattes of parts of people are written into the photo's file, too; `true` at first, and ignored without any.
  ///
  /// Apple: `AVCapturePhotoSettings.embedsSemanticSegmentationMattesInPhoto`.
  public var embedsSemanticSegmentationMattesInPhoto: Bool {
    get { features.embedsMattes }
    set { features.embedsMattes = newValue }
  }

  /// Whether the camera's calibration comes with the photo, as `AVCapturePhoto.cameraCalibrationData`; `false` at first.
  ///
  /// `true` needs the output's `isCameraCalibrationDataDeliverySupported`, and two cameras or more in
  /// ``virtualDeviceConstituentPhotoDeliveryEnabledDevices``; else the capture is a programming mistake.
  ///
  /// Apple: `AVCapturePhotoSettings.isCameraCalibrationDataDeliveryEnabled`.
  public var isCameraCalibrationDataDeliveryEnabled: Bool {
    get { features.deliversCalibration }
    set { features.deliversCalibration = newValue }
  }

  /// Whether the colours are those under the flash's own white light, whatever light the scene has; `false` at first.
  ///
  /// `true` needs the output's `isConstantColorEnabled`, a ``flashMode`` other than `.off`, and a photo of one processed picture without a
  /// movie: neither a raw picture, a bracket, photos of chosen cameras under a virtual one, nor a Live Photo; else the capture is a
  /// programming mistake. The flash fires, and a second frame of the same exposure is taken without it: the photo is what the first has more
  /// in linear light, dark where the flash does not reach. A hand that shakes between the two is taken back; what moves by itself leaves edges. See
  /// `AVCapturePhoto.constantColorConfidenceMap`. Such a photo is finished at once. Cost: some 30 ns a pixel.
  ///
  /// Apple: `AVCapturePhotoSettings.isConstantColorEnabled`.
  public var isConstantColorEnabled: Bool {
    get { features.hasConstantColor }
    set { features.hasConstantColor = newValue }
  }

  /// Whether an ordinary photo with flash comes after one of constant colour; `false` at first, and ignored without such a one.
  ///
  /// It is of the same frame as the other, and also comes where the frame without flash was lost.
  ///
  /// Apple: `AVCapturePhotoSettings.isConstantColorFallbackPhotoDeliveryEnabled`.
  public var isConstantColorFallbackPhotoDeliveryEnabled: Bool {
    get { features.deliversConstantColorFallback }
    set { features.deliversConstantColorFallback = newValue }
  }
}
