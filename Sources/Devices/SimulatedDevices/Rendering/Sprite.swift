internal import CPainting
internal import CaptureDevice
internal import Foundation

/// A moving layer, painted once for a size and then shifted by fractions of a pixel each frame.
///
/// Its pixels are luma, two differences around 0 and alpha, premultiplied, in units of 1/255. Immutable once made.
final class Sprite: @unchecked Sendable {  // Safe because nothing writes after init.
  let width: Int
  let height: Int
  private let pixels: UnsafeMutablePointer<SIMD4<Float>>

  /// Paints `drawing`, `width` by `height` pixels large and turned by `degrees`, with a clear edge of a pixel or more.
  ///
  /// - Parameters:
  ///   - blur: The blur circle's diameter in pixels, as ``ViewRenderer`` has it.
  ///   - light: What linear red, green and blue are multiplied by.
  init(
    _ drawing: any Drawing, width: Double, height: Double, degrees: Double, matrix: LumaMatrix,
    blur: Float = 0, light: SIMD3<Float> = .one
  ) {
    let radians = degrees * .pi / 180
    let box = BoxBlur(diameter: blur)
    let edge = 4 + 2 * box.reach
    self.width = Int((abs(cos(radians)) * width + abs(sin(radians)) * height).rounded(.up)) + edge
    self.height = Int((abs(sin(radians)) * width + abs(cos(radians)) * height).rounded(.up)) + edge
    pixels = .allocate(capacity: self.width * self.height)
    memset(pixels, 0, self.width * self.height * MemoryLayout<SIMD4<Float>>.stride)
    let frame = FrameSize(width: self.width, height: self.height)
    let middle = CGPoint(x: Double(self.width) / 2, y: Double(self.height) / 2)
    let placed = PlacedLayer(
      drawing, center: middle, width: width, height: height, degrees: degrees, frame: frame)
    for row in 0..<self.height {
      let line = pixels + row * self.width
      placed.blend(row: row, over: line)
      if light != .one { Self.light(line, count: self.width, by: light) }
      matrix.planar(line, count: self.width)
    }
    if box.reach > 0 { spread(box) }
  }

  /// Paints the part of a layer that its frame shows, blurred.
  convenience init(_ layer: ChangingLayer, blur: Float) {
    let box = BoxBlur(diameter: blur)
    let (columns, rows) = (layer.placed.columns, layer.placed.rows)
    self.init(width: columns.count + 2 * box.reach, height: rows.count + 2 * box.reach)
    for row in rows {
      let line = pixels + (row - rows.lowerBound + box.reach) * width + box.reach
      layer.placed.blend(row: row, onto: line)
      if layer.light != .one { Self.light(line, count: columns.count, by: layer.light) }
      layer.matrix.planar(line, count: columns.count)
    }
    if box.reach > 0 { spread(box) }
  }

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = .allocate(capacity: max(width * height, 1))
    memset(pixels, 0, width * height * MemoryLayout<SIMD4<Float>>.stride)
  }

  /// Puts premultiplied colours into other light.
  static func light(_ colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int, by light: SIMD3<Float>) {
    for index in 0..<count { colors[index] = lit(colors[index], light) }
  }

  /// A premultiplied colour in other light.
  private static func lit(_ color: SIMD4<Float>, _ light: SIMD3<Float>) -> SIMD4<Float> {
    guard color.w > 0 else { return color }
    func tone(_ part: Float, _ light: Float) -> Float {
      min(SRGB.coded(SRGB.linear(part / color.w) * light), 1) * color.w
    }
    return SIMD4(tone(color.x, light.x), tone(color.y, light.y), tone(color.z, light.z), color.w)
  }

  /// Blurs along x and then along y; beyond the edge all is clear.
  private func spread(_ box: BoxBlur) {
    let line = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: max(width, height) + 2 * box.reach)
    defer { line.deallocate() }
    func spread(_ values: UnsafeMutablePointer<SIMD4<Float>>, step: Int, count: Int) {
      for index in 0..<count + 2 * box.reach {
        let place = index - box.reach
        line[index] = place >= 0 && place < count ? values[place * step] : .zero
      }
      box.apply(line, count: count, into: values, step: step)
    }
    for row in 0..<height { spread(pixels + row * width, step: 1, count: width) }
    for column in 0..<width { spread(pixels + column, step: width, count: height) }
  }

  deinit {
    pixels.deallocate()
  }

  /// A sprite in one frame.
  struct Placed {
    let sprite: Sprite
    let left: Int
    let top: Int
    let fraction: SIMD2<Float>

    /// `sprite` with its middle at `center`.
    init(_ sprite: Sprite, center: CGPoint) {
      self.sprite = sprite
      let x = center.x - Double(sprite.width) / 2
      let y = center.y - Double(sprite.height) / 2
      // Far outside is as good as just outside, and fits in an integer.
      let column = min(max(x.rounded(.down), -1e8), 1e8)
      let row = min(max(y.rounded(.down), -1e8), 1e8)
      left = Int(column)
      top = Int(row)
      fraction = SIMD2(Float(min(max(x - column, 0), 1)), Float(min(max(y - row, 0), 1)))
    }

    /// A sprite that was painted where its layer lies in the frame, with the edge of its blur around it.
    init(_ sprite: Sprite, corner layer: PlacedLayer, blur: Float) {
      self.sprite = sprite
      let reach = BoxBlur(diameter: blur).reach
      left = layer.columns.lowerBound - reach
      top = layer.rows.lowerBound - reach
      fraction = .zero
    }

    /// Whether it touches either of two rows.
    func touches(_ row: Int) -> Bool {
      row + 1 >= top && row <= top + sprite.height
    }

    /// Lays the sprite over two rows of a 4:2:0 picture of `width` columns.
    func blend(
      row: Int, luma: UnsafeMutablePointer<UInt8>, nextLuma: UnsafeMutablePointer<UInt8>,
      chroma: UnsafeMutablePointer<UInt8>, width: Int
    ) {
      var placed = painting_sprite(
        pixels: sprite.pixels, width: sprite.width, height: sprite.height, left: left, top: top,
        x: fraction.x, y: fraction.y)
      painting_lay_sprite(&placed, row, width, luma, nextLuma, chroma)
    }
  }
}
