internal import CoreMedia
internal import Foundation

/// How far a player is with one of its items.
///
/// Reached on the player's queue alone.
final class ItemPlayback: @unchecked Sendable {  // Safe because it is reached on the player's queue alone.
  /// A seek that is under way.
  struct Seek {
    var target: PictureFeed.Target
    var completion: (@Sendable (Bool) -> Void)?
    /// Of the feed; `nil` until decoding has begun.
    var generation: Int?
  }

  let item: AVPlayerItem
  var feed: PictureFeed? { item.feed }
  /// Whether the asset is loaded, so that it can be played, or the reason why not is known.
  var isLoaded = false
  var seek: Seek?
  /// Whether the end was reached, so that it is not announced again.
  var hasEnded = false
  /// The time up to which boundaries were looked at.
  var boundaryTime = CMTime.zero
  var shownTime = CMTime.invalid
  var prerolls: [@Sendable (Bool) -> Void] = []

  init(_ item: AVPlayerItem) {
    self.item = item
  }

  var timebase: CMTimebase { item.ownTimebase }

  /// The time for which things are due: now, and a microsecond more, for times of different scales are rounded.
  var dueTime: CMTime { Self.due(timebase.time) }

  static func due(_ time: CMTime) -> CMTime { time + CMTime(value: 1, timescale: 1_000_000) }

  /// Whether it could be played now.
  var isPrimed: Bool {
    isLoaded && seek == nil && item.status == .readyToPlay && (feed?.isPrimed ?? true)
  }

  /// Where playing forwards ends.
  var end: CMTime {
    let (duration, asked) = (item.duration, item.forwardPlaybackEndTime)
    guard asked.isNumeric else { return duration }
    return duration.isNumeric ? min(duration, asked) : asked
  }
}

extension CMTimebase {
  /// A timeline on the host clock that stands still at zero.
  static func onHostClock() -> CMTimebase {
    var made: CMTimebase?
    _ = CMTimebaseCreateWithSourceClock(allocator: nil, sourceClock: .hostTimeClock, timebaseOut: &made)
    guard let made else { preconditionFailure("a timebase on the host clock can always be made") }
    return made
  }
}
