package import CoreVideo
internal import FoundationExtras

/// A picture that is laid over others.
package struct PictureLayer {
  /// The picture, of any pixel format that can be converted.
  package var picture: CVPixelBuffer
  /// From the picture's pixels to the canvas', both from the top left corner: `x′ = a·x + c·y + tx`, `y′ = b·x + d·y + ty`.
  package var matrix: (a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double)
  /// From 0 to 1.
  package var opacity: Double
  /// The part that is seen, in the picture's pixels; `nil` is all of it.
  package var crop: PixelPlace?

  /// A layer.
  package init(
    _ picture: CVPixelBuffer, matrix: (a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double),
    opacity: Double = 1, crop: PixelPlace? = nil
  ) {
    self.picture = picture
    self.matrix = matrix
    self.opacity = opacity
    self.crop = crop
  }
}

extension PixelTransformer {
  /// Lays pictures over each other, the last one on top.
  ///
  /// Pictures are shrunk by the exact box, then placed between neighbours. Cost: a pass over each picture as BGRA, and one over
  /// the canvas for each.
  ///
  /// - Parameters:
  ///   - background: What is seen where nothing lies: BGRA with blue in the lowest byte.
  ///   - canvas: BGRA.
  /// - Throws: ``PixelTransformError``.
  package func compose(_ layers: [PictureLayer], background: UInt32, into canvas: CVPixelBuffer) throws {
    guard CVPixelBufferGetPixelFormatType(canvas) == kCVPixelFormatType_32BGRA else {
      throw PixelTransformError.destinationUnsuitable
    }
    var rest = layers[...]
    if let only = layers.first, layers.count == 1, try drawWhole(only, background, canvas) { rest = [] }
    if rest.isEmpty && !layers.isEmpty { return }
    let status = CVPixelBufferLockBaseAddress(canvas, [])
    guard status == kCVReturnSuccess else { throw PixelTransformError.bufferUnavailable(status) }
    defer { CVPixelBufferUnlockBaseAddress(canvas, []) }
    let plane = canvas.planes[0]
    for y in 0..<plane.height {
      plane.row(y).bindMemory(to: UInt32.self).prefix(plane.width).update(repeating: background.littleEndian)
    }
    for layer in rest where layer.opacity > 0 { try lay(layer, over: plane) }
  }

  /// One opaque picture, whole and turned by quarters at most, over black: the usual case has its own way.
  private func drawWhole(_ layer: PictureLayer, _ background: UInt32, _ canvas: CVPixelBuffer) throws -> Bool
  {
    guard layer.opacity >= 1, layer.crop == nil, background == 0xFF00_0000 else { return false }
    let (a, b, c, d, tx, ty) = layer.matrix
    let turn: QuarterTurn
    let isMirrored = a * d - b * c < 0
    switch (abs(b) < 1e-9 && abs(c) < 1e-9, abs(a) < 1e-9 && abs(d) < 1e-9) {
    case (true, false): turn = d > 0 ? .none : .half
    case (false, true): turn = b > 0 ? .clockwise90 : .clockwise270
    default: return false
    }
    let width = Double(CVPixelBufferGetWidth(layer.picture)),
      height = Double(CVPixelBufferGetHeight(layer.picture))
    let xs = [tx, tx + a * width + c * height], ys = [ty, ty + b * width + d * height]
    let place = PixelPlace(
      x: min(xs[0], xs[1]), y: min(ys[0], ys[1]), width: abs(xs[1] - xs[0]), height: abs(ys[1] - ys[0]))
    guard place.width > 0.01, place.height > 0.01, place.width < 1e6, place.height < 1e6, abs(place.x) < 1e6,
      abs(place.y) < 1e6
    else { return false }
    try draw(layer.picture, rotation: turn, isMirrored: isMirrored, over: place, of: canvas)
    return true
  }

  private func lay(_ layer: PictureLayer, over plane: PixelPlane) throws {
    let (a, b, c, d, _, _) = layer.matrix
    guard abs(a * d - b * c) > 1e-12 else { return }
    let width = CVPixelBufferGetWidth(layer.picture), height = CVPixelBufferGetHeight(layer.picture)
    let across = min(1, (a * a + b * b).squareRoot()), down = min(1, (c * c + d * d).squareRoot())
    let size = PixelSize(
      width: max(1, Int((Double(width) * across).rounded(.up))),
      height: max(1, Int((Double(height) * down).rounded(.up))))
    let source = try apply(
      FrameTransform(size: size, pixelFormat: kCVPixelFormatType_32BGRA), to: layer.picture)
    let status = CVPixelBufferLockBaseAddress(source, .readOnly)
    guard status == kCVReturnSuccess else { throw PixelTransformError.bufferUnavailable(status) }
    defer { CVPixelBufferUnlockBaseAddress(source, .readOnly) }
    let painter = LayerPainter(
      layer, source: source.planes[0], size: size, pictureWidth: width, pictureHeight: height, target: plane)
    Tiles.forEachStrip(
      rows: plane.height, pixels: plane.width * plane.height, multipleOf: 1, threads: threads
    ) { rows in
      for y in rows { painter.paint(row: y) }
    }
  }
}

/// Paints one layer's pixels, row by row of the canvas.
private struct LayerPainter: @unchecked Sendable {  // Safe because each row is one thread's.
  private let source: PixelPlane
  private let target: PixelPlane
  private let width: Int
  private let height: Int
  /// From the canvas to the source.
  private let back: (a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double)
  /// The edges of the visible part of the source.
  private let left: Double, top: Double, right: Double, bottom: Double
  private let weight: Int

  init(
    _ layer: PictureLayer, source: PixelPlane, size: PixelSize, pictureWidth: Int, pictureHeight: Int,
    target: PixelPlane
  ) {
    self.source = source
    self.target = target
    (width, height) = (size.width, size.height)
    let (a, b, c, d, tx, ty) = layer.matrix
    let determinant = a * d - b * c
    let across = Double(size.width) / Double(pictureWidth), down = Double(size.height) / Double(pictureHeight)
    back = (
      d / determinant * across, -b / determinant * down, -c / determinant * across, a / determinant * down,
      (c * ty - d * tx) / determinant * across, (b * tx - a * ty) / determinant * down
    )
    let whole = PixelPlace(x: 0, y: 0, width: Double(pictureWidth), height: Double(pictureHeight))
    let seen = layer.crop ?? whole
    left = max(0, seen.x) * across
    top = max(0, seen.y) * down
    right = min(seen.x + seen.width, whole.width) * across
    bottom = min(seen.y + seen.height, whole.height) * down
    weight = Int((min(max(layer.opacity, 0), 1) * 256).rounded())
  }

  func paint(row y: Int) {
    let out = target.row(y).bindMemory(to: UInt32.self)
    let base = source.baseAddress
    for x in 0..<target.width {
      let u = back.a * (Double(x) + 0.5) + back.c * (Double(y) + 0.5) + back.tx
      let v = back.b * (Double(x) + 0.5) + back.d * (Double(y) + 0.5) + back.ty
      guard u >= left, u < right, v >= top, v < bottom else { continue }
      // In 256ths of a pixel, between the middles of neighbours.
      let horizontal = Int((u - 0.5) * 256), vertical = Int((v - 0.5) * 256)
      let x0 = max(0, horizontal >> 8), y0 = max(0, vertical >> 8)
      let x1 = min(x0 + 1, width - 1), y1 = min(y0 + 1, height - 1)
      let upper = base + min(y0, height - 1) * source.bytesPerRow, lower = base + y1 * source.bytesPerRow
      func pixel(_ row: UnsafeMutableRawPointer, _ x: Int) -> UInt32 {
        row.load(fromByteOffset: 4 * x, as: UInt32.self)
      }
      let (right, down) = (UInt32(max(0, horizontal) & 255), UInt32(max(0, vertical) & 255))
      let color = Self.mix(
        Self.mix(pixel(upper, min(x0, width - 1)), pixel(upper, x1), right),
        Self.mix(pixel(lower, min(x0, width - 1)), pixel(lower, x1), right), down)
      out[x] = weight >= 256 ? color | 0xFF00_0000 : Self.mix(out[x], color, UInt32(weight)) | 0xFF00_0000
    }
  }

  /// Two pixels, four channels at once; `share` in 256ths of the second.
  private static func mix(_ first: UInt32, _ second: UInt32, _ share: UInt32) -> UInt32 {
    let rest = 256 - share
    let even = ((first & 0x00FF_00FF) * rest + (second & 0x00FF_00FF) * share) >> 8 & 0x00FF_00FF
    let odd = ((first >> 8 & 0x00FF_00FF) * rest + (second >> 8 & 0x00FF_00FF) * share) & 0xFF00_FF00
    return even | odd
  }
}
