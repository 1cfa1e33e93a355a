internal import CaptureDevice
internal import Foundation

/// The facts from which the active effects of a camera follow.
struct EffectFacts: Sendable {
  var choices: VideoEffectChoices
  /// The active format.
  var format: StreamFormat?
  /// Whether Center Stage cannot be active, because depth is delivered or the lens's bending is not taken back.
  var blocksCenterStage: Bool

  func isActive(_ effect: VideoEffect) -> Bool {
    choices[effect].isOn && format?.supports(effect) == true
      && !(effect == .centerStage && blocksCenterStage)
  }

  /// The greatest zoom factor.
  var mostZoom: CGFloat {
    let most = CGFloat(format?.maxZoom ?? 1)
    return isActive(.centerStage) ? min(most, AVCaptureDevice.Format.mostCenterStageZoom) : most
  }
}

extension AVCaptureDevice {
  /// The facts from which the active effects follow now.
  var effectFacts: EffectFacts {
    let isBent =
      isGeometricDistortionCorrectionSupported && !controls.isDistortionCorrected
    return EffectFacts(
      choices: VideoEffectSettings.shared.choices, format: activeStreamFormat,
      blocksCenterStage: isBent || videoEffects.hasDepthUsers)
  }

  /// Changes something that Center Stage depends on; where that makes it active or inactive, notifies observers and makes sessions plan
  /// anew.
  func changingCenterStage(_ change: () -> Void) {
    let old = effectFacts
    change()
    let new = effectFacts
    guard old.isActive(.centerStage) != new.isActive(.centerStage) else { return }
    notifyEffects(old, new)
    replan()
  }
}
