#if GTKLayers
  internal import CGTK4
  public import Foundation

  /// A picture that GTK can show; it never changes, and may be made on any thread.
  public final class Texture: @unchecked Sendable {
    // Safe because textures never change and their counts are atomic.

    /// The `GdkTexture`, owned by this object.
    public let pointer: OpaquePointer
    /// Pixels of a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// The same pixels as cairo takes them: GTK 4.8 converts textures pixel by pixel for cairo, at each drawing.
    private let surface: OpaquePointer?

    /// Wraps pixels without copying them.
    public init(_ pixels: Pixels) {
      width = pixels.width
      height = pixels.height
      let surface = cairo_image_surface_create_for_data(
        UnsafeMutablePointer(mutating: pixels.base.assumingMemoryBound(to: UInt8.self)),
        pixels.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, Int32(pixels.width), Int32(pixels.height),
        Int32(pixels.bytesPerRow))
      if let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS {
        // What cairo has recorded may outlive this.
        let kept = Unmanaged.passRetained(pixels.owner).toOpaque()
        cairo_surface_set_user_data(surface, &Self.key, kept) { owner in
          if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() }
        }
        self.surface = surface
      } else {
        self.surface = nil
      }
      let owner = Unmanaged.passRetained(pixels.owner).toOpaque()
      let bytes = g_bytes_new_with_free_func(
        pixels.base, gsize(pixels.bytesPerRow * (pixels.height - 1) + pixels.width * 4),
        { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } }, owner)
      pointer = gdk_memory_texture_new(
        Int32(pixels.width), Int32(pixels.height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes,
        gsize(pixels.bytesPerRow))
      g_bytes_unref(bytes)
    }

    nonisolated(unsafe) private static var key = cairo_user_data_key_t()  // Safe because nothing reads it.

    deinit {
      if let surface { cairo_surface_destroy(surface) }
      g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    /// Puts the picture into a `GtkSnapshot`, stretched over a place.
    ///
    /// - Parameter byCairo: Whether the window is drawn by cairo, as where there is no graphics processor.
    public func append(to snapshot: OpaquePointer, in place: CGRect, byCairo: Bool) {
      var rectangle = graphene_rect_t(place)
      guard byCairo, let surface else {
        return gtk_snapshot_append_texture(snapshot, pointer, &rectangle)
      }
      guard width > 0, height > 0, let cairo = gtk_snapshot_append_cairo(snapshot, &rectangle) else { return }
      // Pictures that were made for their place are copied: a fraction of a pixel is nothing to see, but much to compute.
      let isMade = abs(place.width - Double(width)) < 1 && abs(place.height - Double(height)) < 1
      cairo_translate(cairo, place.minX, place.minY)
      if !isMade { cairo_scale(cairo, place.width / Double(width), place.height / Double(height)) }
      cairo_set_source_surface(cairo, surface, 0, 0)
      let pattern = cairo_get_source(cairo)
      cairo_pattern_set_filter(pattern, isMade ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR)
      if !isMade { cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD) }
      cairo_rectangle(cairo, 0, 0, Double(width), Double(height))
      cairo_fill(cairo)
      cairo_destroy(cairo)
    }
  }

  extension graphene_rect_t {
    /// A rectangle as GTK takes it.
    init(_ rectangle: CGRect) {
      self.init()
      graphene_rect_init(
        &self, Float(rectangle.minX), Float(rectangle.minY), Float(rectangle.width), Float(rectangle.height))
    }
  }
#endif
