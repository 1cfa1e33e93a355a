import CGTK

/// Holds the one reference to a paintable whose picture changes.
///
/// The paintable is a GObject type of its own, registered here, that draws the texture in its picture.
final class PaintableReference: @unchecked Sendable {
  // Safe because all but the last release is on the main thread.

  nonisolated(unsafe) let pointer: OpaquePointer
  /// The picture before, which the window's last drawing still holds: cairo would copy it if it went first.
  @MainActor private var previous: Texture?

  @MainActor
  init() {
    pointer = OpaquePointer(g_object_new_with_properties(PaintableType.type, 0, nil, nil))
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(pointer))
  }

  @MainActor
  func show(_ texture: Texture?) {
    let instance = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: PaintableType.Instance.self)
    let old = PaintableType.texture(of: instance)
    previous = old
    instance.pointee.texture = texture.map { Unmanaged.passRetained($0).toOpaque() }
    let wasSize = old.map { PaintableType.size(of: $0) }
    let isSize = texture.map { PaintableType.size(of: $0) }
    if wasSize?.0 != isSize?.0 || wasSize?.1 != isSize?.1 { gdk_paintable_invalidate_size(pointer) }
    gdk_paintable_invalidate_contents(pointer)
    if let old { Unmanaged.passUnretained(old).release() }
  }
}

/// The paintable's type as GObject knows it.
enum PaintableType {
  /// An instance: GObject's own part, then the texture that it holds.
  struct Instance {
    var object: GObject
    var texture: UnsafeMutableRawPointer?
  }

  static func texture(of instance: UnsafeMutablePointer<Instance>) -> Texture? {
    instance.pointee.texture.map { Unmanaged<Texture>.fromOpaque($0).takeUnretainedValue() }
  }

  static func texture(of paintable: OpaquePointer?) -> Texture? {
    guard let paintable else { return nil }
    return texture(of: UnsafeMutableRawPointer(paintable).assumingMemoryBound(to: Instance.self))
  }

  static func size(of texture: Texture) -> (Int32, Int32) {
    (gdk_texture_get_width(texture.pointer), gdk_texture_get_height(texture.pointer))
  }

  /// Whether windows are drawn by cairo, where there is no graphics processor.
  nonisolated(unsafe) static var drawsByCairo = false  // Safe because the main thread alone uses it.

  private static func draw(
    _ surface: OpaquePointer, _ size: (Int32, Int32), _ snapshot: OpaquePointer?, _ width: Double,
    _ height: Double
  ) {
    var place = graphene_rect_t()
    graphene_rect_init(&place, 0, 0, Float(width), Float(height))
    guard size.0 > 0, size.1 > 0, let cairo = gtk_snapshot_append_cairo(snapshot, &place) else { return }
    draw(surface, size, on: cairo, width, height)
    cairo_destroy(cairo)
  }

  /// Draws the picture over so much of the place.
  static func draw(
    _ surface: OpaquePointer, _ size: (Int32, Int32), on cairo: OpaquePointer, _ width: Double,
    _ height: Double
  ) {
    // Pictures that were made for their place are copied: a fraction of a pixel is nothing to see, but much to compute.
    let isMade = abs(width - Double(size.0)) < 1 && abs(height - Double(size.1)) < 1
    if !isMade { cairo_scale(cairo, width / Double(size.0), height / Double(size.1)) }
    cairo_set_source_surface(cairo, surface, 0, 0)
    let pattern = cairo_get_source(cairo)
    cairo_pattern_set_filter(pattern, isMade ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR)
    if !isMade { cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD) }
    cairo_rectangle(cairo, 0, 0, Double(size.0), Double(size.1))
    cairo_fill(cairo)
  }

  /// Registered when it is first used.
  static let type: GType = {
    var info = GTypeInfo()
    info.class_size = guint16(MemoryLayout<GObjectClass>.size)
    info.instance_size = guint16(MemoryLayout<Instance>.size)
    info.class_init = { data, _ in
      data?.assumingMemoryBound(to: GObjectClass.self).pointee.finalize = { object in
        guard let object else { return }
        let instance = UnsafeMutableRawPointer(object).assumingMemoryBound(to: Instance.self)
        if let texture = instance.pointee.texture { Unmanaged<Texture>.fromOpaque(texture).release() }
        // Safe because the parent is GObject, whose class always has a way to end.
        g_type_class_peek(GType(20 << 2)).assumingMemoryBound(to: GObjectClass.self).pointee.finalize(object)
      }
    }
    let type = g_type_register_static(GType(20 << 2), "GTKKitLivePaintable", &info, GTypeFlags(rawValue: 0))
    var interface = GInterfaceInfo()
    interface.interface_init = { data, _ in
      guard let table = data?.assumingMemoryBound(to: GdkPaintableInterface.self) else { return }
      table.pointee.snapshot = { paintable, snapshot, width, height in
        guard let texture = texture(of: paintable) else { return }
        if drawsByCairo, let surface = texture.surface {
          return draw(surface, size(of: texture), snapshot, width, height)
        }
        gdk_paintable_snapshot(texture.pointer, snapshot, width, height)
      }
      table.pointee.get_intrinsic_width = { texture(of: $0).map { size(of: $0).0 } ?? 0 }
      table.pointee.get_intrinsic_height = { texture(of: $0).map { size(of: $0).1 } ?? 0 }
      table.pointee.get_flags = { _ in GdkPaintableFlags(rawValue: 0) }
    }
    g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
    return type
  }()
}
