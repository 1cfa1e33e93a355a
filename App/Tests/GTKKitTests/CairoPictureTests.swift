import CGTK
import Testing

@testable import GTKKit

@Suite(.serialized) @MainActor struct CairoPictureTests {
  private final class Bytes {
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
    deinit { base.deallocate() }
  }

  /// Two pixels by two: red, green, blue, white, as a window of four by four shows them.
  private func drawn(byCairo: Bool) throws -> [[UInt8]] {
    let bytes = Bytes()
    let colors: [[UInt8]] = [[0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 255], [255, 255, 255, 255]]
    for (index, value) in colors.joined().enumerated() { bytes.base[index] = value }
    let paintable = PaintableReference()
    paintable.show(Texture(Pixels(width: 2, height: 2, bytesPerRow: 8, base: bytes.base, owner: bytes)))
    PaintableType.drawsByCairo = byCairo
    defer { PaintableType.drawsByCairo = false }
    let snapshot = try #require(gtk_snapshot_new())
    gdk_paintable_snapshot(paintable.pointer, OpaquePointer(snapshot), 4, 4)
    let node = try #require(gtk_snapshot_free_to_node(snapshot))
    let surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 4, 4))
    let cairo = try #require(cairo_create(surface))
    gsk_render_node_draw(node, cairo)
    cairo_destroy(cairo)
    gsk_render_node_unref(node)
    cairo_surface_flush(surface)
    let data = try #require(cairo_image_surface_get_data(surface))
    defer { cairo_surface_destroy(surface) }
    let stride = Int(cairo_image_surface_get_stride(surface))
    // The corners: no neighbour has a share in them.
    return [(0, 0), (3, 0), (0, 3), (3, 3)].map { x, y in (0..<4).map { data[y * stride + x * 4 + $0] } }
  }

  @Test func `a picture has the same colours whether cairo or GTK's own textures draw it`() throws {
    let corners: [[UInt8]] = [[0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 255], [255, 255, 255, 255]]
    #expect(try drawn(byCairo: true) == corners)
    #expect(try drawn(byCairo: false) == corners)
  }
}
