import CGTK
import CameraModel
import GTKKit
import GTKLayers

/// One photo or video of the grid: its picture, and small marks on it.
@MainActor
final class LibraryCell {
  let widget: Button
  private let model: CameraModel
  private let picture = PictureView().covering()
  private let star = Icon("starred-symbolic").styled("mark").aligned(GTK_ALIGN_START, GTK_ALIGN_END)
  private let length = Label().styled("mark", "length").aligned(GTK_ALIGN_END, GTK_ALIGN_END)
  private let unfinished = Icon("content-loading-symbolic").styled("mark").aligned(
    GTK_ALIGN_END, GTK_ALIGN_START)
  private let check = Icon("object-select-symbolic").styled("mark", "check").aligned(
    GTK_ALIGN_START, GTK_ALIGN_START)
  private var request: ThumbnailFeed.Request?
  private(set) var item: LibraryItem?

  init(_ model: CameraModel, open: @escaping @MainActor (LibraryItem) -> Void) {
    self.model = model
    unfinished.described(tr("This photo is finished later"))
    let overlay = Overlay(picture, star, length, unfinished, check)
    widget = Button(overlay, "").styled("cell", "flat")
    gtk_widget_set_overflow(widget.widget, GTK_OVERFLOW_HIDDEN)
    widget.onPress { [weak self] in
      guard let item = self?.item else { return }
      if model.library.state.value.isSelecting { model.library.toggle(item.id) } else { open(item) }
    }
    widget.onHold { [weak self] isDown in
      guard isDown, let item = self?.item, !model.library.state.value.isSelecting else { return }
      model.library.toggle(item.id)
    }
  }

  func show(_ item: LibraryItem?, side: Int) {
    widget.isVisible = item != nil
    widget.least(width: side, height: side)
    guard let item else { return leave() }
    let isSame = item.id == self.item?.id
    self.item = item
    star.isVisible = item.isFavorite
    length.isVisible = item.isMovie
    length.text = Words.time(item.duration.rounded())
    widget.named(Words.describe(item))
    mark()
    if !isSame {
      picture.show(nil as Texture?)
      unfinished.isVisible = false
    }
    if let request { model.library.thumbnails.cancel(request) }
    // Two sizes only, so that kept pictures serve windows of all widths.
    let pixels = side * widget.scale <= 128 ? 180 : 256
    let name = item.id
    request = model.library.thumbnails.request(item, side: pixels) { [weak self] thumbnail in
      guard let self, self.item?.id == name else { return }
      request = nil
      picture.show(thumbnail.map { Texture($0.picture.pixels) })
      unfinished.isVisible = thumbnail?.isUnfinished ?? false
    }
  }

  /// Shows whether it is selected.
  func mark() {
    guard let item else { return }
    let state = model.library.state.value
    check.isVisible = state.isSelecting
    let isOn = state.selected.contains(item.id)
    check.setStyle("on", isOn)
    widget.setStyle("selected", isOn)
  }

  func leave() {
    if let request { model.library.thumbnails.cancel(request) }
    request = nil
    item = nil
  }
}

/// A row of the grid: a day's heading, or some of its photos.
@MainActor
final class LibraryRow: LazyList.Row {
  let rowWidget: Widget
  private let heading = Label().styled("heading", "day").leading()
  private let line = Box(GTK_ORIENTATION_HORIZONTAL, spacing: LibraryGrid.gap)
  private var cells: [LibraryCell] = []
  private weak var grid: LibraryGrid?

  init(_ grid: LibraryGrid) {
    self.grid = grid
    heading.least(height: LibraryGrid.heading).aligned(GTK_ALIGN_START, GTK_ALIGN_END)
    rowWidget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, heading, line)
  }

  func show(_ index: Int) {
    guard let grid, let row = grid.rows.row(at: index) else { return }
    grid.note(self, isShown: true)
    switch row {
    case .heading(let day):
      line.isVisible = false
      heading.isVisible = true
      heading.text = grid.title(ofDay: day)
      for cell in cells { cell.leave() }
    case .places(let places):
      heading.isVisible = false
      line.isVisible = true
      while cells.count < places.count {
        let cell = LibraryCell(grid.model) { [weak grid] in grid?.onOpen($0) }
        cells.append(cell)
        line.append(cell.widget)
      }
      for (offset, cell) in cells.enumerated() {
        let place = places.lowerBound + offset
        cell.show(place < places.upperBound ? grid.model.library.item(at: place) : nil, side: grid.side)
      }
    }
  }

  func mark() { for cell in cells { cell.mark() } }

  func leave() {
    grid?.note(self, isShown: false)
    for cell in cells { cell.leave() }
  }
}

/// The grid of days: rows are made for what is in view only.
@MainActor
final class LibraryGrid {
  static let gap = 4
  /// Room at both sides.
  static let inset = 12
  /// The height of a day's heading.
  static let heading = 46
  let widget: Overlay
  let model: CameraModel
  private(set) var rows = GridRows(columns: 4)
  /// The length of a cell's side.
  private(set) var side = 140
  var onOpen: (LibraryItem) -> Void = { _ in }
  private(set) var list: LazyList?
  private var shown: [ObjectIdentifier: LibraryRow] = [:]
  private var state = LibraryState()

  init(_ model: CameraModel) {
    self.model = model
    let sizer = Canvas { _, _, _ in }
    let place = Box(GTK_ORIENTATION_VERTICAL)
    widget = Overlay(place, sizer.expanding().untouchable())
    let list = LazyList(inset: Self.inset) { [unowned self] in LibraryRow(self) }
    self.list = list
    list.styled("days").named(tr("Photos and videos"))
    place.append(list.expanding())
    sizer.on("resize") { [weak self] (width: Int, _: Int) in self?.fit(width) }
    model.library.state.observe { [weak self] in self?.render($0) }
  }

  func title(ofDay day: Int) -> String {
    state.days.days.indices.contains(day) ? Words.day(state.days.days[day].start) : ""
  }

  func note(_ row: LibraryRow, isShown: Bool) {
    shown[ObjectIdentifier(row)] = isShown ? row : nil
  }

  private func fit(_ width: Int) {
    let inside = max(100, width - 2 * Self.inset)
    let columns = max(3, inside / 170)
    side = (inside - (columns - 1) * Self.gap) / columns
    rows = GridRows(state.days, columns: columns)
    // The list is being laid out now; it changes when that is done.
    whenIdle { [weak self] in
      guard let self else { return false }
      list?.show(layout)
      return false
    }
  }

  private var layout: GridLayout {
    GridLayout(rows: rows, heading: Self.heading, line: side + Self.gap)
  }

  private func render(_ new: LibraryState) {
    let old = state
    state = new
    if new.album != old.album { list?.place = 0 }
    if new.revision != old.revision {
      rows = GridRows(new.days, columns: rows.columns)
      list?.show(layout)
    } else if new.selected != old.selected || new.isSelecting != old.isSelecting {
      for row in shown.values { row.mark() }
    }
  }
}

/// The grid's rows as the list lays them.
private struct GridLayout: RowLayout {
  let rows: GridRows
  let heading: Int
  let line: Int

  var count: Int { rows.count }
  var height: Int { top(of: count) }
  func top(of row: Int) -> Int { rows.top(of: row, heading: heading, line: line) }
  func row(atHeight height: Int) -> Int { rows.row(atHeight: height, heading: heading, line: line) }
}
