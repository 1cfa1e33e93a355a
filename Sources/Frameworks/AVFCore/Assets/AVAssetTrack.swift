public import CoreMedia
public import Foundation
public import GraphicsCore
package import MediaFiles

/// One kind of media of an asset.
///
/// Immutable, thread-safe. Apple: `AVAssetTrack`.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  // Safe because nothing changes after `init`.

  /// The asset.
  ///
  /// Apple: `AVAssetTrack.asset`.
  public weak let asset: AVAsset?
  package let track: MovieFile.Track
  package let path: String

  init(_ asset: AVAsset, _ track: MovieFile.Track) {
    self.asset = asset
    self.track = track
    path = asset.file?.url.path ?? ""
  }

  /// The track's number in its file.
  ///
  /// Apple: `AVAssetTrack.trackID`.
  open var trackID: CMPersistentTrackID { CMPersistentTrackID(clamping: track.number) }

  /// What kind of media.
  ///
  /// Apple: `AVAssetTrack.mediaType`.
  open var mediaType: AVMediaType {
    switch track.mediaType {
    case kCMMediaType_Video: .video
    case kCMMediaType_Audio: .audio
    default: .metadata
    }
  }

  /// What the samples are: a `CMFormatDescription`, or none for codecs without a name here.
  ///
  /// Apple: `AVAssetTrack.formatDescriptions`.
  open var formatDescriptions: [Any] { track.format.map { [$0] } ?? [] }

  /// Whether a player could play it.
  ///
  /// Apple: `AVAssetTrack.isPlayable`.
  open var isPlayable: Bool { isDecodable }

  /// Whether there is a decoder for it.
  ///
  /// Apple: `AVAssetTrack.isDecodable`.
  open var isDecodable: Bool { TrackDecoders.isDecodable(track) }

  /// Whether players begin with it.
  ///
  /// Apple: `AVAssetTrack.isEnabled`.
  open var isEnabled: Bool { track.isEnabled }

  /// Whether all its samples are in its own file.
  ///
  /// Apple: `AVAssetTrack.isSelfContained`.
  open var isSelfContained: Bool { true }

  /// The bytes of all samples.
  ///
  /// Apple: `AVAssetTrack.totalSampleDataLength`.
  open var totalSampleDataLength: Int64 { Int64(track.byteCount) }

  /// When it is shown in the asset.
  ///
  /// Apple: `AVAssetTrack.timeRange`.
  open var timeRange: CMTimeRange { track.timeRange }

  /// Units of time in a second.
  ///
  /// Apple: `AVAssetTrack.naturalTimeScale`.
  open var naturalTimeScale: CMTimeScale { track.timescale }

  /// Bits in a second.
  ///
  /// Apple: `AVAssetTrack.estimatedDataRate`.
  open var estimatedDataRate: Float { Float(track.bitRate) }

  /// A language by ISO 639-2; `nil` when undetermined.
  ///
  /// Apple: `AVAssetTrack.languageCode`.
  open var languageCode: String? { track.language }

  /// A language by BCP 47; `nil` when undetermined.
  ///
  /// Apple: `AVAssetTrack.extendedLanguageTag`.
  open var extendedLanguageTag: String? { track.language }

  /// The size in which pictures are shown before ``preferredTransform`` turns them.
  ///
  /// Apple: `AVAssetTrack.naturalSize`.
  open var naturalSize: CGSize { track.size }

  /// How pictures are turned when they are shown.
  ///
  /// Apple: `AVAssetTrack.preferredTransform`.
  open var preferredTransform: CGAffineTransform { track.transform }

  /// The loudness at which it is played.
  ///
  /// Apple: `AVAssetTrack.preferredVolume`.
  open var preferredVolume: Float { 1 }

  /// Frames in a second, on average; of audio 0.
  ///
  /// Apple: `AVAssetTrack.nominalFrameRate`.
  open var nominalFrameRate: Float { mediaType == .video ? Float(track.rate) : 0 }

  /// The least time between two frames; invalid when unknown.
  ///
  /// Apple: `AVAssetTrack.minFrameDuration`.
  open var minFrameDuration: CMTime { track.minimumSampleDuration }

  /// Whether samples may be shown in another order than they are decoded.
  ///
  /// Apple: `AVAssetTrack.requiresFrameReordering`.
  open var requiresFrameReordering: Bool { track.mayReorder }
}
