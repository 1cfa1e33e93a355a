#if GTKLayers
  internal import CGTK4
  internal import Foundation

  /// The widget's type as GObject knows it: what a widget must do is passed on to its host.
  enum LayerWidget {
    private static let key = "obscura-layer-host"

    /// A new, floating widget that holds `host` until it is gone.
    @MainActor
    static func make() -> UnsafeMutableRawPointer {
      UnsafeMutableRawPointer(g_object_new_with_properties(type, 0, nil, nil))
    }

    @MainActor
    static func attach(_ host: LayerHost, to widget: UnsafeMutableRawPointer) {
      let kept = Unmanaged.passRetained(host).toOpaque()
      g_object_set_data_full(widget.assumingMemoryBound(to: GObject.self), key, kept) { data in
        // Safe because widgets go on the main thread.
        nonisolated(unsafe) let data = data
        MainActor.assumeIsolated {
          guard let data else { return }
          let host = Unmanaged<LayerHost>.fromOpaque(data).takeRetainedValue()
          host.end()
        }
      }
    }

    @MainActor
    private static func host(of widget: UnsafeMutablePointer<GtkWidget>?) -> LayerHost? {
      guard let widget else { return nil }
      let data = g_object_get_data(UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self), key)
      return data.map { Unmanaged<LayerHost>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the widget's window is drawn by cairo, where there is no graphics processor.
    @MainActor
    private static func isDrawnByCairo(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
      guard let native = gtk_widget_get_native(widget), let renderer = gtk_native_get_renderer(native),
        let name = g_type_name_from_instance(
          UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self))
      else { return false }
      return String(cString: name) == "GskCairoRenderer"
    }

    /// Registered when it is first used.
    private static let type: GType = {
      var parent = GTypeQuery()
      g_type_query(gtk_widget_get_type(), &parent)
      var info = GTypeInfo()
      info.class_size = guint16(parent.class_size)
      info.instance_size = guint16(parent.instance_size)
      info.class_init = { data, _ in
        guard let table = data?.assumingMemoryBound(to: GtkWidgetClass.self) else { return }
        gtk_widget_class_set_accessible_role(table, GTK_ACCESSIBLE_ROLE_IMG)
        table.pointee.size_allocate = { widget, width, height, _ in
          // Safe because GTK calls its widgets on the main thread.
          nonisolated(unsafe) let widget = widget
          MainActor.assumeIsolated {
            LayerWidget.host(of: widget)?.resize(
              width: Double(width), height: Double(height), scale: Double(gtk_widget_get_scale_factor(widget))
            )
          }
        }
        table.pointee.snapshot = { widget, snapshot in
          nonisolated(unsafe) let (widget, snapshot) = (widget, snapshot)
          MainActor.assumeIsolated {
            guard let widget, let snapshot, let host = LayerWidget.host(of: widget) else { return }
            host.resize(
              width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)),
              scale: Double(gtk_widget_get_scale_factor(widget)))
            host.draw(into: snapshot, byCairo: LayerWidget.isDrawnByCairo(widget))
          }
        }
      }
      return g_type_register_static(
        gtk_widget_get_type(), "ObscuraLayerView", &info, GTypeFlags(rawValue: 0))
    }()
  }
#endif
