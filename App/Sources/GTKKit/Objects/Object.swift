import CGTK

/// A GObject that Swift holds: one reference from the beginning to the end of this wrapper.
///
/// A floating object, such as a new widget, is sunk. Wrappers are made and let go on the main thread; several may stand for
/// one object.
@MainActor
package class Object {
  /// The object; what C calls `gpointer`.
  nonisolated(unsafe) package let raw: UnsafeMutableRawPointer  // Safe because it is constant.

  /// Takes a reference of its own; of a floating object, the first one.
  package init(_ raw: UnsafeMutableRawPointer) {
    self.raw = raw
    g_object_ref_sink(raw)
  }

  /// Holds a widget.
  package convenience init(_ widget: UnsafeMutablePointer<GtkWidget>) {
    self.init(UnsafeMutableRawPointer(widget))
  }

  /// Holds an object whose C type is not known to Swift.
  package convenience init(_ pointer: OpaquePointer) {
    self.init(UnsafeMutableRawPointer(pointer))
  }

  deinit {
    g_object_unref(raw)
  }

  /// The object where C asks for a type that Swift does not see.
  package var opaque: OpaquePointer { OpaquePointer(raw) }

  /// The object as the type that the call asks for.
  package func pointer<Kind>() -> UnsafeMutablePointer<Kind> {
    raw.assumingMemoryBound(to: Kind.self)
  }

  /// Sets a property that is a Boolean.
  package func set(_ property: String, _ value: Bool) {
    var box = GValue()
    // Safe because GLib's fundamental types are numbers shifted by two bits.
    g_value_init(&box, GType(5 << 2))
    g_value_set_boolean(&box, value ? 1 : 0)
    g_object_set_property(pointer(), property, &box)
    g_value_unset(&box)
  }
}
