import AVFoundation

/// Calls whenever the person, in this program or elsewhere, has switched a video effect.
final class EffectsWatch {
  private let observations: [NSKeyValueObservation]

  /// - Parameter report: Called on a queue of the observation's.
  init(_ report: @escaping @Sendable () -> Void) {
    let properties: [KeyPath<AVCaptureDevice.Type, Bool>] = [
      \.isCenterStageEnabled, \.isPortraitEffectEnabled, \.isStudioLightEnabled,
      \.isBackgroundReplacementEnabled,
      \.reactionEffectsEnabled, \.reactionEffectGesturesEnabled, \.isEdgeLightEnabled,
    ]
    observations =
      properties.map { AVCaptureDevice.observe($0) { _, _ in report() } } + [
        AVCaptureDevice.observe(\.activeMicrophoneMode) { _, _ in report() }
      ]
  }

  deinit {
    for observation in observations { observation.invalidate() }
  }
}
