import CGTK
import Foundation
import GTKLayers
import Testing

@Suite(.serialized) @MainActor struct CairoPictureTests {
  private final class Bytes {
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
    deinit { base.deallocate() }
  }

  /// The corners of two pixels by two, red, green, blue and white, drawn over a place of `side` by `side`.
  private func corners(_ side: Int) throws -> [[UInt8]] {
    let bytes = Bytes()
    for (index, value) in Self.colors.joined().enumerated() { bytes.base[index] = value }
    let texture = Texture(Pixels(width: 2, height: 2, bytesPerRow: 8, base: bytes.base, owner: bytes))
    let surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(side), Int32(side)))
    defer { cairo_surface_destroy(surface) }
    let cairo = try #require(cairo_create(surface))
    if gtk_is_initialized() == 0 { gtk_init_check() }
    let snapshot = try #require(gtk_snapshot_new())
    texture.append(to: snapshot, in: CGRect(x: 0, y: 0, width: side, height: side), byCairo: true)
    let node = try #require(gtk_snapshot_free_to_node(snapshot))
    gsk_render_node_draw(node, cairo)
    gsk_render_node_unref(node)
    cairo_destroy(cairo)
    cairo_surface_flush(surface)
    let data = try #require(cairo_image_surface_get_data(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    let end = side - 1
    return [(0, 0), (end, 0), (0, end), (end, end)].map { x, y in
      (0..<4).map { data[y * stride + x * 4 + $0] }
    }
  }

  private static let colors: [[UInt8]] = [
    [0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 255], [255, 255, 255, 255],
  ]

  @Test func `a picture covers its place with its own colours, as it is or magnified`() throws {
    #expect(try corners(2) == Self.colors)
    #expect(try corners(8) == Self.colors)
  }
}
