import CGTK

/// A drawing area.
package final class Canvas: Widget {
  private final class Drawer {
    let body: @MainActor (Pen, Double, Double) -> Void

    init(_ body: @escaping @MainActor (Pen, Double, Double) -> Void) {
      self.body = body
    }
  }

  /// An area that `draw` paints; it gets the width and the height.
  package init(_ draw: @escaping @MainActor (Pen, Double, Double) -> Void) {
    super.init(UnsafeMutableRawPointer(gtk_drawing_area_new()))
    gtk_drawing_area_set_draw_func(
      pointer(),
      { _, cairo, width, height, data in
        // Safe because GTK draws on the main thread.
        nonisolated(unsafe) let (cairo, data) = (cairo, data)
        MainActor.assumeIsolated {
          guard let cairo, let data else { return }
          Unmanaged<Drawer>.fromOpaque(data).takeUnretainedValue()
            .body(Pen(cairo: cairo), Double(width), Double(height))
        }
      }, Unmanaged.passRetained(Drawer(draw)).toOpaque(),
      { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } })
  }
}

/// Draws lines and shapes with cairo.
@MainActor
package struct Pen {
  let cairo: OpaquePointer

  package func color(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
    cairo_set_source_rgba(cairo, red, green, blue, alpha)
  }

  package func width(_ width: Double) { cairo_set_line_width(cairo, width) }

  package func move(_ x: Double, _ y: Double) { cairo_move_to(cairo, x, y) }

  package func line(_ x: Double, _ y: Double) { cairo_line_to(cairo, x, y) }

  package func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    cairo_rectangle(cairo, x, y, width, height)
  }

  /// A rectangle with round corners.
  package func rounded(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double) {
    cairo_new_sub_path(cairo)
    cairo_arc(cairo, x + width - radius, y + radius, radius, -.pi / 2, 0)
    cairo_arc(cairo, x + width - radius, y + height - radius, radius, 0, .pi / 2)
    cairo_arc(cairo, x + radius, y + height - radius, radius, .pi / 2, .pi)
    cairo_arc(cairo, x + radius, y + radius, radius, .pi, .pi * 1.5)
    cairo_close_path(cairo)
  }

  package func circle(_ x: Double, _ y: Double, radius: Double, from: Double = 0, to: Double = 2 * .pi) {
    cairo_new_sub_path(cairo)
    cairo_arc(cairo, x, y, radius, from, to)
  }

  package func close() { cairo_close_path(cairo) }

  package func stroke() { cairo_stroke(cairo) }

  package func fill() { cairo_fill(cairo) }

  /// Fills what lies between two outlines.
  package func fillBetween() {
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD)
    cairo_fill(cairo)
  }

  package func roundEnds() {
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
  }
}
