import CGTK

/// A picture that GTK can show; it never changes, and may be made on any thread.
package final class Texture: @unchecked Sendable {
  // Safe because textures never change and their counts are atomic.

  /// The texture.
  package let pointer: OpaquePointer

  /// Wraps pixels without copying them.
  package init(_ pixels: Pixels) {
    let owner = Unmanaged.passRetained(pixels.owner).toOpaque()
    let bytes = g_bytes_new_with_free_func(
      pixels.base, gsize(pixels.bytesPerRow * (pixels.height - 1) + pixels.width * 4),
      { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } }, owner)
    pointer = gdk_memory_texture_new(
      Int32(pixels.width), Int32(pixels.height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes,
      gsize(pixels.bytesPerRow))
    g_bytes_unref(bytes)
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(pointer))
  }
}
