public import CoreMedia
public import Foundation

/// A part of a track: which times of the media are shown when.
///
/// Immutable. Apple: `AVAssetTrackSegment`.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {  // Safe because nothing changes after `init`.
  /// From the media's times to the track's.
  ///
  /// Apple: `AVAssetTrackSegment.timeMapping`.
  public let timeMapping: CMTimeMapping

  init(timeMapping: CMTimeMapping) {
    self.timeMapping = timeMapping
  }

  /// Whether nothing is shown.
  ///
  /// Apple: `AVAssetTrackSegment.isEmpty`.
  open var isEmpty: Bool { !timeMapping.source.start.isValid }
}
