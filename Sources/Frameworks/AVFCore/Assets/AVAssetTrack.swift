public import CoreMedia
public import Foundation
public import GraphicsCore
internal import MediaFiles

/// A track of an asset, with one kind of media.
///
/// Immutable, thread-safe. Apple: `AVAssetTrack`.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  // Safe because nothing changes after `init`.

  /// The asset.
  ///
  /// Apple: `AVAssetTrack.asset`.
  public weak let asset: AVAsset?
  /// The file's track; `nil` for one of a composition, which has its facts from its segments.
  private let fileTrack: MovieFile.Track?
  private let path: String
  /// From when on the file lacks samples, because it was cut; `nil` when all are there.
  private let missingFrom: CMTime?

  init(_ asset: AVAsset, _ track: MovieFile.Track) {
    self.asset = asset
    fileTrack = track
    path = asset.file?.url.path ?? ""
    missingFrom = asset.movie?.missingFrom
  }

  /// A track without a file of its own: all that says ``fileTrack`` is overridden.
  init(composedIn asset: AVAsset) {
    self.asset = asset
    fileTrack = nil
    path = ""
    missingFrom = nil
  }

  /// Which tracks belong to it, by their numbers.
  var references: [String: [Int]] { fileTrack?.references ?? [:] }

  /// Which media is read when, in the order of time: the way to a track's samples for all that read.
  var mediaSegments: [TrackSegment] {
    fileTrack.map {
      [TrackSegment(media: TrackSegment.Media(path: path, track: $0, missingFrom: missingFrom))]
    } ?? []
  }

  /// Which times of the media are shown when: the parts of the file's edit list, also the empty ones, or one of all that is shown.
  ///
  /// Apple: `AVAssetTrack.segments`.
  open var segments: [AVAssetTrackSegment] {
    let whole = CMTimeMapping(source: timeRange, target: timeRange)
    let mappings = fileTrack.map { $0.mappings.isEmpty ? [whole] : $0.mappings } ?? []
    return mappings.map(AVAssetTrackSegment.init(timeMapping:))
  }

  /// The segment that is shown at a time; at the end of the track the last one, `nil` beyond.
  ///
  /// Apple: `AVAssetTrack.segment(forTrackTime:)`.
  open func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
    let all = segments
    if let found = all.first(where: { $0.timeMapping.target.containsTime(trackTime) }) { return found }
    return all.last.flatMap { $0.timeMapping.target.end == trackTime ? $0 : nil }
  }

  /// Which time of the media is shown at a time of the track; invalid where nothing is, and beyond the end.
  ///
  /// Apple: `AVAssetTrack.samplePresentationTime(forTrackTime:)`.
  open func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime {
    guard let segment = segment(forTrackTime: trackTime), !segment.isEmpty else { return .invalid }
    let mapping = segment.timeMapping
    return CMTimeMapTimeFromRangeToRange(trackTime, fromRange: mapping.target, toRange: mapping.source)
  }

  /// The track's number in its file.
  ///
  /// Apple: `AVAssetTrack.trackID`.
  open var trackID: CMPersistentTrackID { CMPersistentTrackID(clamping: fileTrack?.number ?? 0) }

  /// The kind of media.
  ///
  /// Apple: `AVAssetTrack.mediaType`.
  open var mediaType: AVMediaType {
    switch fileTrack?.mediaType {
    case kCMMediaType_Video: .video
    case kCMMediaType_Audio: .audio
    case kCMMediaType_TimeCode: .timecode
    default: .metadata
    }
  }

  /// The descriptions of the samples: a `CMFormatDescription`, or none for codecs without a name here.
  ///
  /// Apple: `AVAssetTrack.formatDescriptions`.
  open var formatDescriptions: [Any] { fileTrack?.format.map { [$0] } ?? [] }

  /// Whether a player could play it.
  ///
  /// Apple: `AVAssetTrack.isPlayable`.
  open var isPlayable: Bool { isDecodable }

  /// Whether there is a decoder for it.
  ///
  /// Apple: `AVAssetTrack.isDecodable`.
  open var isDecodable: Bool { fileTrack.map(TrackDecoders.isDecodable) ?? false }

  /// Whether players begin with it.
  ///
  /// Apple: `AVAssetTrack.isEnabled`.
  open var isEnabled: Bool { fileTrack?.isEnabled ?? true }

  /// Whether all its samples are in its own file.
  ///
  /// Apple: `AVAssetTrack.isSelfContained`.
  open var isSelfContained: Bool { true }

  /// The bytes of all samples.
  ///
  /// Apple: `AVAssetTrack.totalSampleDataLength`.
  open var totalSampleDataLength: Int64 { Int64(fileTrack?.byteCount ?? 0) }

  /// When it is shown in the asset.
  ///
  /// Apple: `AVAssetTrack.timeRange`.
  open var timeRange: CMTimeRange { fileTrack?.timeRange ?? .invalid }

  /// Units of time in a second.
  ///
  /// Apple: `AVAssetTrack.naturalTimeScale`.
  open var naturalTimeScale: CMTimeScale { fileTrack?.timescale ?? 600 }

  /// Bits in a second.
  ///
  /// Apple: `AVAssetTrack.estimatedDataRate`.
  open var estimatedDataRate: Float { Float(fileTrack?.bitRate ?? 0) }

  /// A language by ISO 639-2; `nil` when undetermined.
  ///
  /// Apple: `AVAssetTrack.languageCode`.
  open var languageCode: String? { fileTrack?.language }

  /// A language by BCP 47; `nil` when undetermined.
  ///
  /// Apple: `AVAssetTrack.extendedLanguageTag`.
  open var extendedLanguageTag: String? { fileTrack?.language }

  /// The size in which pictures are shown before ``preferredTransform`` turns them.
  ///
  /// Apple: `AVAssetTrack.naturalSize`.
  open var naturalSize: CGSize { fileTrack?.size ?? .zero }

  /// How pictures are turned when they are shown.
  ///
  /// Apple: `AVAssetTrack.preferredTransform`.
  open var preferredTransform: CGAffineTransform { fileTrack?.transform ?? .identity }

  /// The loudness at which it is played.
  ///
  /// Apple: `AVAssetTrack.preferredVolume`.
  open var preferredVolume: Float { 1 }

  /// Frames in a second, on average; of audio 0.
  ///
  /// Apple: `AVAssetTrack.nominalFrameRate`.
  open var nominalFrameRate: Float { mediaType == .video ? Float(fileTrack?.rate ?? 0) : 0 }

  /// The least time between two frames; invalid when unknown.
  ///
  /// Apple: `AVAssetTrack.minFrameDuration`.
  open var minFrameDuration: CMTime { fileTrack?.minimumSampleDuration ?? .invalid }

  /// Whether samples may be shown in another order than they are decoded.
  ///
  /// Apple: `AVAssetTrack.requiresFrameReordering`.
  open var requiresFrameReordering: Bool { fileTrack?.mayReorder ?? false }
}
