import CGTK

/// A line of text that the user writes.
package final class Entry: Widget {
  package init(hint: String) {
    super.init(UnsafeMutableRawPointer(gtk_entry_new()))
    gtk_entry_set_placeholder_text(pointer(), hint)
    named(hint)
    // The keyboard is in a part of the line, which screen readers speak of.
    if let part = gtk_editable_get_delegate(opaque) { Widget(UnsafeMutableRawPointer(part)).named(hint) }
  }

  package var text: String {
    get { String(cString: gtk_editable_get_text(opaque)) }
    set { gtk_editable_set_text(opaque, newValue) }
  }

  /// Calls `body` at Enter.
  package func onEnter(_ body: @escaping @MainActor () -> Void) { on("activate", body) }
}

extension Widget {
  /// Gives words for screen readers to lines of text inside that others have made.
  package func nameEditables(_ text: String) {
    var child = gtk_widget_get_first_child(widget)
    while let now = child {
      let inner = Widget(UnsafeMutableRawPointer(now))
      if g_type_check_instance_is_a(inner.pointer(), gtk_editable_get_type()) != 0 { inner.named(text) }
      inner.nameEditables(text)
      child = gtk_widget_get_next_sibling(now)
    }
  }
}
