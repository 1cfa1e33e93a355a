public import CoreMedia
public import Foundation
internal import Linux

/// A reaction that goes on, or has gone on.
///
/// Apple: `AVCaptureReactionEffectState`.
public final class AVCaptureReactionEffectState: NSObject, Sendable {
  /// The kind of reaction.
  ///
  /// Apple: `AVCaptureReactionEffectState.reactionType`.
  public let reactionType: AVCaptureReactionType

  /// The time of the first frame that shows it, on the device's clock.
  ///
  /// Apple: `AVCaptureReactionEffectState.startTime`.
  public let startTime: CMTime

  private let end = Locked(CMTime.invalid)

  /// The time of the first frame that no longer shows it; invalid while it goes on.
  ///
  /// Where the stream ends before the reaction does, the time of that.
  ///
  /// Apple: `AVCaptureReactionEffectState.endTime`.
  public var endTime: CMTime { end.withLock { $0 } }

  init(_ type: AVCaptureReactionType, from start: CMTime) {
    reactionType = type
    startTime = start
  }

  func end(at time: CMTime) {
    end.withLock { $0 = time }
  }

  /// The kind and the times.
  public override var description: String {
    "<AVCaptureReactionEffectState: \(reactionType.rawValue) from \(startTime.seconds) s"
      + (endTime.isValid ? " to \(endTime.seconds) s>" : ">")
  }
}
