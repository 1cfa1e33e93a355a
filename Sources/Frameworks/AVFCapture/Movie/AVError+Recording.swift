public import AVFCore
public import CoreMedia
internal import Foundation
internal import FoundationExtras

/// Whether the file of a recording that ended with an ``AVError`` can be played all the same: a Boolean in its `userInfo`.
///
/// Apple: `AVErrorRecordingSuccessfullyFinishedKey`.
public let AVErrorRecordingSuccessfullyFinishedKey = "AVErrorRecordingSuccessfullyFinishedKey"

/// The size in bytes at which a recording ended, in the `userInfo` of an ``AVError``.
///
/// Apple: `AVErrorFileSizeKey`.
public let AVErrorFileSizeKey = "AVErrorFileSizeKey"

/// The time at which a recording ended, a `CMTime` in the `userInfo` of an ``AVError``.
///
/// Apple: `AVErrorTimeKey`.
public let AVErrorTimeKey = "AVErrorTimeKey"

extension AVError {
  /// The size of the file that the error is about; `nil` when it is about none.
  ///
  /// Apple: `AVError.fileSize`.
  public var fileSize: Int64? { userInfo[AVErrorFileSizeKey] as? Int64 }

  /// The time that the error is about; `nil` when it is about none.
  ///
  /// Apple: `AVError.time`.
  public var time: CMTime? { userInfo[AVErrorTimeKey] as? CMTime }

  /// Whether it says that a recording reached what its client allowed.
  var isLimit: Bool { code == .maximumDurationReached || code == .maximumFileSizeReached }

  /// The same error, as the end of a recording.
  func ending(_ figures: RecordingFigures, isPlayable: Bool) -> AVError {
    var information = userInfo
    information[AVErrorRecordingSuccessfullyFinishedKey] = isPlayable
    if code == .maximumDurationReached { information[AVErrorTimeKey] = figures.duration }
    if code == .maximumFileSizeReached { information[AVErrorFileSizeKey] = figures.bytes }
    return AVError(code, userInfo: information)
  }
}
