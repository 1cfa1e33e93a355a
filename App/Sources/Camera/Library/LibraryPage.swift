import CGTK
import CameraModel
import Foundation
import GTKKit

/// The library: an album's days, and what is done with what is selected.
@MainActor
final class LibraryPage {
  let widget: Box
  var onBack: () -> Void = {}
  var onOpen: (LibraryItem) -> Void = { _ in }
  private let model: CameraModel
  private let grid: LibraryGrid
  private let albums = Menu([]).shortening().styled("flat")
  private let chosen = Label().styled("heading").shortening()
  private let select = ToggleButton(toggleIcon: "object-select-symbolic", tr("Select"))
  private let undo = Button(icon: "edit-undo-symbolic", tr("Undo the deletion"))
  private let header: HeaderBar
  private let pages = Stack()
  private let page = StatusPage()
  private let bar: SelectionBar
  private let reveal: Revealer
  private var shownAlbums: [LibraryAlbum] = []

  init(_ model: CameraModel) {
    self.model = model
    grid = LibraryGrid(model)
    bar = SelectionBar(model)
    let back = Button(icon: "go-previous-symbolic", tr("Back to the camera"))
    albums.named(tr("Album"))
    header = HeaderBar(title: Box(GTK_ORIENTATION_HORIZONTAL, spacing: 0, albums, chosen)).styled("flat")
    header.addStart(back)
    header.addEnd(
      MenuButton(
        icon: "view-more-symbolic", tr("Albums"),
        sections: [
          [(tr("New Album…"), "app.new-album")],
          [(tr("Rename Album…"), "app.rename-album"), (tr("Remove Album…"), "app.remove-album")],
        ]))
    header.addEnd(select)
    header.addEnd(undo)
    undo.setAction("app.undo")
    let waiting = Object(gtk_spinner_new())
    gtk_spinner_start(waiting.opaque)
    let spinner = Widget(waiting.raw).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER).least(width: 48, height: 48)
    spinner.named(tr("The library is being read"))
    pages.add(spinner, "reading")
    pages.add(grid.widget.expanding(), "grid")
    pages.add(page.expanding(), "page")
    reveal = Revealer(bar.widget, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, header, pages.expanding(), reveal)
    back.onPress { [self] in onBack() }
    select.onToggle { model.library.setSelecting($0) }
    grid.onOpen = { [self] in onOpen($0) }
    albums.onChoice { [self] index in
      if shownAlbums.indices.contains(index) { model.library.show(shownAlbums[index].kind) }
    }
    model.library.state.observe { [weak self] in self?.render($0) }
  }

  func setNarrow(_ isNarrow: Bool) { header.setNarrow(isNarrow) }

  /// The list that scrolls the grid.
  var scroller: LazyList? { grid.list }

  /// The grid's rows that are widgets now.
  var liveRows: Int { grid.list?.liveRows ?? 0 }

  private func render(_ state: LibraryState) {
    if state.albums != shownAlbums {
      shownAlbums = state.albums
      albums.entries = shownAlbums.map(Words.album)
    }
    if let index = shownAlbums.firstIndex(where: { $0.kind == state.album }) { albums.selected = index }
    albums.isVisible = !state.isSelecting
    chosen.isVisible = state.isSelecting
    chosen.text =
      state.selected.isEmpty ? tr("Select items") : trn("%@ selected", "%@ selected", state.selected.count)
    select.isOn = state.isSelecting
    select.isSensitive = state.count > 0
    undo.isVisible = model.library.canUndo
    reveal.isRevealed = state.isSelecting
    switch state.phase {
    case .reading: if state.count == 0 { pages.shown = "reading" }
    case .failed(let reason):
      page.show(icon: "dialog-warning-symbolic", title: tr("The Library Cannot Be Opened"), text: reason)
      pages.shown = "page"
    case .ready where state.count == 0:
      page.show(
        icon: "image-x-generic-symbolic", title: tr("No Photos Yet"),
        text: tr("What you take with the camera is kept here."))
      pages.shown = "page"
    case .ready: pages.shown = "grid"
    }
  }
}

/// The bar of actions for the selected photos and videos.
@MainActor
final class SelectionBar {
  let widget: Box
  private let model: CameraModel
  private let buttons: [Widget]
  private let albums: PopoverButton
  private let list = Box(GTK_ORIENTATION_VERTICAL, spacing: 2)
  private let remove: Button
  private var shown: [LibraryAlbum] = []

  init(_ model: CameraModel) {
    self.model = model
    func button(_ icon: String, _ words: String, _ action: String) -> Button {
      let button = Button(icon: icon, words).styled("flat")
      button.setAction("app." + action)
      return button
    }
    let all = button("edit-select-all-symbolic", tr("Select all"), "select-all")
    let favorite = button("starred-symbolic", tr("Favourite"), "favorite")
    let copy = button("edit-copy-symbolic", tr("Copy the files, to paste them elsewhere"), "copy")
    let open = button("send-to-symbolic", tr("Open with another program"), "open-with")
    let folder = button("folder-open-symbolic", tr("Show in the folder"), "show-files")
    let delete = button("user-trash-symbolic", tr("Delete"), "delete")
    remove = button("list-remove-symbolic", tr("Remove from this album"), "remove-from-album")
    let name = Entry(hint: tr("New album"))
    let make = Button(tr("Create")).styled("suggested-action")
    let form = Box(
      GTK_ORIENTATION_VERTICAL, spacing: 6, list, Box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, name, make))
    albums = PopoverButton(icon: "list-add-symbolic", tr("Add to an album"), form).styled("flat")
    buttons = [favorite, albums, remove, copy, open, folder, delete]
    widget = Box(GTK_ORIENTATION_HORIZONTAL, spacing: 0, all).styled("toolbar", "selection-bar")
    widget.aligned(GTK_ALIGN_CENTER)
    for button in buttons { widget.append(button) }
    let create: @MainActor @Sendable () -> Void = { [self] in
      model.library.makeAlbum(name.text, of: Array(model.library.state.value.selected))
      name.text = ""
      albums.isOpen = false
    }
    make.onPress(create)
    name.onEnter(create)
    model.library.state.observe { [weak self] in self?.render($0) }
  }

  private func render(_ state: LibraryState) {
    for button in buttons { button.isSensitive = !state.selected.isEmpty }
    if case .own = state.album { remove.isVisible = true } else { remove.isVisible = false }
    let own = state.albums.filter { if case .own = $0.kind { true } else { false } }
    guard own != shown else { return }
    shown = own
    list.clear()
    for album in own {
      let button = Button(album.title).styled("flat")
      button.onPress { [self] in
        model.library.add(Array(model.library.state.value.selected), to: album)
        albums.isOpen = false
      }
      list.append(button)
    }
  }
}
