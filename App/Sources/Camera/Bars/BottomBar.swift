import CGTK
import CameraModel
import GTKKit
import GTKLayers

/// The modes, and below them the last photo, the shutter, and the switch to the next camera.
@MainActor
final class BottomBar {
  let widget: Box
  private let model: CameraModel
  private let shutter: ShutterButton
  private let thumbnail: Button
  private let picture = TextureIcon(size: 52)
  private let other = Button(icon: "obscura-switch-symbolic", tr("Switch the camera")).styled("round")
  private var modes: [(mode: CameraMode, button: ToggleButton)] = []
  private var shown: Thumbnail?

  init(_ model: CameraModel) {
    self.model = model
    shutter = ShutterButton(model)
    thumbnail = Button(picture, tr("Show the last photo")).styled("thumbnail")
    gtk_widget_set_overflow(picture.widget, GTK_OVERFLOW_HIDDEN)
    thumbnail.setAction("app.last-photo")
    thumbnail.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    other.setAction("app.switch-camera")
    other.aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
    let row = CenterBox(
      start: thumbnail.margins(start: 24), center: shutter.widget, end: other.margins(end: 24)
    ).margins(top: 6, bottom: 14, start: 12, end: 12)
    let choices = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 4).styled("modes").aligned(GTK_ALIGN_CENTER)
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 2, choices, row)
    for mode in CameraMode.allCases {
      let button = ToggleButton(toggle: Words.mode(mode))
      button.onToggle { [self] isOn in
        if isOn { model.setMode(mode) } else { render(model.state.value) }
      }
      choices.append(button)
      modes.append((mode, button))
    }
    model.state.observe { [self] in render($0) }
  }

  private func render(_ state: CameraState) {
    for (mode, button) in modes { button.isOn = state.mode == mode }
    other.isVisible = true
    other.isSensitive = state.cameras.count > 1
    gtk_widget_set_opacity(other.widget, state.cameras.count > 1 ? 1 : 0)
    if state.shownThumbnail != shown {
      shown = state.shownThumbnail
      picture.show(shown.map { Texture($0.square) })
    }
    thumbnail.isSensitive = state.lastPhoto != nil
    gtk_widget_set_opacity(thumbnail.widget, shown == nil ? 0 : 1)
  }
}
