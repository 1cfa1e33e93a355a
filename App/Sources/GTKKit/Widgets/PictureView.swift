import CGTK
import GTKLayers

/// A picture that keeps its aspect within its place.
package final class PictureView: Widget {
  /// A place for a picture.
  package init() {
    super.init(UnsafeMutableRawPointer(gtk_picture_new()))
    gtk_picture_set_can_shrink(opaque, 1)
  }

  package func show(_ texture: Texture?) {
    guard let texture else { return gtk_picture_set_paintable(opaque, nil) }
    let paintable = PaintableReference()
    paintable.show(texture)
    gtk_picture_set_paintable(opaque, paintable.pointer)
  }

  /// Covers the whole place, and cuts what lies beyond.
  @discardableResult
  package func covering() -> PictureView {
    gtk_picture_set_content_fit(opaque, GTK_CONTENT_FIT_COVER)
    return self
  }

  /// The text for screen readers.
  @discardableResult
  package func described(as text: String) -> PictureView {
    gtk_picture_set_alternative_text(opaque, text)
    return self
  }
}
