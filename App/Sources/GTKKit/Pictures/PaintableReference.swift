import CGTK
import Foundation
import GTKLayers

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
    (Int32(texture.width), Int32(texture.height))
  }

  /// Whether windows are drawn by cairo, where there is no graphics processor.
  nonisolated(unsafe) static var drawsByCairo = false  // Safe because the main thread alone uses it.

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
    let type = g_type_register_static(GType(20 << 2), "GTKKitPaintable", &info, GTypeFlags(rawValue: 0))
    var interface = GInterfaceInfo()
    interface.interface_init = { data, _ in
      guard let table = data?.assumingMemoryBound(to: GdkPaintableInterface.self) else { return }
      table.pointee.snapshot = { paintable, snapshot, width, height in
        guard let texture = texture(of: paintable), let snapshot else { return }
        texture.append(
          to: snapshot, in: CGRect(x: 0, y: 0, width: width, height: height), byCairo: drawsByCairo)
      }
      table.pointee.get_intrinsic_width = { texture(of: $0).map { size(of: $0).0 } ?? 0 }
      table.pointee.get_intrinsic_height = { texture(of: $0).map { size(of: $0).1 } ?? 0 }
      table.pointee.get_flags = { _ in GdkPaintableFlags(rawValue: 0) }
    }
    g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
    return type
  }()
}
