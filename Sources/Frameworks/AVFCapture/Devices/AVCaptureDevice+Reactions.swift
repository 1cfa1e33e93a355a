internal import AVFCore
internal import CaptureDevice
internal import FoundationExtras

extension AVCaptureDevice {
  /// Whether reactions are enabled for this program; `true` by default, as for every program on a Mac.
  ///
  /// Observable, as ``isPortraitEffectEnabled``.
  ///
  /// - Note: Unlike AVFoundation, there is no Info.plist with `NSCameraReactionEffectsEnabled`: users disable reactions for a program with
  ///   `obscura effects off reactions --app PROGRAM`.
  ///
  /// Apple: `AVCaptureDevice.reactionEffectsEnabled`.
  public class var reactionEffectsEnabled: Bool { VideoEffectSettings.shared.choices[.reactions].isOn }

  /// Whether hand gestures perform reactions in this program, too; `false` by default.
  ///
  /// One hand: 👍 thumbs up, 👎 thumbs down, ✌ balloons. Both hands: 👍 fireworks, 👎 rain, ✌ confetti, 🤘 lasers, a heart hearts. A
  /// gesture is recognized after 0.8 s without motion, and again only after it has ended. Observable, as ``isPortraitEffectEnabled``.
  ///
  /// - Note: Unlike AVFoundation, gestures are off until the user enables them with `obscura effects on gestures`, because they perform
  ///   reactions that users did not intend.
  ///
  /// Apple: `AVCaptureDevice.reactionEffectGesturesEnabled`.
  public class var reactionEffectGesturesEnabled: Bool { VideoEffectSettings.shared.choices[.gestures].isOn }

  /// Whether ``performEffect(for:)`` has an effect: reactions are enabled, and the active format supports them.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.canPerformReactionEffects`.
  public var canPerformReactionEffects: Bool {
    observerTable.access(\AVCaptureDevice.canPerformReactionEffects)
    return isActive(.reactions)
  }

  /// The reactions that can be performed: all eight where the active format supports reactions, else none.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureDevice.availableReactionTypes`.
  public var availableReactionTypes: Set<AVCaptureReactionType> {
    observerTable.access(\AVCaptureDevice.availableReactionTypes)
    return availableReactions(activeStreamFormat)
  }

  func availableReactions(_ format: StreamFormat?) -> Set<AVCaptureReactionType> {
    format?.supports(.reactions) == true ? AVCaptureReactionType.all : []
  }

  /// Performs a reaction, which begins with the next frame.
  ///
  /// Between `beginConfiguration()` and `commitConfiguration()` it begins with the first frame after the commit. Ignored while
  /// ``canPerformReactionEffects`` is `false`, while the device does not stream, while three reactions of the type are in progress, and
  /// when one of the type is about to begin. A type that is not in ``availableReactionTypes`` is a programming mistake without effect.
  /// Thread-safe; does not block on drawing.
  ///
  /// Apple: `AVCaptureDevice.performEffect(for:)`.
  public func performEffect(for reactionType: AVCaptureReactionType) {
    guard let kind = reactionType.kind, availableReactionTypes.contains(reactionType) else {
      return ProgrammingMistake.report(
        rule: "performEffect(for:) cannot show \(reactionType.rawValue) on \(localizedName); "
          + "choose one of availableReactionTypes.")
    }
    guard canPerformReactionEffects, streamingFormat != nil else { return }
    videoEffects.start(reactionType, kind, on: self)
  }

  /// The reactions in progress, in the order of their starts.
  ///
  /// A reaction that ends is removed, and then has its `endTime`; observers find it in the old value of that change. Observable;
  /// observers are called on a queue of the device.
  ///
  /// Apple: `AVCaptureDevice.reactionEffectsInProgress`.
  public var reactionEffectsInProgress: [AVCaptureReactionEffectState] {
    observerTable.access(\AVCaptureDevice.reactionEffectsInProgress)
    return videoEffects.reactionsInProgress
  }
}
