import CGTK

/// The button that opens a small window of widgets, which goes with a click beside it.
package final class PopoverButton: Widget {
  private let popover: Widget

  /// A button with an icon, words for it, and what it opens.
  package init(icon: String, _ description: String, _ content: Widget) {
    popover = Widget(UnsafeMutableRawPointer(gtk_popover_new()))
    super.init(UnsafeMutableRawPointer(gtk_menu_button_new()))
    gtk_popover_set_child(popover.pointer(), content.widget)
    gtk_menu_button_set_icon_name(opaque, icon)
    gtk_menu_button_set_popover(opaque, popover.widget)
    popover.named(description)
    described(description)
  }

  /// Whether the small window is there.
  package var isOpen: Bool {
    get { popover.isVisible }
    set { newValue ? gtk_menu_button_popup(opaque) : gtk_menu_button_popdown(opaque) }
  }

  /// Calls `body` when it opens.
  @discardableResult
  package func onOpen(_ body: @escaping @MainActor () -> Void) -> Self {
    popover.on("show", body)
    return self
  }
}
