import AVFoundation
import CGTK
import CameraModel
import GTKKit
import GTKLayers

/// The switch of reactions, a button for each, and the switch of signs of hands.
@MainActor
final class ReactionRow {
  let widget: Box
  private let toggle = Switch()
  private let head: Box
  private let gestureToggle = Switch()
  private let gestureRow: Box
  private let buttons = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 2).styled("reactions")

  init(_ model: CameraModel) {
    let words = Words.effect(.reactions)
    head = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, Label(words).leading().expanding(true, false), toggle)
    let gestures = Words.effect(.gestures)
    gestureRow = Box(
      GTK_ORIENTATION_HORIZONTAL, spacing: 8, Label(gestures).leading().expanding(true, false), gestureToggle)
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 6, head, buttons, gestureRow)
    toggle.named(words)
    toggle.onToggle { model.setEffect(.reactions, on: $0) }
    gestureToggle.named(gestures)
    gestureToggle.onToggle { model.setEffect(.gestures, on: $0) }
    for reaction in ReactionChoice.allCases {
      let icon = TextureIcon(size: 24)
      icon.show(reaction.picture.map { Texture($0.pixels(isOpaque: false)) })
      buttons.append(
        Button(icon, Words.reaction(reaction)).styled("flat").onPress { model.react(reaction) })
    }
  }

  func show(_ effects: EffectsState) {
    toggle.isOn = effects.reactions.isOn
    head.isSensitive = effects.drawingObstacle == nil
    buttons.isSensitive = effects.canReact
    gestureToggle.isOn = effects.gestures.isOn
    gestureRow.isSensitive = effects.canWatchHands
  }
}
