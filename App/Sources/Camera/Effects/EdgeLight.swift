import AVFoundation
import CGTK
import CameraModel
import GTKKit

/// A light frame around the window, which lights who sits before the screen.
@MainActor
final class EdgeLight {
  let widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0).styled("edge-light").expanding().untouchable()

  init(_ model: CameraModel) {
    VideoEffectPreferences.edgeLight = .hidden
    model.state.observe { [self] state in
      let isShown = state.effects.edgeLight.isOn && state.availability.isRunning
      widget.isVisible = isShown
      gtk_widget_set_opacity(widget.widget, 0.4 + 0.6 * state.effects.edgeLight.strength)
      let now: VideoEffectPreferences.EdgeLight = isShown ? .shown : .hidden
      if VideoEffectPreferences.edgeLight != now { VideoEffectPreferences.edgeLight = now }
    }
  }
}
