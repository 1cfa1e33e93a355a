import CGTK
import Glibc

/// A GTK widget.
@MainActor
package class Widget: Object {
  /// The widget where C asks for one.
  package var widget: UnsafeMutablePointer<GtkWidget> { pointer() }

  /// Whether it is shown.
  package var isVisible: Bool {
    get { gtk_widget_get_visible(widget) != 0 }
    set { if newValue != isVisible { gtk_widget_set_visible(widget, newValue ? 1 : 0) } }
  }

  /// Whether it reacts to the user.
  package var isSensitive: Bool {
    get { gtk_widget_get_sensitive(widget) != 0 }
    set { if newValue != isSensitive { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) } }
  }

  /// The size that it has on the screen.
  package var size: (width: Int, height: Int) {
    (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
  }

  /// The screen's pixels for each of GTK's.
  package var scale: Int { Int(gtk_widget_get_scale_factor(widget)) }

  /// Draws it again.
  package func redraw() { gtk_widget_queue_draw(widget) }

  /// Calls `body` once, when what the widget shows now is on its way to the screen.
  package func afterPaint(_ body: @escaping @MainActor () -> Void) {
    guard let clock = gtk_widget_get_frame_clock(widget) else { return }
    let frames = Object(clock)
    let connection = Connection()
    connection.handler = frames.on("after-paint") {
      frames.disconnect(connection.handler)
      body()
    }
    gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_PAINT)
  }

  /// Calls `body` before each frame of the screen, as often as it answers `true`.
  package func everyFrame(_ body: @escaping @MainActor () -> Bool) {
    guard let clock = gtk_widget_get_frame_clock(widget) else { return }
    let frames = Object(clock)
    let connection = Connection()
    connection.handler = frames.on("update") {
      if body() { return }
      frames.disconnect(connection.handler)
      gdk_frame_clock_end_updating(clock)
    }
    gdk_frame_clock_begin_updating(clock)
  }

  /// Takes the keyboard.
  package func focus() { gtk_widget_grab_focus(widget) }

  /// Gives it classes of the style sheet.
  @discardableResult
  package func styled(_ classes: String...) -> Self {
    for name in classes { gtk_widget_add_css_class(widget, name) }
    return self
  }

  /// Gives it a class of the style sheet, or takes it away.
  package func setStyle(_ name: String, _ on: Bool) {
    if on { gtk_widget_add_css_class(widget, name) } else { gtk_widget_remove_css_class(widget, name) }
  }

  /// Aligns it in a larger space.
  @discardableResult
  package func aligned(_ horizontal: GtkAlign = GTK_ALIGN_FILL, _ vertical: GtkAlign = GTK_ALIGN_FILL) -> Self
  {
    gtk_widget_set_halign(widget, horizontal)
    gtk_widget_set_valign(widget, vertical)
    return self
  }

  /// Whether it takes what place there is.
  @discardableResult
  package func expanding(_ horizontal: Bool = true, _ vertical: Bool = true) -> Self {
    gtk_widget_set_hexpand(widget, horizontal ? 1 : 0)
    gtk_widget_set_vexpand(widget, vertical ? 1 : 0)
    return self
  }

  /// Room around it.
  @discardableResult
  package func margins(top: Int = 0, bottom: Int = 0, start: Int = 0, end: Int = 0) -> Self {
    gtk_widget_set_margin_top(widget, Int32(top))
    gtk_widget_set_margin_bottom(widget, Int32(bottom))
    gtk_widget_set_margin_start(widget, Int32(start))
    gtk_widget_set_margin_end(widget, Int32(end))
    return self
  }

  /// The least size.
  @discardableResult
  package func least(width: Int = -1, height: Int = -1) -> Self {
    gtk_widget_set_size_request(widget, Int32(width), Int32(height))
    return self
  }

  /// The words of the pointer's hint, which screen readers speak, too.
  @discardableResult
  package func described(_ text: String) -> Self {
    gtk_widget_set_tooltip_text(widget, text)
    return named(text)
  }

  /// The words that screen readers speak.
  @discardableResult
  package func named(_ text: String) -> Self {
    var property = GTK_ACCESSIBLE_PROPERTY_LABEL
    var value = GValue()
    // Safe because GLib's fundamental types are numbers shifted by two bits: this is a text.
    g_value_init(&value, GType(16 << 2))
    g_value_set_string(&value, text)
    gtk_accessible_update_property_value(opaque, 1, &property, &value)
    g_value_unset(&value)
    return self
  }

  /// Lets pointer and fingers through to what lies below.
  @discardableResult
  package func untouchable() -> Self {
    gtk_widget_set_can_target(widget, 0)
    return self
  }

  /// Connects it to an action: `app.quit`; with a text that the action takes.
  package func setAction(_ name: String, target: String? = nil) {
    gtk_actionable_set_action_name(opaque, name)
    if let target { gtk_actionable_set_action_target_value(opaque, g_variant_new_string(target)) }
  }
}

/// A handler's name, for a handler that ends itself.
@MainActor
private final class Connection {
  var handler: UInt = 0
}
