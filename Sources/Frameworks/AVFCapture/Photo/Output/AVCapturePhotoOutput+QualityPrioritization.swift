internal import PhotoProcessing

extension AVCapturePhotoOutput {
  /// How to weigh a photo's quality against the time it takes.
  ///
  /// What it changes here is the quality that JPEG and HEIC are written with when the format names none: 0.85, 0.9 and
  /// 0.95 of 1; the lower, the sooner the file is written and the smaller it is.
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
  /// How to weigh the photo's quality against the time it takes; `.balanced` at first.
  ///
  /// What it changes here is said at `AVCapturePhotoOutput.QualityPrioritization`. May not be set above the output's
  /// `maxPhotoQualityPrioritization`; where it is left alone, an output that allows less gets what it allows.
  ///
  /// Apple: `AVCapturePhotoSettings.photoQualityPrioritization`.
  public var photoQualityPrioritization: AVCapturePhotoOutput.QualityPrioritization {
    get { prioritization.flatMap { .init(rawValue: $0.rawValue) } ?? .balanced }
    set { prioritization = PhotoPrioritization(rawValue: newValue.rawValue) }
  }
}
