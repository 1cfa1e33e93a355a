import CGTK

/// Widgets in a row or a column.
package final class Box: Widget {
  package init(_ orientation: GtkOrientation, spacing: Int = 0, _ children: Widget...) {
    super.init(UnsafeMutableRawPointer(gtk_box_new(orientation, Int32(spacing))))
    for child in children { append(child) }
  }

  package func append(_ child: Widget) { gtk_box_append(pointer(), child.widget) }

  package func remove(_ child: Widget) { gtk_box_remove(pointer(), child.widget) }

  /// Takes all children away.
  package func clear() {
    while let child = gtk_widget_get_first_child(widget) { gtk_box_remove(pointer(), child) }
  }
}

/// Three places: the middle one stays in the middle.
package final class CenterBox: Widget {
  package init(start: Widget, center: Widget, end: Widget) {
    super.init(UnsafeMutableRawPointer(gtk_center_box_new()))
    gtk_center_box_set_start_widget(opaque, start.widget)
    gtk_center_box_set_center_widget(opaque, center.widget)
    gtk_center_box_set_end_widget(opaque, end.widget)
  }
}

/// Widgets above one another.
package final class Overlay: Widget {
  package init(_ child: Widget, _ above: Widget...) {
    super.init(UnsafeMutableRawPointer(gtk_overlay_new()))
    gtk_overlay_set_child(opaque, child.widget)
    for widget in above { gtk_overlay_add_overlay(opaque, widget.widget) }
  }
}

/// A widget that comes and goes with a movement.
package final class Revealer: Widget {
  package init(_ child: Widget, _ movement: GtkRevealerTransitionType) {
    super.init(UnsafeMutableRawPointer(gtk_revealer_new()))
    gtk_revealer_set_child(opaque, child.widget)
    gtk_revealer_set_transition_type(opaque, movement)
  }

  /// Whether the child is there.
  package var isRevealed: Bool {
    get { gtk_revealer_get_reveal_child(opaque) != 0 }
    set { if newValue != isRevealed { gtk_revealer_set_reveal_child(opaque, newValue ? 1 : 0) } }
  }
}

/// Widgets of which one is shown.
package final class Stack: Widget {
  package init(_ movement: GtkStackTransitionType = GTK_STACK_TRANSITION_TYPE_CROSSFADE) {
    super.init(UnsafeMutableRawPointer(gtk_stack_new()))
    gtk_stack_set_transition_type(opaque, movement)
  }

  package func add(_ child: Widget, _ name: String) {
    gtk_stack_add_named(opaque, child.widget, name)
  }

  /// The name of the child that is shown.
  package var shown: String {
    get { gtk_stack_get_visible_child_name(opaque).map { String(cString: $0) } ?? "" }
    set { if newValue != shown { gtk_stack_set_visible_child_name(opaque, newValue) } }
  }
}

/// A widget that is moved within a smaller place.
package final class Scroller: Widget {
  package init(_ child: Widget) {
    super.init(UnsafeMutableRawPointer(gtk_scrolled_window_new()))
    gtk_scrolled_window_set_child(opaque, child.widget)
    gtk_scrolled_window_set_policy(opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
  }
}
