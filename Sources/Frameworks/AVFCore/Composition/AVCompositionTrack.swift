public import CoreMedia
public import Foundation
public import GraphicsCore
internal import Linux
internal import MediaFiles

/// A track of a composition: ranges of tracks of files, one after the other.
///
/// Thread-safe. Apple: `AVCompositionTrack`.
open class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {  // Safe: changes are under a lock.
  struct State: Sendable {
    var list = SegmentList()
    var isEnabled = true
    var timescale: CMTimeScale = 0
    var languageCode: String?
    var extendedLanguageTag: String?
    var transform: CGAffineTransform?
    var volume: Float = 1
  }

  private let number: CMPersistentTrackID
  private let kind: AVMediaType
  let state: Locked<State>

  init(_ asset: AVComposition, _ mediaType: AVMediaType, _ number: CMPersistentTrackID, _ state: State) {
    self.number = number
    kind = mediaType
    self.state = Locked(state)
    super.init(composedIn: asset)
  }

  override var mediaSegments: [TrackSegment] { state.withLock { $0.list.segments } }

  /// The tracks of files of which ranges are shown.
  private var sources: [MovieFile.Track] { mediaSegments.compactMap { $0.media?.track } }

  open override var segments: [AVAssetTrackSegment] {
    mediaSegments.map { segment in
      guard let media = segment.media, let mapping = segment.mapping else {
        return AVCompositionTrackSegment(timeRange: segment.target)
      }
      return AVCompositionTrackSegment(
        url: URL(fileURLWithPath: media.path), trackID: CMPersistentTrackID(clamping: media.track.number),
        sourceTimeRange: mapping.source, targetTimeRange: mapping.target)
    }
  }

  open override var trackID: CMPersistentTrackID { number }
  open override var mediaType: AVMediaType { kind }
  open override var formatDescriptions: [Any] {
    var formats: [CMFormatDescription] = []
    for source in sources {
      if let format = source.format, !formats.contains(where: { $0 === format }) { formats.append(format) }
    }
    return formats
  }
  open override var isDecodable: Bool { !sources.isEmpty && sources.allSatisfy(TrackDecoders.isDecodable) }
  open override var isEnabled: Bool { state.withLock { $0.isEnabled } }
  open override var isSelfContained: Bool { false }
  open override var totalSampleDataLength: Int64 {
    mediaSegments.reduce(0) { $0 + Int64(($1.media?.track.bitRate ?? 0) / 8 * $1.target.duration.seconds) }
  }
  open override var timeRange: CMTimeRange { CMTimeRange(start: .zero, end: state.withLock { $0.list.end }) }
  open override var naturalTimeScale: CMTimeScale {
    let set = state.withLock { $0.timescale }
    return set > 0 ? set : sources.first?.timescale ?? 600
  }
  open override var estimatedDataRate: Float {
    let seconds = timeRange.duration.seconds
    return seconds > 0 ? Float(Double(totalSampleDataLength) * 8 / seconds) : 0
  }
  open override var languageCode: String? { state.withLock { $0.languageCode } }
  open override var extendedLanguageTag: String? { state.withLock { $0.extendedLanguageTag } }
  open override var naturalSize: CGSize { sources.first?.size ?? .zero }
  /// How pictures are turned; the identity unless it was set.
  open override var preferredTransform: CGAffineTransform { state.withLock { $0.transform } ?? .identity }
  open override var preferredVolume: Float { state.withLock { $0.volume } }
  open override var nominalFrameRate: Float {
    kind == .video ? Float(sources.first?.rate ?? 0) : 0
  }
  open override var minFrameDuration: CMTime {
    sources.map(\.minimumSampleDuration).filter(\.isNumeric).min() ?? .invalid
  }
  open override var requiresFrameReordering: Bool { sources.contains(where: \.mayReorder) }
}
