internal import CaptureDevice
internal import CoreMedia
internal import PhotoProcessing

extension PhotoOrder {
  /// Whether the photo shows each photosite of a sensor that otherwise adds them in fours.
  var readsAllPhotosites: Bool { source.plan.stream.format.fullStillSizes.contains(capture.size) }
}

extension AVCapturePhotoOutput {
  /// The largest still of the running format within `dimensions`, or its smallest when all are larger.
  func stillSize(
    within dimensions: CMVideoDimensions, of source: StillSource, readsAllPhotosites: Bool
  ) -> FrameSize {
    let format = source.plan.stream.format
    let sizes = format.stillSizes + (readsAllPhotosites ? format.fullStillSizes : [])
    let fitting = sizes.last { $0.width <= Int(dimensions.width) && $0.height <= Int(dimensions.height) }
    return fitting ?? sizes.first ?? format.size
  }

  /// Whether a photo of one exposure gains by all photosites.
  ///
  /// Not where a zoom leaves no more of them in view than a photo has pixels anyway, and not in the dark, where added photosites and
  /// several frames show more than one frame of single ones; a flash lights a single frame enough.
  ///
  /// - Parameter enlargement: By how much the photo is enlarged beside the camera's zoom.
  func canReadAllPhotosites(
    _ settings: AVCapturePhotoSettings, _ prioritization: PhotoPrioritization, _ source: StillSource,
    isFlashing: Bool, enlargement: Double
  ) -> Bool {
    let format = source.plan.stream.format
    guard let full = format.fullStillSizes.last, let usual = format.stillSizes.last else { return false }
    let controls = source.device.driver.controlState
    let isFused =
      prioritization != .speed && settings.isAutoStillImageStabilizationEnabled && !isFlashing
      && BurstPlan.isDim(controls)
    return controls.zoom * enlargement * Double(usual.width) < Double(full.width) && !isFused
  }

  /// Whether settings ask for more than a sensor shows whose photosites are added in fours.
  func asksForAllPhotosites(_ settings: AVCapturePhotoSettings) -> Bool {
    let sizes = videoFormat?.streamFormat?.fullStillSizes ?? []
    return !settings.isHighResolutionPhotoEnabled
      && sizes.contains { CMVideoDimensions($0).isEqual(to: settings.maxPhotoDimensions) }
  }
}
