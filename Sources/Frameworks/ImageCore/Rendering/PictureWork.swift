internal import Foundation
internal import GraphicsCore

/// Pixels that a filter computes.
///
/// Every pixel is a pure function of the work, so that tiles may be cut in any way.
protocol PictureWork: Sendable {
  /// What it starts from.
  var sources: [Recipe] { get set }
  /// Whether every pixel is fully opaque.
  var isOpaque: Bool { get }
  /// The pixels in `rect`, which lies within the work's extent.
  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile
}

extension PictureWork {
  var isOpaque: Bool { false }
}

/// Colours that depend on nothing but the pixel's own.
struct ColorWork: PictureWork {
  var source: Recipe
  /// From a colour that is not premultiplied to another.
  let change: @Sendable (SIMD4<Float>) -> SIMD4<Float>

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let tile = renderer.tile(source, rect)
    for index in 0..<rect.width * rect.height {
      let pixel = tile.pixels[index]
      var straight = pixel.w > 0 ? pixel / pixel.w : .zero
      straight.w = pixel.w
      straight = change(straight)
      let alpha = min(1, max(0, straight.w))
      straight *= alpha
      straight.w = alpha
      tile.pixels[index] = straight
    }
    return tile
  }
}

/// Pixels of several pictures, mixed where they lie.
struct MixWork: PictureWork {
  var sources: [Recipe]
  /// From premultiplied pixels, one of each source, to one.
  let mix: @Sendable (UnsafePointer<SIMD4<Float>>) -> SIMD4<Float>

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let tiles = sources.map { renderer.tile($0, rect) }
    let result = Tile(rect)
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: tiles.count) { pixels in
      guard let base = pixels.baseAddress else { return }
      for index in 0..<rect.width * rect.height {
        for (number, tile) in tiles.enumerated() { pixels[number] = tile.pixels[index] }
        result.pixels[index] = mix(base)
      }
    }
    return result
  }
}

/// Colours that depend on nothing but the place.
struct PlaceWork: PictureWork {
  /// The colours that take part, which the working space still has to read.
  let colors: [CIColor]
  /// From the middle of a pixel and the working colours, not premultiplied, to a premultiplied pixel.
  let color: @Sendable (_ x: Double, _ y: Double, _ colors: [SIMD4<Float>]) -> SIMD4<Float>

  var sources: [Recipe] {
    get { [] }
    set {}
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let colors = colors.map { $0.working(renderer.color) }
    let tile = Tile(rect)
    for y in rect.y..<rect.maxY {
      let row = tile.row(y)
      for x in 0..<rect.width { row[x] = color(Double(rect.x + x) + 0.5, Double(y) + 0.5, colors) }
    }
    return tile
  }
}

extension CIColor {
  /// The colour in the working space, not premultiplied.
  func working(_ space: WorkingColor) -> SIMD4<Float> {
    space.entry(from: colorSpace).working(SIMD4(Float(red), Float(green), Float(blue), Float(alpha)))
  }

  /// The colour in linear light of sRGB, not premultiplied: what filters compute with.
  var light: SIMD4<Float> { working(WorkingColor(space: .standardWorking)) }
}

extension SIMD4<Float> {
  /// The colours times alpha.
  var premultiplied: SIMD4<Float> {
    var pixel = self * w
    pixel.w = w
    return pixel
  }

  /// How bright the colour is in light, by sRGB's primaries.
  var luminance: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }

  /// The colours through `body`, alpha as it is.
  func mapColors(_ body: (Float) -> Float) -> SIMD4<Float> { SIMD4(body(x), body(y), body(z), w) }

  /// `share` of the way to the colours of `other`, alpha as it is.
  func towards(_ other: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
    var pixel = self + (other - self) * share
    pixel.w = w
    return pixel
  }
}
