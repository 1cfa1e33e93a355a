import CGTK

/// A list of as many rows as one likes, of which only those in view are widgets.
///
/// A row's widget is made once and shown again for other rows as the list is moved.
package final class LazyList: Widget {
  private let model: Object
  private var rows: [UnsafeMutableRawPointer: any Row] = [:]

  /// What shows rows: a widget, and how it is filled and left.
  @MainActor
  package protocol Row: AnyObject {
    var rowWidget: Widget { get }
    /// Shows the row at an index from now on.
    func show(_ index: Int)
    /// The row is no longer in view.
    func leave()
  }

  /// A list whose rows `make` makes.
  package init(_ make: @escaping @MainActor () -> any Row) {
    model = Object(taking: RowCount.make())
    // The selection and the list each take a reference that they are given.
    g_object_ref(model.raw)
    guard let rawFactory = gtk_signal_list_item_factory_new(),
      let rawSelection = gtk_no_selection_new(model.opaque)
    else { preconditionFailure("GTK has no memory for a list.") }
    let factory = Object(taking: rawFactory)
    let selection = Object(taking: rawSelection)
    g_object_ref(selection.raw)
    g_object_ref(factory.raw)
    super.init(UnsafeMutableRawPointer(gtk_list_view_new(selection.opaque, factory.opaque)))
    factory.on("setup") { [weak self] (item: ObjectArgument) in
      let row = make()
      self?.rows[item.raw] = row
      gtk_list_item_set_activatable(OpaquePointer(item.raw), 0)
      gtk_list_item_set_child(OpaquePointer(item.raw), row.rowWidget.widget)
    }
    factory.on("bind") { [weak self] (item: ObjectArgument) in
      self?.rows[item.raw]?.show(Int(gtk_list_item_get_position(OpaquePointer(item.raw))))
    }
    factory.on("unbind") { [weak self] (item: ObjectArgument) in self?.rows[item.raw]?.leave() }
    factory.on("teardown") { [weak self] (item: ObjectArgument) in
      self?.rows[item.raw] = nil
      gtk_list_item_set_child(OpaquePointer(item.raw), nil)
    }
  }

  /// How many rows there are; setting it shows all rows in view anew.
  package var count: Int {
    get { RowCount.count(model.raw) }
    set { RowCount.set(newValue, model.raw) }
  }

  /// Moves the list so that a row is in view.
  package func scroll(to row: Int) {
    gtk_widget_activate_action_variant(widget, "list.scroll-to-item", g_variant_new_uint32(guint32(row)))
  }

  /// The rows whose widgets there are, also those out of view.
  package var liveRows: Int { rows.count }
}

/// An object that a signal hands over; valid while the signal lasts.
struct ObjectArgument: SignalArgument {
  var raw: UnsafeMutableRawPointer

  static func read(_ value: UnsafePointer<GValue>) -> ObjectArgument {
    guard let object = g_value_get_object(value) else { preconditionFailure("The signal has no object.") }
    return ObjectArgument(raw: object)
  }
}

/// A list model that is nothing but a count: its items have no content.
@MainActor
enum RowCount {
  private struct Instance {
    var object: GObject
    var count: guint
  }

  /// GObject's own type, by its number.
  private static nonisolated let objectType = GType(20 << 2)

  private static let type: GType = {
    var info = GTypeInfo()
    info.class_size = guint16(MemoryLayout<GObjectClass>.size)
    info.instance_size = guint16(MemoryLayout<Instance>.size)
    let type = g_type_register_static(objectType, "GTKKitRowCount", &info, GTypeFlags(rawValue: 0))
    var interface = GInterfaceInfo()
    interface.interface_init = { data, _ in
      guard let table = data?.assumingMemoryBound(to: GListModelInterface.self) else { return }
      table.pointee.get_item_type = { _ in RowCount.objectType }
      table.pointee.get_n_items = { model in
        model.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Instance.self).pointee.count } ?? 0
      }
      table.pointee.get_item = { model, index in
        guard let model,
          index < UnsafeMutableRawPointer(model).assumingMemoryBound(to: Instance.self).pointee.count
        else { return nil }
        return UnsafeMutableRawPointer(g_object_new_with_properties(RowCount.objectType, 0, nil, nil))
      }
    }
    g_type_add_interface_static(type, g_list_model_get_type(), &interface)
    return type
  }()

  static func make() -> OpaquePointer {
    OpaquePointer(g_object_new_with_properties(type, 0, nil, nil))
  }

  static func count(_ raw: UnsafeMutableRawPointer) -> Int {
    Int(raw.assumingMemoryBound(to: Instance.self).pointee.count)
  }

  static func set(_ count: Int, _ raw: UnsafeMutableRawPointer) {
    let instance = raw.assumingMemoryBound(to: Instance.self)
    let old = instance.pointee.count
    instance.pointee.count = guint(max(0, count))
    g_list_model_items_changed(OpaquePointer(raw), 0, old, instance.pointee.count)
  }
}
