public import CoreMedia
public import Foundation
public import GraphicsCore
internal import MediaFiles

/// One kind of media of an asset.
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

  init(_ asset: AVAsset, _ track: MovieFile.Track) {
    self.asset = asset
    fileTrack = track
    path = asset.file?.url.path ?? ""
  }

  /// A track without a file of its own: all that says ``fileTrack`` is overridden.
  init(composedIn asset: AVAsset) {
    self.asset = asset
    fileTrack = nil
    path = ""
  }

  /// Which tracks belong to it, by their numbers.
  var references: [String: [Int]] { fileTrack?.references ?? [:] }

  /// Which media is read when, in the order of time: the way to a track's samples for all that read.
  var mediaSegments: [TrackSegment] {
    fileTrack.map { [TrackSegment(media: TrackSegment.Media(path: path, track: $0))] } ?? []
  }

  /// Which times of the media are shown when.
  ///
  /// Apple: `AVAssetTrack.segments`.
  open var segments: [AVAssetTrackSegment] {
    mediaSegments.map { segment in
      AVAssetTrackSegment(
        timeMapping: segment.mapping ?? CMTimeMapping(source: segment.target, target: segment.target))
    }
  }

  /// The segment that is shown at a time; at the end of the track the last one, `nil` beyond.
  ///
  /// Apple: `AVAssetTrack.segment(forTrackTime:)`.
  open func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
    let all = segments
    if let found = all.first(where: { $0.timeMapping.target.containsTime(trackTime) }) { return found }
    return all.last.flatMap { $0.timeMapping.target.end == trackTime ? $0 : nil }
  }

  /// The track's number in its file.
  ///
  /// Apple: `AVAssetTrack.trackID`.
  open var trackID: CMPersistentTrackID { CMPersistentTrackID(clamping: fileTrack?.number ?? 0) }

  /// What kind of media.
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

  /// What the samples are: a `CMFormatDescription`, or none for codecs without a name here.
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
