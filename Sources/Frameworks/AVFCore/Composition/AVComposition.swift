public import CoreMedia
public import Foundation
internal import Linux

/// An asset that is put together of ranges of tracks of other assets; nothing is copied.
///
/// Thread-safe. Apple: `AVComposition`.
open class AVComposition: AVAsset, NSCopying, NSMutableCopying, @unchecked Sendable {
  // Safe because what changes is under a lock.

  struct Contents: Sendable {
    var tracks: [AVCompositionTrack] = []
    var size: CGSize?
  }

  let contents = Locked(Contents())

  /// A composition of no tracks; an ``AVMutableComposition`` gets some.
  ///
  /// Apple: `AVComposition.init()`.
  public init() {
    super.init(file: nil)
  }

  /// The tracks.
  ///
  /// Apple: `AVComposition.tracks`.
  @_nonoverride public var tracks: [AVCompositionTrack] { composedTracks }

  override var ownTracks: [AVAssetTrack] { composedTracks }

  var composedTracks: [AVCompositionTrack] { contents.withLock { $0.tracks } }

  open override func track(withTrackID trackID: CMPersistentTrackID) -> AVCompositionTrack? {
    composedTracks.first { $0.trackID == trackID }
  }

  /// From zero to the end of the longest track.
  open override var duration: CMTime { tracks.map(\.timeRange.end).max() ?? .zero }

  open override var providesPreciseDurationAndTiming: Bool { true }

  /// The size of the first track of pictures, unless it was set.
  open override var naturalSize: CGSize { contents.withLock { $0.size } ?? super.naturalSize }

  /// A composition that stays as this one is now.
  open func copy(with zone: NSZone? = nil) -> Any { copied(into: AVComposition()) }

  /// An ``AVMutableComposition`` that begins as this one is now.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { copied(into: AVMutableComposition()) }

  private func copied(into copy: AVComposition) -> AVComposition {
    let contents = contents.withLock { $0 }
    let tracks = contents.tracks.map { track -> AVCompositionTrack in
      let state = track.state.withLock { $0 }
      return copy is AVMutableComposition
        ? AVMutableCompositionTrack(copy, track.mediaType, track.trackID, state)
        : AVCompositionTrack(copy, track.mediaType, track.trackID, state)
    }
    copy.contents.withLock { $0 = Contents(tracks: tracks, size: contents.size) }
    return copy
  }
}
