import CGTK

/// The heights and positions of a list's rows.
package protocol RowLayout {
  var count: Int { get }
  /// The height of all rows, in pixels.
  var height: Int { get }
  /// The upper edge of a row; of the one after the last, the height.
  func top(of row: Int) -> Int
  /// The row at a height, as near as there is one.
  func row(atHeight height: Int) -> Int
}

/// A list of as many rows as one likes that the user moves, of which only those in view are widgets.
///
/// A row's widget is made once and shown again for other rows as the list is moved. GTK's own list keeps some two hundred rows
/// whatever is in view, which takes longer than a frame where rows hold pictures. Rows are filled only
/// while the list is on the screen.
package final class LazyList: Widget {
  /// A reusable row of the list: its widget, and the calls that fill and release it.
  @MainActor
  package protocol Row: AnyObject {
    var rowWidget: Widget { get }
    /// Shows the row at an index from now on.
    func show(_ index: Int)
    /// The row is no longer in view.
    func leave()
  }

  private let field: Widget
  private let inset: Int
  private let make: @MainActor () -> any Row
  private var layout: any RowLayout = NoRows()
  private var live: [Int: any Row] = [:]
  private var spare: [any Row] = []
  private var isWaiting = false

  /// Rows above and below the view that are there before they are seen.
  private static let ahead = 2

  /// A list whose rows `make` makes, so far from its left edge.
  package init(inset: Int = 0, _ make: @escaping @MainActor () -> any Row) {
    self.make = make
    self.inset = inset
    field = Widget(UnsafeMutableRawPointer(gtk_fixed_new()))
    super.init(UnsafeMutableRawPointer(gtk_scrolled_window_new()))
    // As wide as it is, rows are made to fit: they must not keep the window from becoming narrower.
    gtk_scrolled_window_set_policy(opaque, GTK_POLICY_EXTERNAL, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_child(opaque, field.widget)
    adjustment.on("value-changed") { [weak self] in self?.update() }
    adjustment.on("changed") { [weak self] in self?.updateSoon() }
    on("map") { [weak self] in self?.updateSoon() }
  }

  /// Shows other rows from now on, or the same ones anew.
  package func show(_ layout: any RowLayout) {
    self.layout = layout
    for row in live.values { take(row) }
    live = [:]
    field.least(height: layout.height)
    update()
  }

  private var adjustment: Object {
    Object(UnsafeMutableRawPointer(gtk_scrolled_window_get_vadjustment(opaque)))
  }

  /// The scroll position, in pixels from the top.
  package var place: Double {
    get { gtk_adjustment_get_value(adjustment.pointer()) }
    set { gtk_adjustment_set_value(adjustment.pointer(), newValue) }
  }

  /// The greatest scroll position.
  package var end: Double {
    let adjustment = adjustment
    return gtk_adjustment_get_upper(adjustment.pointer())
      - gtk_adjustment_get_page_size(adjustment.pointer())
  }

  /// The rows whose widgets there are, also those out of view.
  package var liveRows: Int { live.count + spare.count }

  // MARK: Rows

  /// The window is being laid out now; rows are moved when that is done.
  private func updateSoon() {
    guard !isWaiting else { return }
    isWaiting = true
    whenIdle { [weak self] in
      self?.isWaiting = false
      self?.update()
      return false
    }
  }

  private func update() {
    guard gtk_widget_get_mapped(widget) != 0 else { return }
    let wanted = rowsInView
    for (index, row) in live where !wanted.contains(index) {
      take(row)
      live[index] = nil
    }
    for index in wanted where live[index] == nil {
      let row = spare.popLast() ?? add()
      live[index] = row
      row.show(index)
      gtk_fixed_move(field.pointer(), row.rowWidget.widget, Double(inset), Double(layout.top(of: index)))
      row.rowWidget.isVisible = true
    }
    sort(wanted)
  }

  private var rowsInView: Range<Int> {
    guard layout.count > 0 else { return 0..<0 }
    let top = Int(place)
    // Before the first layout the view's height is not known.
    let page = max(200, Int(gtk_adjustment_get_page_size(adjustment.pointer())))
    let first = max(0, layout.row(atHeight: top) - Self.ahead)
    return first..<min(layout.count, layout.row(atHeight: top + page) + 1 + Self.ahead)
  }

  private func add() -> any Row {
    let row = make()
    gtk_fixed_put(field.pointer(), row.rowWidget.widget, Double(inset), 0)
    return row
  }

  private func take(_ row: any Row) {
    row.leave()
    row.rowWidget.isVisible = false
    spare.append(row)
  }

  /// The keyboard goes from row to row in the order of the widgets.
  private func sort(_ rows: Range<Int>) {
    var previous: UnsafeMutablePointer<GtkWidget>?
    for index in rows {
      guard let widget = live[index]?.rowWidget.widget else { continue }
      if let previous, gtk_widget_get_prev_sibling(widget) != previous {
        gtk_widget_insert_after(widget, field.widget, previous)
      }
      previous = widget
    }
  }
}

private struct NoRows: RowLayout {
  let count = 0
  let height = 0
  func top(of row: Int) -> Int { 0 }
  func row(atHeight height: Int) -> Int { 0 }
}

/// An object that a signal hands over; valid while the signal lasts.
struct ObjectArgument: SignalArgument {
  var raw: UnsafeMutableRawPointer

  static func read(_ value: UnsafePointer<GValue>) -> ObjectArgument {
    guard let object = g_value_get_object(value) else { preconditionFailure("The signal has no object.") }
    return ObjectArgument(raw: object)
  }
}
