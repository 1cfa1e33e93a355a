import CGTK
import CameraModel
import GTKKit

/// The program's window.
@MainActor
final class MainWindow {
  let stage: Stage
  private let model: CameraModel
  private let window: Window
  private let toasts: Toasts
  private let side: SidePanel
  private let top: TopBar
  private let pages = Stack(GTK_STACK_TRANSITION_TYPE_SLIDE_LEFT_RIGHT)
  private let viewer: Viewer
  private var shutterKeyIsDown = false

  init(_ application: Application, model: CameraModel) {
    self.model = model
    window = Window(application, title: tr("Camera"), width: 940, height: 760)
    gtk_widget_set_size_request(window.widget, 360, 480)
    stage = Stage(model)
    top = TopBar(model)
    viewer = Viewer(model)
    let bottom = BottomBar(model)
    let camera = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, top.widget, stage.widget, bottom.widget)
    side = SidePanel(content: camera, panel: ControlsPanel(model).widget)
    pages.add(side, "camera")
    pages.add(viewer.widget, "viewer")
    toasts = Toasts(pages)
    window.setContent(toasts)
    gtk_window_set_icon_name(window.pointer(), Places.identifier)
    top.panel.onToggle { [self] in setPanel($0) }
    side.on("notify::reveal-flap") { [self] in
      // A click beside a panel that lies over the content takes it away.
      if top.panel.isOn != side.isRevealed { setPanel(side.isRevealed) }
    }
    viewer.onBack = { [self] in goBack() }
    model.onNotice = { [self] in toasts.say(Words.notice($0)) }
    window.onKey { [self] key, isDown in pressed(key, isDown) }
    window.on(
      "close-request",
      answering: { () -> Bool in
        model.releaseShutter()
        return false
      })
    every(milliseconds: 1000) { [weak self] in
      guard let self else { return false }
      // Automatic controls move by themselves.
      if side.isRevealed, model.state.value.availability.isRunning { model.refreshControls() }
      return true
    }
  }

  func present() { window.present() }

  // MARK: Keys

  /// Space, Enter and the buttons of remotes press the shutter; held, they take a burst.
  private func pressed(_ key: UInt, _ isDown: Bool) -> Bool {
    guard pages.shown == "camera", Self.shutterKeys.contains(key) else { return false }
    if model.state.value.mode == .scan, isDown, model.state.value.scan.hit != nil {
      model.dismissHit()
      return true
    }
    if isDown, !shutterKeyIsDown {
      shutterKeyIsDown = true
      every(milliseconds: 450) { [weak self] in
        if let self, shutterKeyIsDown { model.holdShutter() }
        return false
      }
    } else if !isDown, shutterKeyIsDown {
      shutterKeyIsDown = false
      if model.state.value.burst != nil { model.releaseShutter() } else { model.pressShutter() }
    }
    return true
  }

  private static let shutterKeys: Set<UInt> = [
    0x20, 0xFF0D, 0xFF8D,
    // Volume down and up, play, pause, and the button of cameras.
    0x1008_FF11, 0x1008_FF13, 0x1008_FF14, 0x1008_FF31, 0x1008_FF8F,
  ]

  // MARK: Pages

  func togglePanel() { setPanel(!side.isRevealed) }

  private func setPanel(_ on: Bool) {
    side.isRevealed = on
    top.panel.isOn = on
    model.showControls(on)
  }

  func showViewer() {
    guard viewer.open() else { return }
    pages.shown = "viewer"
  }

  func playFilm() { if pages.shown == "viewer" { viewer.togglePlay() } }

  func turnPage(by count: Int) { if pages.shown == "viewer" { viewer.turn(by: count) } }

  func goBack() {
    if pages.shown == "viewer" {
      viewer.close()
      pages.shown = "camera"
    } else if model.state.value.scan.hit != nil {
      model.dismissHit()
    } else if model.state.value.countdown != nil {
      model.cancelCountdown()
    } else if side.isRevealed {
      setPanel(false)
    } else {
      model.forgetAim()
    }
  }

  func showSettings() { SettingsWindow(model, parent: window).present() }

  func showShortcuts() {
    guard let builder = gtk_builder_new_from_file(Places.shortcuts),
      let object = gtk_builder_get_object(builder, "shortcuts")
    else { return }
    let shortcuts = Object(UnsafeMutableRawPointer(object))
    gtk_window_set_transient_for(shortcuts.pointer(), window.pointer())
    gtk_window_present(shortcuts.pointer())
    g_object_unref(UnsafeMutableRawPointer(builder))
  }

  func showAbout() {
    let about = Object(adw_about_window_new())
    adw_about_window_set_application_name(about.opaque, tr("Camera"))
    adw_about_window_set_application_icon(about.opaque, Places.identifier)
    adw_about_window_set_developer_name(about.opaque, "Obscura")
    adw_about_window_set_comments(
      about.opaque, tr("Photos, codes and depth from every camera, on Obscura's AVFoundation for Linux."))
    gtk_window_set_transient_for(about.pointer(), window.pointer())
    gtk_window_present(about.pointer())
  }
}
