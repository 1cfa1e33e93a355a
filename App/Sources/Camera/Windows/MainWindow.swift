import CGTK
import CameraModel
import Foundation
import GTKKit

/// The program's window.
@MainActor
final class MainWindow {
  let stage: Stage
  let model: CameraModel
  let window: Window
  private let toasts: Toasts
  private let side: SidePanel
  private let top: TopBar
  private let pages = Stack(GTK_STACK_TRANSITION_TYPE_SLIDE_LEFT_RIGHT)
  private let viewer: Viewer
  private let library: LibraryPage
  /// The page to which the viewer goes back.
  private var before = "camera"
  /// The line that offers to take the last deletion back.
  private var deletion: Object?
  private var shutterKeyIsDown = false
  /// Whether the user goes from control to control by the tabulator, so that Space and Enter press the one that is marked.
  private var isWalking = false
  private var isNarrow = false
  /// The bars that are hidden while the picture has the whole screen.
  private var bars: [Widget] = []

  /// The window; of the size that it had when the program ended, where `size` names no other.
  init(_ application: Application, model: CameraModel, size: (width: Int, height: Int)? = nil) {
    self.model = model
    let kept = model.settings.value.window
    window = Window(
      application, title: tr("Camera"), width: size?.width ?? kept.width, height: size?.height ?? kept.height)
    if size == nil, kept.isMaximized { window.maximize() }
    gtk_widget_set_size_request(window.widget, 340, 480)
    stage = Stage(model)
    top = TopBar(model, over: window)
    viewer = Viewer(model)
    library = LibraryPage(model)
    let bottom = BottomBar(model)
    let camera = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, top.widget, stage.widget, bottom.widget)
    bars = [top.widget, bottom.widget]
    side = SidePanel(content: camera, panel: ControlsPanel(model).widget)
    pages.add(side, "camera")
    pages.add(library.widget, "library")
    pages.add(viewer.widget, "viewer")
    let ruler = Canvas { _, _, _ in }
    toasts = Toasts(
      Overlay(pages, EdgeLight(model).widget, ScreenFlash(model).widget, ruler.expanding().untouchable()),
      close: tr("Close this message"))
    window.setContent(toasts)
    gtk_window_set_icon_name(window.pointer(), Places.identifier)
    top.panel.onToggle { [self] in setPanel($0) }
    side.on("notify::reveal-flap") { [self] in
      // A click beside a panel that lies over the content takes it away.
      if top.panel.isOn != side.isRevealed { setPanel(side.isRevealed) }
    }
    viewer.onBack = { [self] in if pages.shown == "viewer" { goBack() } }
    library.onBack = { [self] in goBack() }
    library.onOpen = { [self] item in
      model.view(item)
      showViewer(from: "library")
    }
    ruler.on("resize") { [weak self] (width: Int, _: Int) in
      // The window is being laid out now; it changes when that is done.
      whenIdle {
        self?.fit(width)
        return false
      }
    }
    model.onNotice = { [self] notice in
      Desktop.note("notice: " + Words.notice(notice), domain: Places.domain)
      if case .deleted = notice {
        deletion = toasts.say(
          Words.notice(notice), button: tr("Undo"), action: "app.undo", seconds: LibraryModel.undoSeconds)
      } else {
        toasts.say(Words.notice(notice))
      }
    }
    window.on("notify::fullscreened") { [weak self] in self?.fitScreen() }
    window.onKeyCaptured { [self] key, _, isDown in pressedFirst(key, isDown) }
    window.onPointerDown { [self] in isWalking = false }
    window.onKey { [self] key, hasControl, isDown in
      isDown && pressedForPhotos(key, hasControl) || pressed(key, isDown)
    }
    window.on(
      "close-request",
      answering: { [weak self] () -> Bool in
        model.releaseShutter()
        self?.keepSize()
        return false
      })
    every(milliseconds: 1000) { [weak self] in
      guard let self else { return false }
      if model.state.value.lockedFolder != nil { model.checkFolder() }
      if top.effects.button.isOpen { model.refreshEffects() }
      // Automatic controls move by themselves.
      if side.isRevealed, model.state.value.availability.isRunning { model.refreshControls() }
      return true
    }
  }

  func present() { window.present() }

  /// Widths as of a phone have less in their bars.
  private func fit(_ width: Int) {
    let isNarrow = width < 480
    guard isNarrow != self.isNarrow else { return }
    self.isNarrow = isNarrow
    top.widget.setNarrow(isNarrow)
    library.setNarrow(isNarrow)
    viewer.setNarrow(isNarrow)
  }

  /// Remembers the window's size for the next start.
  func keepSize() {
    guard !window.isFullScreen else { return }
    let size = window.ordinarySize
    model.keepWindow(width: size.width, height: size.height, isMaximized: window.isMaximized)
  }

  /// The picture alone on the whole screen, or the window again.
  func toggleFullScreen() { window.isFullScreen.toggle() }

  private func fitScreen() {
    for bar in bars { bar.isVisible = !window.isFullScreen }
    stage.widget.setStyle("whole", window.isFullScreen)
  }

  /// The list that scrolls the library's grid.
  var libraryScroller: LazyList? { library.scroller }

  /// The library's rows that are widgets now.
  var liveLibraryRows: Int { library.liveRows }

  // MARK: Keys

  /// Space and Enter, before the control gets them that has the focus: some control always has it, though no one chose it.
  private func pressedFirst(_ key: UInt, _ isDown: Bool) -> Bool {
    if Self.walkingKeys.contains(key) { isWalking = true }
    guard Self.typedShutterKeys.contains(key), !window.isTypedIn, !isWalking || shutterKeyIsDown else {
      return false
    }
    guard isViewing else { return pressed(key, isDown) }
    if isDown, key == 0x20 { playFilm() }
    return true
  }

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

  /// Keys that are typed in lines of text, too, and so are no keys of actions.
  private func pressedForPhotos(_ key: UInt, _ hasControl: Bool) -> Bool {
    guard pages.shown != "camera" else { return false }
    switch (key, hasControl) {
    case (0xFFFF, false), (0xFF9F, false): delete()
    case (0x2C, false): stepFilm(by: -1)
    case (0x2E, false): stepFilm(by: 1)
    case (0x20, false) where isViewing: playFilm()
    case (0xFF51, false) where isViewing: turnPage(by: -1)
    case (0xFF53, false) where isViewing: turnPage(by: 1)
    case (0x61, true): selectAll()
    case (0x63, true): copyFiles()
    default: return false
    }
    return true
  }

  /// The tabulator, forwards and back.
  private static let walkingKeys: Set<UInt> = [0xFF09, 0xFE20]

  /// Space and Enter.
  private static let typedShutterKeys: Set<UInt> = [0x20, 0xFF0D, 0xFF8D]

  private static let shutterKeys = typedShutterKeys.union([
    // Volume down and up, play, pause, and the button of cameras.
    0x1008_FF11, 0x1008_FF13, 0x1008_FF14, 0x1008_FF31, 0x1008_FF8F,
  ])

  // MARK: Pages

  func toggleEffects() { top.effects.button.isOpen.toggle() }

  func togglePanel() { setPanel(!side.isRevealed) }

  private func setPanel(_ on: Bool) {
    side.isRevealed = on
    top.panel.isOn = on
    model.showControls(on)
  }

  func showViewer() {
    if model.showLastPhoto() { showViewer(from: pages.shown == "library" ? "library" : "camera") }
  }

  private func showViewer(from page: String) {
    before = page
    isWalking = false
    pages.shown = "viewer"
  }

  func showLibrary() {
    model.viewer.close()
    model.library.open()
    pages.shown = "library"
  }

  func playFilm() { if isViewing { viewer.togglePlay() } }

  func stepFilm(by frames: Int) { if isViewing { viewer.step(by: frames) } }

  func turnPage(by count: Int) { if isViewing { model.viewer.turn(by: count) } }

  func toggleDetails() { if isViewing { viewer.toggleDetails() } }

  func zoom(by factor: Double) { isViewing ? viewer.zoom(by: factor) : model.zoom(by: factor) }

  func zoomOut() { isViewing ? viewer.fit() : model.zoom(to: 1, smoothly: true) }

  private var isViewing: Bool { pages.shown == "viewer" }

  // MARK: What is done with photos

  /// The identifiers of the photos that are shown or selected.
  private var subjects: [String] {
    if isViewing {
      if case .asset(let name)? = model.viewer.state.value.place { return [name] }
      return []
    }
    return pages.shown == "library" ? Array(model.library.state.value.selected) : []
  }

  func delete() {
    if isViewing { model.viewer.delete() } else { model.library.delete(subjects) }
  }

  func toggleFavorite() {
    if isViewing { return model.viewer.toggleFavorite() }
    let names = subjects
    // What is selected becomes favourites, unless all of it are.
    let all = names.allSatisfy { name in
      model.library.place(of: name).flatMap { model.library.item(at: $0) }?.isFavorite ?? false
    }
    model.library.setFavorite(!all, names)
  }

  func undoDelete() {
    model.library.undoDelete()
    if let deletion { toasts.dismiss(deletion) }
    deletion = nil
  }

  func selectAll() { if pages.shown == "library" { model.library.selectAll() } }

  /// Presses the photo at a place of the library, as a click would.
  func pressPhoto(at place: Int) {
    guard pages.shown == "library", let item = model.library.item(at: place) else { return }
    if model.library.state.value.isSelecting { model.library.toggle(item.id) } else { library.onOpen(item) }
  }

  func removeFromAlbum() { model.library.removeFromAlbum(subjects) }

  func copyFiles() {
    let notice = model.onNotice
    useFiles { urls, window in
      Desktop.copy(urls, from: window)
      notice(.copied)
    }
  }

  func useFiles(_ use: @escaping @MainActor ([URL], Window) -> Void) {
    let (names, file, window) = (subjects, model.viewer.state.value.place?.url, window)
    let library = model.library
    Task {
      let urls = names.isEmpty ? [file].compactMap { $0 } : await library.urls(names)
      if !urls.isEmpty { use(urls, window) }
    }
  }

  func goBack() {
    if isViewing {
      pages.shown = before
      model.viewer.close()
    } else if pages.shown == "library" {
      if model.library.state.value.isSelecting {
        model.library.clearSelection()
      } else {
        pages.shown = "camera"
      }
    } else if model.state.value.scan.hit != nil {
      model.dismissHit()
    } else if model.state.value.countdown != nil {
      model.cancelCountdown()
    } else if side.isRevealed {
      setPanel(false)
    } else if window.isFullScreen {
      window.isFullScreen = false
    } else {
      model.forgetAim()
    }
  }

  func showSettings() { SettingsWindow(model, parent: window).present() }

  /// Takes the window off the screen at once, also when the main loop runs no more.
  func vanish() {
    gtk_widget_set_visible(window.widget, 0)
    if let display = gdk_display_get_default() { gdk_display_sync(display) }
  }

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
