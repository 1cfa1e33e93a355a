public import CoreMedia
public import Foundation
public import GraphicsCore
internal import FoundationExtras
internal import Linux

/// A track of a composition that can be edited.
///
/// Thread-safe. Apple: `AVMutableCompositionTrack`.
open class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// Whether players begin with it.
  ///
  /// Apple: `AVMutableCompositionTrack.isEnabled`.
  open override var isEnabled: Bool {
    get { super.isEnabled }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// Units of time in a second; 0 takes the first source's.
  ///
  /// Apple: `AVMutableCompositionTrack.naturalTimeScale`.
  open override var naturalTimeScale: CMTimeScale {
    get { super.naturalTimeScale }
    set { state.withLock { $0.timescale = newValue } }
  }

  /// A language by ISO 639-2.
  ///
  /// Apple: `AVMutableCompositionTrack.languageCode`.
  open override var languageCode: String? {
    get { super.languageCode }
    set { state.withLock { $0.languageCode = newValue } }
  }

  /// A language by BCP 47.
  ///
  /// Apple: `AVMutableCompositionTrack.extendedLanguageTag`.
  open override var extendedLanguageTag: String? {
    get { super.extendedLanguageTag }
    set { state.withLock { $0.extendedLanguageTag = newValue } }
  }

  /// How pictures are turned when they are shown; clients set it to the source's.
  ///
  /// Apple: `AVMutableCompositionTrack.preferredTransform`.
  open override var preferredTransform: CGAffineTransform {
    get { super.preferredTransform }
    set { state.withLock { $0.transform = newValue } }
  }

  /// The loudness at which it is played, from 0 to 1.
  ///
  /// Apple: `AVMutableCompositionTrack.preferredVolume`.
  open override var preferredVolume: Float {
    get { super.preferredVolume }
    set { state.withLock { $0.volume = newValue } }
  }

  /// Inserts a range of a track; what comes behind it moves.
  ///
  /// What the range has beyond the track's end is left out.
  ///
  /// - Parameter startTime: Where; beyond the end nothing is shown before it; an invalid time is the end.
  /// - Throws: ``AVError``: `invalidSourceMedia` for another kind of media or a track without any, `unknown` for a range that is
  ///   none.
  ///
  /// Apple: `AVMutableCompositionTrack.insertTimeRange(_:of:at:)`.
  open func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws {
    guard track.mediaType == mediaType else {
      throw AVError(
        .invalidSourceMedia,
        because:
          "A track of '\(track.mediaType.rawValue)' cannot be inserted into one of '\(mediaType.rawValue)'.")
    }
    guard timeRange.isValid, timeRange.start.isNumeric, timeRange.duration > .zero else {
      throw AVError(.unknown, because: "A range that is inserted needs a start and a duration.")
    }
    let cut = SegmentList.cut(SegmentList.of(track), to: timeRange)
    guard !cut.isEmpty else {
      throw AVError(.invalidSourceMedia, because: "The track has no media in the range.")
    }
    let duration = timeRange.duration.isNumeric ? timeRange.duration : cut.last?.target.end ?? .zero
    state.withLock { $0.list.insert(cut, lasting: duration, at: startTime) }
  }

  /// Inserts ranges of tracks, one behind the other.
  ///
  /// - Parameters:
  ///   - timeRanges: Each a `CMTimeRange`.
  ///   - tracks: As many.
  /// - Throws: As ``insertTimeRange(_:of:at:)``; nothing is inserted then.
  ///
  /// Apple: `AVMutableCompositionTrack.insertTimeRanges(_:of:at:)`.
  open func insertTimeRanges(_ timeRanges: [NSValue], of tracks: [AVAssetTrack], at startTime: CMTime) throws
  {
    let before = state.withLock { $0.list }
    var at = startTime.isNumeric ? startTime : before.end
    do {
      for (range, track) in zip(timeRanges.map(\.timeRangeValue), tracks) {
        try insertTimeRange(range, of: track, at: at)
        at = at + range.duration
      }
    } catch {
      state.withLock { $0.list = before }
      throw error
    }
  }

  /// Inserts a range in which nothing is shown; what comes behind it moves.
  ///
  /// Apple: `AVMutableCompositionTrack.insertEmptyTimeRange(_:)`.
  open func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    guard timeRange.isValid, timeRange.duration > .zero else { return }
    state.withLock { $0.list.insertEmpty(timeRange) }
  }

  /// Removes a range; what comes behind it moves.
  ///
  /// Apple: `AVMutableCompositionTrack.removeTimeRange(_:)`.
  open func removeTimeRange(_ timeRange: CMTimeRange) {
    guard timeRange.isValid, timeRange.duration > .zero else { return }
    state.withLock { $0.list.remove(timeRange) }
  }

  /// Makes a range faster or slower; what comes behind it moves.
  ///
  /// Apple: `AVMutableCompositionTrack.scaleTimeRange(_:toDuration:)`.
  open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    guard timeRange.isValid, timeRange.duration > .zero, duration.isNumeric, duration > .zero else {
      ProgrammingMistake.report(
        rule: "AVMutableCompositionTrack.scaleTimeRange needs a range and a duration above zero.")
      return
    }
    state.withLock { $0.list.scale(timeRange, to: duration) }
  }

  /// Whether segments follow each other and have media.
  ///
  /// - Throws: ``AVError``: `compositionTrackSegmentsNotContiguous`, `invalidCompositionTrackSegmentDuration`,
  ///   `invalidCompositionTrackSegmentSourceStartTime`.
  ///
  /// Apple: `AVMutableCompositionTrack.validateSegments(_:)`.
  open func validateSegments(_ trackSegments: [AVCompositionTrackSegment]) throws {
    var end = CMTime.zero
    for segment in trackSegments {
      let mapping = segment.timeMapping
      guard mapping.target.start == end else {
        throw AVError(
          .compositionTrackSegmentsNotContiguous,
          because: "A segment does not begin where the one before ends.")
      }
      guard mapping.target.duration.isNumeric, mapping.target.duration > .zero else {
        throw AVError(.invalidCompositionTrackSegmentDuration, because: "A segment has no duration.")
      }
      guard segment.isEmpty || (mapping.source.start.isNumeric && mapping.source.start >= .zero) else {
        throw AVError(
          .invalidCompositionTrackSegmentSourceStartTime, because: "A segment's media begins before zero.")
      }
      end = mapping.target.end
    }
  }

  /// The segments; setting them opens their files, and leaves out what cannot be read.
  ///
  /// Apple: `AVMutableCompositionTrack.segments`.
  open override var segments: [AVAssetTrackSegment] {
    get { super.segments }
    set {
      let wanted = newValue.compactMap { $0 as? AVCompositionTrackSegment }
      do {
        try validateSegments(wanted)
      } catch {
        ProgrammingMistake.report(rule: "AVMutableCompositionTrack.segments: \(error.localizedDescription)")
        return
      }
      let made = wanted.map { segment -> TrackSegment in
        let media = segment.sourceURL.flatMap { url in
          AVURLAsset(url: url).track(withTrackID: segment.sourceTrackID)?.mediaSegments.first?.media
        }
        let source = media == nil ? CMTimeRange.invalid : segment.timeMapping.source
        return TrackSegment(
          media: media, mapping: CMTimeMapping(source: source, target: segment.timeMapping.target))
      }
      state.withLock { $0.list = SegmentList(made) }
    }
  }
}
