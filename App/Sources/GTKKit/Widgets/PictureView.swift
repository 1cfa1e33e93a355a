import CGTK

/// A picture that keeps its aspect within its place.
public final class PictureView: Widget {
  /// A place for pictures that keep coming.
  public init(_ live: LivePaintable) {
    super.init(UnsafeMutableRawPointer(gtk_picture_new_for_paintable(live.pointer)))
    gtk_picture_set_can_shrink(opaque, 1)
  }

  /// A place for one picture at a time.
  public init() {
    super.init(UnsafeMutableRawPointer(gtk_picture_new()))
    gtk_picture_set_can_shrink(opaque, 1)
  }

  public func show(_ texture: Texture?) { gtk_picture_set_paintable(opaque, texture?.pointer) }

  /// Covers the whole place, and cuts what lies beyond.
  @discardableResult
  public func covering() -> PictureView {
    gtk_picture_set_content_fit(opaque, GTK_CONTENT_FIT_COVER)
    return self
  }

  /// What screen readers speak.
  @discardableResult
  public func described(as text: String) -> PictureView {
    gtk_picture_set_alternative_text(opaque, text)
    return self
  }
}
