import CGTK

/// A value on a line.
public final class Slider: Widget {
  public init(_ range: ClosedRange<Double>, step: Double, orientation: GtkOrientation = GTK_ORIENTATION_HORIZONTAL)
  {
    super.init(
      UnsafeMutableRawPointer(
        gtk_scale_new_with_range(orientation, range.lowerBound, range.upperBound, max(step, 0.0001))))
    gtk_scale_set_draw_value(pointer(), 0)
  }

  /// Where it stands; setting it calls nothing.
  public var value: Double {
    get { gtk_range_get_value(pointer()) }
    set {
      guard newValue != value else { return }
      quietly { gtk_range_set_value(pointer(), newValue) }
    }
  }

  /// The ends of the line.
  public func setRange(_ range: ClosedRange<Double>) {
    quietly { gtk_range_set_range(pointer(), range.lowerBound, range.upperBound) }
  }

  /// A mark on the line.
  public func mark(_ value: Double) { gtk_scale_add_mark(pointer(), value, GTK_POS_BOTTOM, nil) }

  /// Turns the ends of the line around.
  public func invert() { gtk_range_set_inverted(pointer(), 1) }

  /// Calls `body` when the user has moved it.
  @discardableResult
  public func onMove(_ body: @escaping @MainActor (Double) -> Void) -> Self {
    let raw = raw
    on("value-changed") {
      if !Object.isQuiet(raw) { body(gtk_range_get_value(raw.assumingMemoryBound(to: GtkRange.self))) }
    }
    return self
  }
}
