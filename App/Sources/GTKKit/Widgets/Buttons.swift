import CGTK

/// A push button with a text, an icon or another widget.
package class Button: Widget {
  /// A button with a text.
  package init(_ label: String) {
    super.init(UnsafeMutableRawPointer(gtk_button_new_with_label(label)))
  }

  /// A button with an icon, and words for it.
  package init(icon: String, _ description: String) {
    super.init(UnsafeMutableRawPointer(gtk_button_new_from_icon_name(icon)))
    described(description)
  }

  /// A button around another widget.
  package init(_ child: Widget, _ description: String) {
    super.init(UnsafeMutableRawPointer(gtk_button_new()))
    gtk_button_set_child(pointer(), child.widget)
    described(description)
  }

  init(made: UnsafeMutablePointer<GtkWidget>) {
    super.init(UnsafeMutableRawPointer(made))
  }

  package func setIcon(_ name: String) { gtk_button_set_icon_name(pointer(), name) }

  package func setLabel(_ text: String) { gtk_button_set_label(pointer(), text) }

  /// Calls `body` at each press.
  @discardableResult
  package func onPress(_ body: @escaping @MainActor () -> Void) -> Self {
    on("clicked", body)
    return self
  }
}

/// A button that stays down.
package final class ToggleButton: Button {
  package init(toggle label: String) {
    super.init(made: gtk_toggle_button_new_with_label(label))
  }

  package init(toggleIcon icon: String, _ description: String) {
    super.init(made: gtk_toggle_button_new())
    setIcon(icon)
    described(description)
  }

  /// Whether it is down; setting it calls nothing.
  package var isOn: Bool {
    get { gtk_toggle_button_get_active(pointer()) != 0 }
    set {
      guard newValue != isOn else { return }
      quietly { gtk_toggle_button_set_active(pointer(), newValue ? 1 : 0) }
    }
  }

  /// Calls `body` when the user has changed it.
  @discardableResult
  package func onToggle(_ body: @escaping @MainActor (Bool) -> Void) -> Self {
    let raw = raw
    on("toggled") {
      if !Object.isQuiet(raw) {
        body(gtk_toggle_button_get_active(raw.assumingMemoryBound(to: GtkToggleButton.self)) != 0)
      }
    }
    return self
  }
}

/// A switch between on and off.
package final class Switch: Widget {
  package init() {
    super.init(UnsafeMutableRawPointer(gtk_switch_new()))
    aligned(GTK_ALIGN_END, GTK_ALIGN_CENTER)
  }

  /// Whether it is on; setting it calls nothing.
  package var isOn: Bool {
    get { gtk_switch_get_active(opaque) != 0 }
    set {
      guard newValue != isOn else { return }
      quietly { gtk_switch_set_active(opaque, newValue ? 1 : 0) }
    }
  }

  /// Calls `body` when the user has changed it.
  @discardableResult
  package func onToggle(_ body: @escaping @MainActor (Bool) -> Void) -> Self {
    let raw = raw
    on("notify::active") {
      if !Object.isQuiet(raw) { body(gtk_switch_get_active(OpaquePointer(raw)) != 0) }
    }
    return self
  }
}

/// A list of which one entry is chosen.
package final class Menu: Widget {
  private var shownEntries: [String] = []

  package init(_ entries: [String]) {
    super.init(UnsafeMutableRawPointer(gtk_drop_down_new(nil, nil)))
    self.entries = entries
    aligned(GTK_ALIGN_FILL, GTK_ALIGN_CENTER)
  }

  /// Shortens its words where there is no room for them.
  @discardableResult
  package func shortening() -> Menu {
    guard let raw = gtk_signal_list_item_factory_new() else { return self }
    let factory = Object(taking: raw)
    factory.on("setup") { (item: ObjectArgument) in
      let label = Label().leading()
      gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
      gtk_list_item_set_child(OpaquePointer(item.raw), label.widget)
    }
    factory.on("bind") { (item: ObjectArgument) in
      let item = OpaquePointer(item.raw)
      guard let text = gtk_list_item_get_item(item), let label = gtk_list_item_get_child(item) else { return }
      gtk_label_set_text(
        OpaquePointer(label), gtk_string_object_get_string(OpaquePointer(UnsafeMutableRawPointer(text))))
    }
    gtk_drop_down_set_factory(opaque, factory.opaque)
    return self
  }

  /// The entries; setting them chooses the first.
  package var entries: [String] {
    get { shownEntries }
    set {
      guard newValue != shownEntries else { return }
      shownEntries = newValue
      let list = gtk_string_list_new(nil)
      for entry in newValue { gtk_string_list_append(list, entry) }
      quietly { gtk_drop_down_set_model(opaque, list) }
      if let list { g_object_unref(UnsafeMutableRawPointer(list)) }
    }
  }

  /// The chosen entry; setting it calls nothing.
  package var selected: Int {
    get { Int(gtk_drop_down_get_selected(opaque)) }
    set {
      guard newValue != selected else { return }
      quietly { gtk_drop_down_set_selected(opaque, guint(newValue)) }
    }
  }

  /// Calls `body` when the user has chosen.
  @discardableResult
  package func onChoice(_ body: @escaping @MainActor (Int) -> Void) -> Self {
    let raw = raw
    on("notify::selected") {
      if !Object.isQuiet(raw) { body(Int(gtk_drop_down_get_selected(OpaquePointer(raw)))) }
    }
    return self
  }
}
