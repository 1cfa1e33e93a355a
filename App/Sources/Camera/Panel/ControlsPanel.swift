import CGTK
import CameraModel
import GTKKit

/// Every control that the camera has: Apple's first, then the driver's own.
@MainActor
final class ControlsPanel {
  let widget: Widget
  private let model: CameraModel
  private let column = Box(GTK_ORIENTATION_VERTICAL, spacing: 12).styled("panel")
  private var rows: [ControlRow] = []
  private var names: [ControlItem.Name] = []

  init(_ model: CameraModel) {
    self.model = model
    let title = Label(tr("Controls")).styled("title-4")
    let reset = Button(tr("Reset")).styled("flat")
    reset.described(tr("Put all controls back"))
    reset.onPress { model.resetControls() }
    let head = CenterBox(start: Box(GTK_ORIENTATION_HORIZONTAL), center: title, end: reset)
      .margins(top: 8, bottom: 4, start: 12, end: 12)
    let scroller = Scroller(column).expanding(false, true)
    widget = Box(GTK_ORIENTATION_VERTICAL, spacing: 0, head, scroller).least(width: 320).styled("background")
    model.controls.observe { [self] in render($0) }
  }

  private func render(_ items: [ControlItem]) {
    if items.map(\.id) != names {
      names = items.map(\.id)
      column.clear()
      rows = items.map { ControlRow($0, model) }
      addGroup(rows.filter { !$0.item.isDriver }, nil)
      addGroup(rows.filter { $0.item.isDriver }, tr("The camera's own"))
      if rows.isEmpty {
        column.append(
          Label(tr("This camera has no controls.")).styled("dim-label").margins(top: 24).wrapping())
      }
    }
    for (row, item) in zip(rows, items) { row.show(item) }
  }

  private func addGroup(_ rows: [ControlRow], _ title: String?) {
    guard !rows.isEmpty else { return }
    if let title { column.append(Label(title).styled("heading").leading().margins(top: 6)) }
    let list = Widget(UnsafeMutableRawPointer(gtk_list_box_new())).styled("boxed-list")
    gtk_list_box_set_selection_mode(list.opaque, GTK_SELECTION_NONE)
    for row in rows {
      gtk_list_box_append(list.opaque, row.widget.widget)
    }
    column.append(list)
  }
}
