import CGTK

/// A value on a line.
package final class Slider: Widget {
  package init(
    _ range: ClosedRange<Double>, step: Double, orientation: GtkOrientation = GTK_ORIENTATION_HORIZONTAL
  ) {
    super.init(
      UnsafeMutableRawPointer(
        gtk_scale_new_with_range(orientation, range.lowerBound, range.upperBound, max(step, 0.0001))))
    gtk_scale_set_draw_value(pointer(), 0)
  }

  /// The value; setting it calls no handler.
  package var value: Double {
    get { gtk_range_get_value(pointer()) }
    set {
      guard newValue != value else { return }
      quietly { gtk_range_set_value(pointer(), newValue) }
    }
  }

  /// The ends of the line.
  package func setRange(_ range: ClosedRange<Double>) {
    quietly { gtk_range_set_range(pointer(), range.lowerBound, range.upperBound) }
  }

  /// A mark on the line.
  package func mark(_ value: Double) { gtk_scale_add_mark(pointer(), value, GTK_POS_BOTTOM, nil) }

  /// Turns the ends of the line around.
  package func invert() { gtk_range_set_inverted(pointer(), 1) }

  /// Calls `body` when the user has moved it.
  @discardableResult
  package func onMove(_ body: @escaping @MainActor (Double) -> Void) -> Self {
    let raw = raw
    on("value-changed") {
      if !Object.isQuiet(raw) { body(gtk_range_get_value(raw.assumingMemoryBound(to: GtkRange.self))) }
    }
    return self
  }
}
