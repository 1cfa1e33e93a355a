import AVFoundation
import CGTK
import CameraModel
import GTKKit

/// The running program: one model, one window, and the actions that keys, menus and other programs call.
@MainActor
final class Program {
  let application: Application
  let model: CameraModel
  private let options: ProgramOptions
  private(set) var window: MainWindow?
  private var bench: Bench?

  init(_ application: Application, options: ProgramOptions, folders: ProgramFolders) {
    self.application = application
    self.options = options
    model = CameraModel(folders: folders)
  }

  /// Opens the window, or brings it to the front.
  func activate() {
    if let window { return window.present() }
    Look.load(styleSheet: Places.styleSheet, icons: Places.icons)
    model.settings.observe { settings in
      Look.setDark(settings.appearance == .system ? nil : settings.appearance == .dark)
    }
    let window = MainWindow(application, model: model, size: options.windowSize)
    self.window = window
    addActions(window)
    if options.measures { bench = Bench(self, window, options) }
    model.start()
    window.present()
  }

  /// Closes the camera before the program ends.
  func end() { model.stop() }

  /// Finishes what was taken for later, with no window on the screen.
  func finishPhotos() {
    window?.vanish()
    model.finishPhotos()
  }

  private func addActions(_ window: MainWindow) {
    let (model, application) = (model, application)
    application.addAction("shutter") { model.pressShutter() }
    application.addAction("burst-begin") { model.holdShutter() }
    application.addAction("burst-end") { model.releaseShutter() }
    application.addAction("switch-camera", keys: ["<Control>r"]) { model.switchCamera() }
    application.addAction("flash", keys: ["<Control>f"]) { model.nextFlash() }
    application.addAction("timer", keys: ["<Control>t"]) { model.nextTimer() }
    application.addAction("live", keys: ["<Control><Shift>l"]) {
      model.changeSettings { $0.takesLivePhotos.toggle() }
    }
    application.addAction("raw", keys: ["<Control><Shift>r"]) {
      model.changeSettings { $0.takesRaw.toggle() }
    }
    application.addAction("depth-in-photos", keys: ["<Control><Shift>d"]) {
      model.changeSettings { $0.takesDepth.toggle() }
    }
    application.addAction("filter", keys: ["<Control>e"]) { model.nextFilter() }
    application.addAction("filter-back", keys: ["<Control><Shift>e"]) { model.nextFilter(by: -1) }
    application.addAction("pace", keys: ["<Control>j"]) { model.nextPace() }
    application.addAction("pace-back", keys: ["<Control><Shift>j"]) { model.nextPace(by: -1) }
    application.addAction("aspect", keys: ["<Control>k"]) { model.nextAspect() }
    application.addAction("aspect-back", keys: ["<Control><Shift>k"]) { model.nextAspect(by: -1) }
    application.addAction("grid", keys: ["<Control>g"]) { model.changeSettings { $0.showsGrid.toggle() } }
    application.addAction("figures", keys: ["<Control>i"]) {
      model.changeSettings { $0.showsFigures.toggle() }
    }
    application.addAction("virtual-camera", keys: ["<Control>u"]) {
      model.changeSettings { $0.offersVirtualCamera.toggle() }
    }
    application.addAction("zoom-in", keys: ["<Control>plus", "<Control>equal", "<Control>KP_Add"]) {
      window.zoom(by: 1.25)
    }
    application.addAction("zoom-out", keys: ["<Control>minus", "<Control>KP_Subtract"]) {
      window.zoom(by: 0.8)
    }
    application.addAction("zoom-none", keys: ["<Control>0"]) { window.zoomOut() }
    application.addAction("brighter", keys: ["<Control>Up"]) { model.setBias(model.state.value.bias + 0.25) }
    application.addAction("darker", keys: ["<Control>Down"]) { model.setBias(model.state.value.bias - 0.25) }
    application.addAction("aim-middle", keys: ["<Control>m"]) { model.aim(x: 0.5, y: 0.5) }
    application.addAction("region-larger", keys: ["<Control><Shift>Up"]) { model.scaleScanRegion(by: 1.2) }
    application.addAction("region-smaller", keys: ["<Control><Shift>Down"]) {
      model.scaleScanRegion(by: 1 / 1.2)
    }
    application.addAction("pause", keys: ["<Control>p"]) { model.togglePause() }
    application.addAction("retry") { model.retry() }
    application.addAction("controls", keys: ["F9"]) { window.togglePanel() }
    application.addAction("effects", keys: ["<Control>y"]) { window.toggleEffects() }
    application.addAction("reaction") { ReactionChoice(rawValue: $0).map(model.react) }
    application.addAction("back", keys: ["Escape"]) { window.goBack() }
    application.addAction("last-photo", keys: ["<Control>l"]) { window.showViewer() }
    application.addAction("pages") { model.showPages(model.state.value.depth.page == nil) }
    addDepthActions()
    application.addAction("play") { window.playFilm() }
    application.addAction("older", keys: ["Page_Down"]) { window.turnPage(by: 1) }
    application.addAction("newer", keys: ["Page_Up"]) { window.turnPage(by: -1) }
    application.addAction("frame-on") { window.stepFilm(by: 1) }
    application.addAction("frame-back") { window.stepFilm(by: -1) }
    application.addAction("details", keys: ["<Control>d"]) { window.toggleDetails() }
    addLibraryActions(window)
    application.addAction("settings", keys: ["<Control>comma"]) { window.showSettings() }
    application.addAction("shortcuts", keys: ["<Control>question", "<Control>F1"]) { window.showShortcuts() }
    application.addAction("about") { window.showAbout() }
    application.addAction("full-screen", keys: ["F11"]) { window.toggleFullScreen() }
    application.addAction("quit", keys: ["<Control>q", "<Control>w"]) {
      window.keepSize()
      application.quit()
    }
    application.addAction("mode") { name in CameraMode(rawValue: name).map(model.setMode) }
    application.addAction("camera") { model.choose($0) }
    application.addAction("album") { name in
      let albums = model.library.state.value.albums
      if let album = albums.first(where: { Words.album($0) == name }) { model.library.show(album.kind) }
    }
    application.addAction("press-photo") { place in Int(place).map(window.pressPhoto) }
    for (number, mode) in CameraMode.allCases.enumerated() {
      application.setKeys(["<Control>\(number + 1)"], for: "app.mode::\(mode.rawValue)")
    }
  }

  private func addDepthActions() {
    let model = model
    application.addAction("depth-points", keys: ["<Control>h"]) {
      if model.state.value.mode == .depth { model.showCloud(!model.state.value.depth.showsCloud) }
    }
    application.addAction("depth-smooth") { model.setDepthSmoothing(!model.state.value.depth.wantsSmoothing) }
    application.addAction("depth-sway") { model.setSwaying(!model.state.value.depth.sways) }
    application.addAction("depth-back") { model.putCloudBack() }
    application.addAction("depth-mix") { Double($0).map(model.setDepthMix) }
  }

  private func addLibraryActions(_ window: MainWindow) {
    let (model, application) = (model, application)
    application.addAction("library", keys: ["<Control>o"]) { window.showLibrary() }
    application.addAction("select") {
      model.library.setSelecting(!model.library.state.value.isSelecting)
    }
    application.addAction("select-all") { window.selectAll() }
    application.addAction("delete") { window.delete() }
    application.addAction("undo", keys: ["<Control>z"]) { window.undoDelete() }
    application.addAction("favorite", keys: ["<Control>b"]) { window.toggleFavorite() }
    application.addAction("new-album") { window.makeAlbum() }
    application.addAction("rename-album") { window.renameAlbum() }
    application.addAction("remove-album") { window.removeAlbum() }
    model.library.state.observe { _ in
      let isOwn = model.library.ownAlbumTitle != nil
      application.setEnabled("rename-album", isOwn)
      application.setEnabled("remove-album", isOwn)
    }
    application.addAction("remove-from-album") { window.removeFromAlbum() }
    application.addAction("copy") { window.copyFiles() }
    application.addAction("open-with") {
      window.useFiles { urls, window in Desktop.openWith(urls[0], over: window) }
    }
    application.addAction("show-files") { window.useFiles { urls, _ in Desktop.showInFiles(urls) } }
  }
}
