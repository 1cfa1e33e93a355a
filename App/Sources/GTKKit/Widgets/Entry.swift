import CGTK

/// A line of text that the user writes.
package final class Entry: Widget {
  package init(hint: String) {
    super.init(UnsafeMutableRawPointer(gtk_entry_new()))
    gtk_entry_set_placeholder_text(pointer(), hint)
    named(hint)
  }

  package var text: String {
    get { String(cString: gtk_editable_get_text(opaque)) }
    set { gtk_editable_set_text(opaque, newValue) }
  }

  /// Calls `body` at Enter.
  package func onEnter(_ body: @escaping @MainActor () -> Void) { on("activate", body) }
}

/// A button that opens a small window of other widgets.
package final class PopoverButton: Widget {
  private let popover: Widget

  package init(icon: String, _ description: String, _ child: Widget) {
    popover = Widget(UnsafeMutableRawPointer(gtk_popover_new()))
    super.init(UnsafeMutableRawPointer(gtk_menu_button_new()))
    gtk_menu_button_set_icon_name(opaque, icon)
    gtk_popover_set_child(popover.pointer(), child.widget)
    gtk_menu_button_set_popover(opaque, popover.widget)
    described(description)
  }

  /// Closes the small window.
  package func close() { gtk_popover_popdown(popover.pointer()) }
}
