import AVFoundation

extension CameraModel {
  /// Switches an effect, as it was strong before.
  package func setEffect(_ effect: VideoEffect, on isOn: Bool) {
    change(effect) { $0.isOn = isOn }
  }

  /// Makes an effect stronger or weaker, from 0 to 1.
  package func setEffect(_ effect: VideoEffect, strength: Double) {
    change(effect) { $0.strength = min(max(strength, 0), 1) }
  }

  /// Puts a picture behind people; `nil` is the background itself, out of focus.
  package func setBackground(_ picture: URL?) {
    change(.background) {
      $0.isOn = true
      $0.picture = picture?.path
    }
  }

  private func change(_ effect: VideoEffect, _ change: (inout VideoEffectChoice) -> Void) {
    var choice = state.value.effects[effect]
    change(&choice)
    guard choice != state.value.effects[effect] else { return }
    state.value.effects[effect] = choice
    engine.choose(choice, for: effect)
  }

  /// Starts a reaction.
  package func react(_ reaction: ReactionChoice) { engine.react(reaction) }

  /// Looks what another program may have changed of the effects.
  package func refreshEffects() { engine.readEffects() }

  func take(_ effects: EffectsState) {
    guard !engine.hasNewEffectChoices else { return }
    state.value.effects = effects
  }
}
