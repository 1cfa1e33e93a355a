import AVFoundation
import CGTK
import CameraModel
import GTKKit

/// An effect that is on or off, and with a strength stronger or weaker.
@MainActor
final class EffectRow {
  let widget: Box
  private let toggle = Switch()
  private let slider = Slider(0...1, step: 0.05).expanding(true, false)

  init(_ effect: VideoEffect, _ model: CameraModel, hasStrength: Bool = true) {
    let words = Words.effect(effect)
    let head = Box(
      GTK_ORIENTATION_HORIZONTAL, spacing: 8, Label(words).leading().expanding(true, false), toggle)
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, head, slider)
    toggle.named(words)
    toggle.onToggle { model.setEffect(effect, on: $0) }
    slider.isVisible = hasStrength
    slider.named(tr("%@: strength", words))
    slider.onMove { model.setEffect(effect, strength: $0) }
  }

  func show(_ choice: VideoEffectChoice, isPossible: Bool) {
    widget.isSensitive = isPossible
    toggle.isOn = choice.isOn
    slider.isSensitive = choice.isOn
    slider.value = choice.strength
  }
}
