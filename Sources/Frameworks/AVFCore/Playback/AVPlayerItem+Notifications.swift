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
}

extension Notification.Name {
  /// `AVPlayerItem.didPlayToEndTimeNotification` by its older name.
  public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
  /// `AVPlayerItem.failedToPlayToEndTimeNotification` by its older name.
  public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
}

/// In the user information of `AVPlayerItem.failedToPlayToEndTimeNotification`: why, an `NSError`.
///
/// Apple: `AVPlayerItemFailedToPlayToEndTimeErrorKey`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"
