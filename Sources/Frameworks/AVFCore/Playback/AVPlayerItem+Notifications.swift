public import Foundation

extension AVPlayerItem {
  /// Posted on the main queue when the item has played to its end, or backwards to its beginning; the object is the item.
  ///
  /// Apple: `AVPlayerItem.didPlayToEndTimeNotification`.
  public static let didPlayToEndTimeNotification = Notification.Name(
    "AVPlayerItemDidPlayToEndTimeNotification")

  /// Posted on the main queue when the item cannot be played to its end.
  ///
  /// The user information has the error under ``AVPlayerItemFailedToPlayToEndTimeErrorKey``. Apple:
  /// `AVPlayerItem.failedToPlayToEndTimeNotification`.
  public static let failedToPlayToEndTimeNotification = Notification.Name(
    "AVPlayerItemFailedToPlayToEndTimeNotification")

  /// Posted on the main queue when the item's time has jumped.
  ///
  /// Apple: `AVPlayerItem.timeJumpedNotification`.
  public static let timeJumpedNotification = Notification.Name("AVPlayerItemTimeJumpedNotification")

  // Of media that come over a network while they play; items here are files, so that nothing posts these.

  /// Media did not come in time.
  ///
  /// Apple: `AVPlayerItem.playbackStalledNotification`.
  public static let playbackStalledNotification = Notification.Name("AVPlayerItemPlaybackStalledNotification")
  /// The log of accesses has one more.
  ///
  /// Apple: `AVPlayerItem.newAccessLogEntryNotification`.
  public static let newAccessLogEntryNotification = Notification.Name("AVPlayerItemNewAccessLogEntry")
  /// The log of errors has one more.
  ///
  /// Apple: `AVPlayerItem.newErrorLogEntryNotification`.
  public static let newErrorLogEntryNotification = Notification.Name("AVPlayerItemNewErrorLogEntry")
}

extension Notification.Name {
  /// `AVPlayerItem.timeJumpedNotification` by its older name.
  public static let AVPlayerItemTimeJumped = AVPlayerItem.timeJumpedNotification
  /// `AVPlayerItem.playbackStalledNotification` by its older name.
  public static let AVPlayerItemPlaybackStalled = AVPlayerItem.playbackStalledNotification
  /// `AVPlayerItem.newAccessLogEntryNotification` by its older name.
  public static let AVPlayerItemNewAccessLogEntry = AVPlayerItem.newAccessLogEntryNotification
  /// `AVPlayerItem.newErrorLogEntryNotification` by its older name.
  public static let AVPlayerItemNewErrorLogEntry = AVPlayerItem.newErrorLogEntryNotification
  /// `AVPlayerItem.didPlayToEndTimeNotification` by its older name.
  public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
  /// `AVPlayerItem.failedToPlayToEndTimeNotification` by its older name.
  public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
}

/// In the user information of `AVPlayerItem.failedToPlayToEndTimeNotification`: why, an `NSError`.
///
/// Apple: `AVPlayerItemFailedToPlayToEndTimeErrorKey`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"
