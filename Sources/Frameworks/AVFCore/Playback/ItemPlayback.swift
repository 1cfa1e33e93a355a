internal import CoreMedia
internal import Foundation
internal import Linux

/// The playback of one of a player's items.
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
  /// Whether it is played backwards, or was when it was played last.
  private(set) var isBackward = false
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

  /// The time up to which things are due.
  var dueTime: CMTime { TimeMargin.due(timebase.time, backward: isBackward) }
  /// The time whose picture is shown: a picture begins at its own time, in whichever direction is played.
  var pictureTime: CMTime { TimeMargin.due(timebase.time) }

  /// Whether it could be played now.
  var isPrimed: Bool {
    isLoaded && seek == nil && item.status == .readyToPlay && (feed?.isPrimed ?? true)
  }

  /// The time at which playing ends in its direction.
  var end: CMTime { end(isBackward) }

  private func end(_ isBackward: Bool) -> CMTime {
    item.state.withLock { $0.end(backward: isBackward) }
  }

  /// Whether a time is the end of a direction, or beyond.
  func isOver(at time: CMTime, backward isBackward: Bool) -> Bool {
    let end = end(isBackward)
    return end.isNumeric && (isBackward ? time <= end : time >= end)
  }

  /// A time, or the end where the time is beyond.
  func beforeEnd(_ time: CMTime) -> CMTime { isOver(at: time, backward: isBackward) ? end : time }

  /// It will be played in a direction.
  func turn(backward: Bool) {
    guard backward != isBackward else { return }
    isBackward = backward
    hasEnded = false
    boundaryTime = timebase.time
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
