public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

/// A composition that can be edited.
///
/// Readers and players that have begun go on with what it was then. Thread-safe. Apple: `AVMutableComposition`.
open class AVMutableComposition: AVComposition, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// An empty composition.
  ///
  /// Apple: `AVMutableComposition.init()`.
  public override init() { super.init() }

  /// The size in which it is shown; that of the first track of pictures until it is set.
  ///
  /// Apple: `AVMutableComposition.naturalSize`.
  open override var naturalSize: CGSize {
    get { super.naturalSize }
    set { contents.withLock { $0.size = newValue } }
  }

  /// The tracks, which can be edited.
  ///
  /// Apple: `AVMutableComposition.tracks`.
  @_nonoverride public var tracks: [AVMutableCompositionTrack] { mutableTracks }

  /// The tracks of a kind, which can be edited.
  ///
  /// Apple: `AVAsset.tracks(withMediaType:)`.
  @_nonoverride public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableCompositionTrack] {
    mutableTracks.filter { $0.mediaType == mediaType }
  }

  /// The track with a number.
  ///
  /// Apple: `AVMutableComposition.track(withTrackID:)`.
  open override func track(withTrackID trackID: CMPersistentTrackID) -> AVMutableCompositionTrack? {
    mutableTracks.first { $0.trackID == trackID }
  }

  /// Adds a track without media.
  ///
  /// - Parameter preferredTrackID: Its number, where no other track has it; `kCMPersistentTrackID_Invalid` takes a free one.
  /// - Returns: `nil` for media that no composition holds.
  ///
  /// Apple: `AVMutableComposition.addMutableTrack(withMediaType:preferredTrackID:)`.
  @discardableResult
  open func addMutableTrack(
    withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID
  ) -> AVMutableCompositionTrack? {
    guard [.video, .audio, .metadata].contains(mediaType) else { return nil }
    return contents.withLock { contents in
      let taken = Set(contents.tracks.map(\.trackID))
      var number = preferredTrackID
      if number == kCMPersistentTrackID_Invalid || taken.contains(number) {
        number = (taken.max() ?? 0) + 1
      }
      let track = AVMutableCompositionTrack(self, mediaType, number, AVCompositionTrack.State())
      contents.tracks.append(track)
      return track
    }
  }

  /// Removes a track.
  ///
  /// Apple: `AVMutableComposition.removeTrack(_:)`.
  open func removeTrack(_ track: AVCompositionTrack) {
    let removed = contents.withLock { contents -> [AVCompositionTrack] in
      let removed = contents.tracks.filter { $0 === track }
      contents.tracks.removeAll { $0 === track }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// A track into which all of another can be inserted; `nil` when there is none.
  ///
  /// Apple: `AVMutableComposition.mutableTrack(compatibleWith:)`.
  open func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? {
    mutableTracks.first { candidate in
      guard candidate.mediaType == track.mediaType else { return false }
      guard let own = candidate.formatDescriptions.first as? CMFormatDescription,
        let other = track.formatDescriptions.first as? CMFormatDescription
      else { return true }
      return CMFormatDescriptionGetMediaSubType(own) == CMFormatDescriptionGetMediaSubType(other)
        && candidate.naturalSize == track.naturalSize
    }
  }

  private var mutableTracks: [AVMutableCompositionTrack] {
    composedTracks.compactMap { $0 as? AVMutableCompositionTrack }
  }

  /// Inserts a range of all tracks of an asset, and makes tracks for those that have none.
  ///
  /// - Throws: ``AVError`` when the asset cannot be read or has no media in the range; an error of `NSURLErrorDomain`, -1100, when
  ///   its file is not there.
  ///
  /// Apple: `AVMutableComposition.insertTimeRange(_:of:at:)`.
  open func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
    try asset.open()
    let sources = asset.tracks.filter { track in
      !SegmentList.cut(SegmentList.of(track), to: timeRange).isEmpty
    }
    guard !sources.isEmpty else {
      throw AVError(.invalidSourceMedia, because: "The asset has no media in the range.")
    }
    let place = startTime.isNumeric ? startTime : duration
    var unused = mutableTracks
    for source in sources {
      let found = unused.firstIndex { candidate in
        candidate.mediaType == source.mediaType
      }
      let track: AVMutableCompositionTrack
      if let found {
        track = unused.remove(at: found)
      } else if let made = addMutableTrack(
        withMediaType: source.mediaType, preferredTrackID: kCMPersistentTrackID_Invalid)
      {
        made.preferredTransform = source.preferredTransform
        track = made
      } else {
        continue
      }
      try track.insertTimeRange(timeRange, of: source, at: place)
    }
    // Tracks that got nothing stay beside those that did.
    for track in unused where track.timeRange.end > place {
      track.insertEmptyTimeRange(CMTimeRange(start: place, duration: timeRange.duration))
    }
  }

  /// Inserts a range in which nothing is shown into all tracks.
  ///
  /// Apple: `AVMutableComposition.insertEmptyTimeRange(_:)`.
  open func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    for track in mutableTracks { track.insertEmptyTimeRange(timeRange) }
  }

  /// Removes a range of all tracks.
  ///
  /// Apple: `AVMutableComposition.removeTimeRange(_:)`.
  open func removeTimeRange(_ timeRange: CMTimeRange) {
    for track in mutableTracks { track.removeTimeRange(timeRange) }
  }

  /// Makes a range of all tracks faster or slower.
  ///
  /// Apple: `AVMutableComposition.scaleTimeRange(_:toDuration:)`.
  open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    for track in mutableTracks { track.scaleTimeRange(timeRange, toDuration: duration) }
  }
}
