internal import PhotoProcessing

extension AVCapturePhotoOutput {
  /// The weight of a photo's quality against the time that it takes.
  ///
  /// In little light, from ISO 400 on, a photo is fused of one, three or eight frames. Fusing *n* frames divides the noise by up to
  /// √*n*; where something moves, the frame of the press is used alone. The result is denoised and sharpened. With zero shutter lag,
  /// frames from before the press are used, and only `.quality` waits for more; without it, the photo takes so many exposures.
  /// EXIF's `SourceImageNumberOfCompositeImage` has the numbers of frames that were taken and merged.
  ///
  /// Fewer frames are taken when the camera has few buffers or memory is short. Photos with flash, brackets and photos of chosen
  /// cameras have one. With a camera that does not report its ISO, as most webcams, `.quality` takes eight frames in any light, and the
  /// others one.
  ///
  /// It changes also the quality that JPEG and HEIC are written with when the format names none: 0.85, 0.9 and 0.95 of 1; the
  /// lower, the sooner the file is written and the smaller it is.
  ///
  /// Source:
  /// [QualityPrioritization](https://developer.apple.com/documentation/avfoundation/avcapturephotooutput/qualityprioritization).
  public enum QualityPrioritization: Int, Sendable {
    /// The photo is ready as soon as it can be.
    case speed = 1
    /// Neither at the other's cost.
    case balanced = 2
    /// The best result, however long it takes.
    case quality = 3
  }
}

extension AVCapturePhotoSettings {
  /// How to weigh the photo's quality against the time it takes; `.balanced` at first, and `.speed` with a raw format, for a raw picture is of
  /// one frame: another value beside one is a programming mistake of the capture.
  ///
  /// What it changes here is said at `AVCapturePhotoOutput.QualityPrioritization`. May not be set above the output's
  /// `maxPhotoQualityPrioritization`; where it is left alone, an output that allows less gets what it allows.
  ///
  /// Apple: `AVCapturePhotoSettings.photoQualityPrioritization`.
  public var photoQualityPrioritization: AVCapturePhotoOutput.QualityPrioritization {
    get {
      prioritization.flatMap { .init(rawValue: $0.rawValue) }
        ?? (rawPhotoPixelFormatType == 0 ? .balanced : .speed)
    }
    set { prioritization = PhotoPrioritization(rawValue: newValue.rawValue) }
  }
}
