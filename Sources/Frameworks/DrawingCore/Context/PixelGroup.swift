internal import CPangoCairo
internal import Foundation
internal import GraphicsCore

/// The pixels of one of the library's pictures.
struct PixelGroup {
  let surface: OpaquePointer
  private let isColored: Bool

  init(_ surface: OpaquePointer) {
    self.surface = surface
    isColored = cairo_image_surface_get_format(surface) != CAIRO_FORMAT_A8
  }

  /// Exchanges red and blue of each pixel.
  func swapRedAndBlue() {
    guard isColored else { return }
    eachRow { row, width in
      row.withMemoryRebound(to: UInt32.self, capacity: width) { pixels in
        for x in 0..<width {
          let pixel = pixels[x]
          pixels[x] = pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16
        }
      }
    }
  }

  /// Leaves what a mask lets through.
  func multiply(by mask: GraphicsState.Mask) {
    guard let cairo = cairo_create(surface) else { return }
    defer { cairo_destroy(cairo) }
    var matrix = cairo_matrix_t(mask.place)
    cairo_set_matrix(cairo, &matrix)
    cairo_set_operator(cairo, CAIRO_OPERATOR_DEST_IN)
    cairo_set_source_surface(cairo, mask.surface.pointer, 0, 0)
    cairo_paint(cairo)
  }

  /// The alpha, spread by a blur.
  ///
  /// Three box blurs come near the Gaussian whose deviation is half of the radius (Wells, 1986).
  ///
  /// - Returns: A picture of alpha, and where its corner lies in the library's device space.
  func blurredAlpha(radius: CGFloat) -> (surface: CairoSurface, origin: CGPoint)? {
    let (width, height) = (
      Int(cairo_image_surface_get_width(surface)), Int(cairo_image_surface_get_height(surface))
    )
    guard width > 0, height > 0 else { return nil }
    // Of a box of width w three have the variance (w² − 1) / 4.
    let deviation = min(radius, 1000) / 2
    let reach = Int(((sqrt(4 * deviation * deviation + 1) - 1) / 2).rounded())
    let margin = 3 * reach
    let (fullWidth, fullHeight) = (width + 2 * margin, height + 2 * margin)
    let stride = (fullWidth + 3) / 4 * 4
    guard let memory = calloc(fullHeight, stride)?.assumingMemoryBound(to: UInt8.self) else { return nil }
    var y = 0
    eachRow { row, width in
      let to = memory + (y + margin) * stride + margin
      for x in 0..<width { to[x] = isColored ? row[4 * x + 3] : row[x] }
      y += 1
    }
    if reach > 0 {
      BoxBlur(reach: reach).apply(memory, width: fullWidth, height: fullHeight, stride: stride)
    }
    let picture = cairo_image_surface_create_for_data(
      memory, CAIRO_FORMAT_A8, Int32(fullWidth), Int32(fullHeight), Int32(stride))
    var offset = (x: 0.0, y: 0.0)
    cairo_surface_get_device_offset(surface, &offset.x, &offset.y)
    return CairoSurface(picture, memory: memory).map {
      ($0, CGPoint(x: -offset.x - Double(margin), y: -offset.y - Double(margin)))
    }
  }

  private func eachRow(_ body: (UnsafeMutablePointer<UInt8>, Int) -> Void) {
    cairo_surface_flush(surface)
    guard let base = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let width = Int(cairo_image_surface_get_width(surface))
    for y in 0..<Int(cairo_image_surface_get_height(surface)) { body(base + y * stride, width) }
    cairo_surface_mark_dirty(surface)
  }
}

/// Three running means along each axis, over a number of bytes before and behind each one.
private struct BoxBlur {
  let reach: Int

  func apply(_ memory: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int) {
    var line = [UInt8](repeating: 0, count: max(width, height))
    for y in 0..<height { spread(memory + y * stride, step: 1, count: width, &line) }
    for x in 0..<width { spread(memory + x, step: stride, count: height, &line) }
  }

  private func spread(_ base: UnsafeMutablePointer<UInt8>, step: Int, count: Int, _ line: inout [UInt8]) {
    let size = 2 * reach + 1
    for _ in 0..<3 {
      for index in 0..<count { line[index] = base[index * step] }
      var sum = 0
      for index in 0..<min(reach, count) { sum += Int(line[index]) }
      for index in 0..<count {
        if index + reach < count { sum += Int(line[index + reach]) }
        base[index * step] = UInt8((sum + reach) / size)
        if index - reach >= 0 { sum -= Int(line[index - reach]) }
      }
    }
  }
}
