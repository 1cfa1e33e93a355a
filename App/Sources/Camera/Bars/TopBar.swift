import CGTK
import CameraModel
import GTKKit

/// The window's bar: the camera's name, or a list of them, effects, controls and the menu, and whether other programs see the picture.
@MainActor
final class TopBar {
  let widget: HeaderBar
  let panel = ToggleButton(toggleIcon: "obscura-sliders-symbolic", tr("Show the controls"))
  let effects: EffectsMenu
  private let virtualCamera = Button(icon: "obscura-share-symbolic", tr("Virtual camera")).styled("flat")
  private let cameras = Menu([]).shortening().styled("flat")
  private let name = Label().styled("heading").shortening()
  private var choices: [CameraChoice] = []

  init(_ model: CameraModel, over window: Window) {
    effects = EffectsMenu(model, over: window)
    cameras.named(tr("Camera"))
    widget = HeaderBar(title: Box(GTK_ORIENTATION_HORIZONTAL, spacing: 0, name, cameras))
    widget.styled("flat")
    let menu = MenuButton(
      icon: "open-menu-symbolic", tr("Menu"),
      sections: [
        [(tr("Library"), "app.library")],
        [(tr("Settings"), "app.settings"), (tr("Keyboard Shortcuts"), "app.shortcuts")],
        [(tr("About Camera"), "app.about")],
      ])
    virtualCamera.setAction("app.virtual-camera")
    widget.addStart(virtualCamera)
    widget.addEnd(menu)
    widget.addEnd(panel)
    widget.addEnd(effects.button)
    cameras.onChoice { [self] index in
      if choices.indices.contains(index) { model.choose(choices[index].id) }
    }
    model.state.observe { [self] state in
      if state.cameras != choices {
        choices = state.cameras
        cameras.entries = choices.map(\.name)
      }
      virtualCamera.isVisible = state.virtualCamera != .off
      virtualCamera.setStyle("watched", state.virtualCamera == .watched)
      virtualCamera.described(Words.virtualCamera(state.virtualCamera))
      cameras.isVisible = choices.count > 1
      name.isVisible = choices.count < 2
      name.text = state.camera?.name ?? tr("Camera")
      if let index = choices.firstIndex(where: { $0.id == state.camera?.id }) { cameras.selected = index }
    }
  }
}
