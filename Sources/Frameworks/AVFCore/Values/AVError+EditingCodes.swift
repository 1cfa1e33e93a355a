// Codes of editing and exporting.

extension AVError.Code {
  /// The export could not be finished.
  public static let exportFailed = AVError.Code(number: -11820)
  /// The media does not suit what is to be done with it.
  public static let invalidSourceMedia = AVError.Code(number: -11822)
  /// Segments of a composition's track do not follow each other.
  public static let compositionTrackSegmentsNotContiguous = AVError.Code(number: -11824)
  /// A segment has no duration.
  public static let invalidCompositionTrackSegmentDuration = AVError.Code(number: -11825)
  /// A segment begins where its media does not.
  public static let invalidCompositionTrackSegmentSourceStartTime = AVError.Code(number: -11826)
  /// This cannot be done with the asset.
  public static let operationNotSupportedForAsset = AVError.Code(number: -11838)
  /// The video composition is not right for the asset.
  public static let invalidVideoComposition = AVError.Code(number: -11841)
  /// The client has cancelled what was under way.
  public static let operationCancelled = AVError.Code(number: -11878)
}

extension AVError {
  /// The export could not be finished.
  public static var exportFailed: Code { .exportFailed }
  /// The media does not suit what is to be done with it.
  public static var invalidSourceMedia: Code { .invalidSourceMedia }
  /// Segments of a composition's track do not follow each other.
  public static var compositionTrackSegmentsNotContiguous: Code { .compositionTrackSegmentsNotContiguous }
  /// A segment has no duration.
  public static var invalidCompositionTrackSegmentDuration: Code { .invalidCompositionTrackSegmentDuration }
  /// A segment begins where its media does not.
  public static var invalidCompositionTrackSegmentSourceStartTime: Code {
    .invalidCompositionTrackSegmentSourceStartTime
  }
  /// This cannot be done with the asset.
  public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
  /// The video composition is not right for the asset.
  public static var invalidVideoComposition: Code { .invalidVideoComposition }
  /// The client has cancelled what was under way.
  public static var operationCancelled: Code { .operationCancelled }
}
