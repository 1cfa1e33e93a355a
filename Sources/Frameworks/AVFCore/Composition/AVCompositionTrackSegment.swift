public import CoreMedia
public import Foundation

/// A part of a composition's track: a range of a file's track, or nothing.
///
/// Immutable. Apple: `AVCompositionTrackSegment`.
open class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
  // Safe because nothing changes after `init`.

  /// The file; `nil` for nothing.
  ///
  /// Apple: `AVCompositionTrackSegment.sourceURL`.
  public let sourceURL: URL?
  /// The number of the file's track.
  ///
  /// Apple: `AVCompositionTrackSegment.sourceTrackID`.
  public let sourceTrackID: CMPersistentTrackID

  /// A range of a file's track, shown in a range of the composition.
  ///
  /// Apple: `AVCompositionTrackSegment.init(url:trackID:sourceTimeRange:targetTimeRange:)`.
  public init(
    url URL: URL, trackID: CMPersistentTrackID, sourceTimeRange: CMTimeRange, targetTimeRange: CMTimeRange
  ) {
    sourceURL = URL
    sourceTrackID = trackID
    super.init(timeMapping: CMTimeMapping(source: sourceTimeRange, target: targetTimeRange))
  }

  /// A range of the composition in which nothing is shown.
  ///
  /// Apple: `AVCompositionTrackSegment.init(timeRange:)`.
  public init(timeRange: CMTimeRange) {
    sourceURL = nil
    sourceTrackID = kCMPersistentTrackID_Invalid
    super.init(timeMapping: CMTimeMapping(source: .invalid, target: timeRange))
  }
}
