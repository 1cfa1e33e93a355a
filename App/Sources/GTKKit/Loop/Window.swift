import CGTK

/// A window of the program with what libadwaita gives to windows.
package final class Window: Widget {
  /// A window of `application` that is not shown yet.
  package init(_ application: Application, title: String, width: Int, height: Int) {
    super.init(UnsafeMutableRawPointer(adw_application_window_new(application.pointer())))
    gtk_window_set_title(pointer(), title)
    gtk_window_set_default_size(pointer(), Int32(width), Int32(height))
  }

  /// Fills the window.
  package func setContent(_ content: Widget) {
    adw_application_window_set_content(pointer(), content.widget)
  }

  package func present() {
    gtk_window_present(pointer())
    guard let renderer = gtk_native_get_renderer(opaque),
      let name = g_type_name_from_instance(
        UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self))
    else { return }
    PaintableType.drawsByCairo = String(cString: name) == "GskCairoRenderer"
  }

  /// Whether keys go to a line of text, or to a menu that is open.
  package var isTypedIn: Bool {
    guard let focus = gtk_window_get_focus(pointer()) else { return false }
    return [gtk_text_get_type(), gtk_text_view_get_type(), gtk_popover_get_type()].contains {
      gtk_widget_get_ancestor(focus, $0) != nil
    }
  }

  package func close() { gtk_window_close(pointer()) }

  package func maximize() { gtk_window_maximize(pointer()) }

  package var isMaximized: Bool { gtk_window_is_maximized(pointer()) != 0 }

  /// Whether it covers the whole screen.
  package var isFullScreen: Bool {
    get { gtk_window_is_fullscreen(pointer()) != 0 }
    set { newValue ? gtk_window_fullscreen(pointer()) : gtk_window_unfullscreen(pointer()) }
  }

  /// The size that it has, or has again when it is no longer maximized.
  package var ordinarySize: (width: Int, height: Int) {
    var (width, height) = (Int32(0), Int32(0))
    gtk_window_get_default_size(pointer(), &width, &height)
    return (Int(width), Int(height))
  }
}

/// The look of the whole program.
@MainActor
package enum Look {
  /// Takes a style sheet and a folder of icons.
  package static func load(styleSheet: String, icons: String) {
    guard let display = gdk_display_get_default() else { return }
    let provider = gtk_css_provider_new()
    gtk_css_provider_load_from_path(provider, styleSheet)
    gtk_style_context_add_provider_for_display(
      display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(display), icons)
  }

  /// Follows the desktop (`nil`), or is light or dark.
  package static func setDark(_ isDark: Bool?) {
    let scheme =
      switch isDark {
      case nil: ADW_COLOR_SCHEME_DEFAULT
      case true?: ADW_COLOR_SCHEME_FORCE_DARK
      case false?: ADW_COLOR_SCHEME_FORCE_LIGHT
      }
    adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
  }
}

/// The bar at the top of a window.
package final class HeaderBar: Widget {
  package init(title: Widget) {
    super.init(UnsafeMutableRawPointer(adw_header_bar_new()))
    adw_header_bar_set_title_widget(opaque, title.widget)
  }

  package func addStart(_ child: Widget) { adw_header_bar_pack_start(opaque, child.widget) }

  package func addEnd(_ child: Widget) { adw_header_bar_pack_end(opaque, child.widget) }

  /// Leaves no button of the window but the one that closes it, where there is little room.
  package func setNarrow(_ isNarrow: Bool) {
    adw_header_bar_set_decoration_layout(opaque, isNarrow ? ":close" : nil)
  }
}

/// Lines that come over the content and go by themselves.
package final class Toasts: Widget {
  private let close: String

  /// - Parameters:
  ///   - child: What the lines come over.
  ///   - close: The name of the button that takes a line away, for screen readers and the pointer's hint.
  package init(_ child: Widget, close: String) {
    self.close = close
    super.init(UnsafeMutableRawPointer(adw_toast_overlay_new()))
    adw_toast_overlay_set_child(opaque, child.widget)
  }

  /// Says a line for some seconds, with a button that calls an action.
  ///
  /// - Returns: The line, for ``dismiss(_:)``.
  @discardableResult
  package func say(_ text: String, button: String? = nil, action: String? = nil, seconds: Double = 5)
    -> Object?
  {
    let toast = adw_toast_new("")
    // A line of libadwaita's own shortens a sentence that is longer than the window is wide.
    let title = Label(text).wrapping().styled("heading")
    // Room for the button of a window as narrow as a phone.
    gtk_label_set_max_width_chars(title.opaque, 28)
    let shown = title.widget
    title.on("map") { [close] in Self.nameClose(of: shown, close) }
    withExtendedLifetime(title) { adw_toast_set_custom_title(toast, title.widget) }
    let line = toast.map { Object(UnsafeMutableRawPointer($0)) }
    if let button, let action {
      adw_toast_set_button_label(toast, button)
      adw_toast_set_action_name(toast, action)
    }
    adw_toast_set_timeout(toast, guint(seconds))
    adw_toast_overlay_add_toast(opaque, toast)
    return line
  }

  /// Names the button that libadwaita leaves without a name: the last child of the line that holds the title.
  private static func nameClose(of title: UnsafeMutablePointer<GtkWidget>, _ name: String) {
    var line = gtk_widget_get_parent(title)
    while let widget = line, gtk_widget_get_css_name(widget).map({ String(cString: $0) }) != "toast" {
      line = gtk_widget_get_parent(widget)
    }
    guard let line, let button = gtk_widget_get_last_child(line) else { return }
    Widget(UnsafeMutableRawPointer(button)).described(name)
  }

  /// Takes a line away.
  package func dismiss(_ line: Object) { adw_toast_dismiss(line.opaque) }
}

/// A panel beside the content; over it where the window is narrow.
package final class SidePanel: Widget {
  package init(content: Widget, panel: Widget) {
    super.init(UnsafeMutableRawPointer(adw_flap_new()))
    adw_flap_set_content(opaque, content.widget)
    adw_flap_set_flap(opaque, panel.widget)
    adw_flap_set_flap_position(opaque, GTK_PACK_END)
    adw_flap_set_separator(opaque, gtk_separator_new(GTK_ORIENTATION_VERTICAL))
    adw_flap_set_reveal_flap(opaque, 0)
    adw_flap_set_swipe_to_open(opaque, 0)
  }

  /// Whether the panel is there.
  package var isRevealed: Bool {
    get { adw_flap_get_reveal_flap(opaque) != 0 }
    set { adw_flap_set_reveal_flap(opaque, newValue ? 1 : 0) }
  }
}

/// A page that says what is the matter, with an icon and something to do about it.
package final class StatusPage: Widget {
  package init() {
    super.init(UnsafeMutableRawPointer(adw_status_page_new()))
  }

  package func show(icon: String, title: String, text: String) {
    adw_status_page_set_icon_name(opaque, icon)
    adw_status_page_set_title(opaque, title)
    guard let escaped = g_markup_escape_text(text, -1) else { return }
    adw_status_page_set_description(opaque, escaped)
    g_free(escaped)
  }

  package func setChild(_ child: Widget) { adw_status_page_set_child(opaque, child.widget) }
}

/// The button that opens a menu of actions.
package final class MenuButton: Widget {
  /// Each section is a list of words and actions.
  package init(icon: String, _ description: String, sections: [[(label: String, action: String)]]) {
    super.init(UnsafeMutableRawPointer(gtk_menu_button_new()))
    gtk_menu_button_set_icon_name(opaque, icon)
    let menu = g_menu_new()
    for section in sections {
      let part = g_menu_new()
      for entry in section { g_menu_append(part, entry.label, entry.action) }
      // Safe because a GMenu is a GMenuModel.
      g_menu_append_section(
        menu, nil, part.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GMenuModel.self) })
      if let part { g_object_unref(UnsafeMutableRawPointer(part)) }
    }
    gtk_menu_button_set_menu_model(
      opaque, menu.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GMenuModel.self) })
    if let menu { g_object_unref(UnsafeMutableRawPointer(menu)) }
    gtk_menu_button_set_primary(opaque, 1)
    described(description)
  }
}
