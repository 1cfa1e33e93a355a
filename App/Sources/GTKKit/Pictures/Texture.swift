import CGTK

/// A picture that GTK can show; it never changes, and may be made on any thread.
package final class Texture: @unchecked Sendable {
  // Safe because textures never change and their counts are atomic.

  /// The texture.
  package let pointer: OpaquePointer
  /// The same pixels as cairo takes them: GTK 4.8 converts textures pixel by pixel for cairo, at each drawing.
  let surface: OpaquePointer?

  /// Wraps opaque pixels without copying them.
  package init(_ pixels: Pixels) {
    let surface = cairo_image_surface_create_for_data(
      UnsafeMutablePointer(mutating: pixels.base.assumingMemoryBound(to: UInt8.self)), CAIRO_FORMAT_RGB24,
      Int32(pixels.width), Int32(pixels.height), Int32(pixels.bytesPerRow))
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
}
