public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import MediaFiles

/// The kind of a segment.
///
/// Apple: `AVAssetSegmentType`.
public enum AVAssetSegmentType: Int, Sendable {
  /// The header, without which no other segment can be played.
  case initialization = 1
  /// Samples of a while, which a player can load by themselves.
  case separable = 2
}

/// A report of the tracks in a segment.
///
/// Immutable. Apple: `AVAssetSegmentReport`.
public final class AVAssetSegmentReport: NSObject, Sendable {
  /// The kind.
  ///
  /// Apple: `AVAssetSegmentReport.segmentType`.
  public let segmentType: AVAssetSegmentType
  /// One for each track that has samples in the segment; of the header, for each track.
  ///
  /// Apple: `AVAssetSegmentReport.trackReports`.
  public let trackReports: [AVAssetSegmentTrackReport]

  init(_ segment: MovieSegment) {
    segmentType = segment.isHeader ? .initialization : .separable
    trackReports = segment.tracks.map { AVAssetSegmentTrackReport($0) }
  }
}

/// A report of the samples that a segment holds of a track.
///
/// Immutable. Apple: `AVAssetSegmentTrackReport`.
public final class AVAssetSegmentTrackReport: NSObject, Sendable {
  /// The track, as the header numbers it.
  ///
  /// Apple: `AVAssetSegmentTrackReport.trackID`.
  public let trackID: CMPersistentTrackID
  /// The kind of media.
  ///
  /// Apple: `AVAssetSegmentTrackReport.mediaType`.
  public let mediaType: AVMediaType
  /// When the earliest sample is shown, in the samples' own time; invalid in the header.
  ///
  /// Apple: `AVAssetSegmentTrackReport.earliestPresentationTimeStamp`.
  public let earliestPresentationTimeStamp: CMTime
  /// How long the samples last; invalid in the header.
  ///
  /// Apple: `AVAssetSegmentTrackReport.duration`.
  public let duration: CMTime
  /// The first picture in the order of decoding; `nil` in the header, and for other media than video.
  ///
  /// Apple: `AVAssetSegmentTrackReport.firstVideoSampleInformation`.
  public let firstVideoSampleInformation: AVAssetSegmentReportSampleInformation?

  init(_ track: MovieSegment.Track) {
    trackID = CMPersistentTrackID(track.number)
    mediaType = AVMediaType(rawValue: FourCharacterCode(rawValue: track.mediaType).description)
    (earliestPresentationTimeStamp, duration) = (track.earliest, track.duration)
    let picture = track.mediaType == kCMMediaType_Video ? track.first : nil
    firstVideoSampleInformation = picture.map { AVAssetSegmentReportSampleInformation($0) }
  }
}

/// A sample of a segment.
///
/// Immutable. Apple: `AVAssetSegmentReportSampleInformation`.
public final class AVAssetSegmentReportSampleInformation: NSObject, Sendable {
  /// When it is shown.
  ///
  /// Apple: `AVAssetSegmentReportSampleInformation.presentationTimeStamp`.
  public let presentationTimeStamp: CMTime
  /// Where its bytes begin in the segment.
  ///
  /// Apple: `AVAssetSegmentReportSampleInformation.offset`.
  public let offset: Int
  /// How many bytes it has.
  ///
  /// Apple: `AVAssetSegmentReportSampleInformation.length`.
  public let length: Int
  /// Whether it can be decoded without others.
  ///
  /// Apple: `AVAssetSegmentReportSampleInformation.isSyncSample`.
  public let isSyncSample: Bool

  init(_ sample: MovieSegment.Sample) {
    presentationTimeStamp = sample.time
    (offset, length, isSyncSample) = (sample.offset, sample.length, sample.isKey)
  }
}
