import CGTK
import GTKLayers

/// A line or more of text.
package final class Label: Widget {
  package init(_ text: String = "") {
    super.init(UnsafeMutableRawPointer(gtk_label_new(text)))
  }

  package var text: String {
    get { String(cString: gtk_label_get_text(opaque)) }
    set { if newValue != text { gtk_label_set_text(opaque, newValue) } }
  }

  /// Breaks long text into lines, up to so many.
  @discardableResult
  package func wrapping(lines: Int = -1) -> Label {
    gtk_label_set_wrap(opaque, 1)
    gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_lines(opaque, Int32(lines))
    if lines > 0 { gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END) }
    return self
  }

  /// Shortens the text where there is no room for it.
  @discardableResult
  package func shortening() -> Label {
    gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END)
    return self
  }

  /// Begins at the start of its place.
  @discardableResult
  package func leading() -> Label {
    gtk_label_set_xalign(opaque, 0)
    return self
  }
}

/// A picture from the icon theme.
package final class Icon: Widget {
  package init(_ name: String, size: Int = 16) {
    super.init(UnsafeMutableRawPointer(gtk_image_new_from_icon_name(name)))
    gtk_image_set_pixel_size(opaque, Int32(size))
  }

  package func show(_ name: String) { gtk_image_set_from_icon_name(opaque, name) }
}

/// A small square picture, like an icon.
package final class TextureIcon: Widget {
  package init(size: Int) {
    super.init(UnsafeMutableRawPointer(gtk_image_new()))
    gtk_image_set_pixel_size(opaque, Int32(size))
  }

  package func show(_ texture: Texture?) {
    guard let texture else { return gtk_image_set_from_paintable(opaque, nil) }
    let paintable = PaintableReference()
    paintable.show(texture)
    gtk_image_set_from_paintable(opaque, paintable.pointer)
  }
}
