import AVFoundation

/// Video effects of the camera in use.
extension CaptureEngine {
  /// Reports what the person wants and what the camera can.
  func readEffects() {
    queue.async { self.sendEffects() }
  }

  /// The same; on the queue.
  func sendEffects() { send(.effects(EffectsState(input?.device))) }

  /// Chooses for this program; of choices that come faster than they can be kept, the newest.
  func choose(_ choice: VideoEffectChoice, for effect: VideoEffect) {
    effectChoices.change { $0[effect] = choice }
    queue.async {
      guard let newest = self.effectChoices.change({ $0.removeValue(forKey: effect) }) else { return }
      do {
        try VideoEffectPreferences.set(newest, for: effect)
      } catch {
        self.send(.effectNotKept("\(error)"))
      }
      self.sendEffects()
    }
  }

  /// Whether choices are on their way, so that what was reported before is no longer so.
  var hasNewEffectChoices: Bool { effectChoices.change { !$0.isEmpty } }

  /// Has the next frame start a reaction, where the camera can show it.
  func react(_ reaction: ReactionChoice) {
    queue.async {
      guard let device = self.input?.device, device.canPerformReactionEffects else { return }
      device.performEffect(for: reaction.type)
    }
  }
}
