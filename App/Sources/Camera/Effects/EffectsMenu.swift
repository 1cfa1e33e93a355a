import AVFoundation
import CGTK
import CameraModel
import GTKKit

/// The button of video effects, and what it opens: what is drawn into every picture of the camera.
@MainActor
final class EffectsMenu {
  let button: PopoverButton
  private let centerStage: EffectRow
  private let portrait: EffectRow
  private let studioLight: EffectRow
  private let background: BackgroundRow
  private let reactions: ReactionRow
  private let edgeLight: EffectRow
  private let voiceIsolation: EffectRow
  private let obstacle = Label().styled("caption", "dim-label").leading().wrapping()

  /// - Parameter window: The window over which a picture is chosen.
  init(_ model: CameraModel, over window: Window) {
    centerStage = EffectRow(.centerStage, model, hasStrength: false)
    portrait = EffectRow(.portrait, model)
    studioLight = EffectRow(.studioLight, model)
    background = BackgroundRow(model)
    reactions = ReactionRow(model)
    edgeLight = EffectRow(.edgeLight, model)
    voiceIsolation = EffectRow(.voiceIsolation, model, hasStrength: false)
    gtk_label_set_max_width_chars(obstacle.opaque, 36)
    let column = Box(
      GTK_ORIENTATION_VERTICAL, spacing: 10, centerStage.widget, portrait.widget, studioLight.widget,
      background.widget, obstacle,
      Widget(UnsafeMutableRawPointer(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))), reactions.widget,
      Widget(UnsafeMutableRawPointer(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))), edgeLight.widget,
      voiceIsolation.widget
    ).styled("effects")
    button = PopoverButton(icon: "obscura-effects-symbolic", Words.effects, column)
    button.onOpen { model.refreshEffects() }
    background.onPicture = { [button] in
      button.isOpen = false
      Desktop.chooseFile(
        tr("Choose a picture"), suffixes: ["jpg", "jpeg", "png", "heic"], over: window
      ) { model.setBackground($0) }
    }
    model.state.observe { [self] in render($0.effects) }
  }

  private func render(_ effects: EffectsState) {
    let findsPeople = effects.peopleObstacle == nil
    centerStage.show(effects.centerStage, isPossible: effects.facesObstacle == nil)
    portrait.show(effects.portrait, isPossible: findsPeople)
    studioLight.show(effects.studioLight, isPossible: findsPeople)
    background.show(effects.background, isPossible: findsPeople)
    reactions.show(effects)
    edgeLight.show(effects.edgeLight, isPossible: true)
    voiceIsolation.show(effects.voiceIsolation, isPossible: true)
    obstacle.isVisible = !findsPeople
    obstacle.text = effects.peopleObstacle.map(Words.obstacle) ?? ""
    button.setStyle("chosen", effects.isAnyActive)
  }
}
