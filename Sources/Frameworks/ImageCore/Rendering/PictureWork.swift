internal import Foundation
internal import GraphicsCore
internal import PixelTransforms

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
  /// Whether tiles have more in common than their sources.
  var isPreparable: Bool { get }
  /// The same work, with what all tiles of `rect` need computed already.
  func prepared(for rect: GridRect, _ renderer: TileRenderer) -> any PictureWork
}

extension PictureWork {
  var isOpaque: Bool { false }
  var isPreparable: Bool { false }
  func prepared(for rect: GridRect, _ renderer: TileRenderer) -> any PictureWork { self }
}

/// Colours that depend on nothing but the pixel's own.
struct ColorWork: PictureWork {
  var source: Recipe
  /// In this order.
  let steps: [ColorStep]

  var isOpaque: Bool { source.isOpaque && steps.allSatisfy(\.keepsAlpha) }

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  func prepared(for rect: GridRect, _ renderer: TileRenderer) -> any PictureWork {
    ColorWork(source: source.prepared(for: rect, renderer), steps: steps)
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let tile = renderer.tile(source, rect)
    // Short enough that every step finds the pixels in the first level cache; long enough that taking up a step, whose owners are
    // counted by all cores in one place, costs little.
    let run = 1024
    for start in stride(from: 0, to: rect.width * rect.height, by: run) {
      change(tile.pixels + start, min(run, rect.width * rect.height - start))
    }
    return tile
  }

  private func change(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int) {
    var isOpaque = PixelRows.areOpaque(row, count)
    if !isOpaque {
      for index in 0..<count {
        let alpha = row[index].w
        row[index] = alpha > 0 ? (row[index] / alpha).withAlpha(alpha) : .zero
      }
    }
    var isGray = false
    for step in steps {
      step.change(row, count, isGray: isGray)
      isGray = step.isGray(after: isGray)
      if step.keepsAlpha { continue }
      isOpaque = false
      for index in 0..<count {
        let alpha = min(1, row[index].w)
        row[index] = alpha > 0 ? row[index].withAlpha(alpha) : .zero
      }
    }
    if isOpaque { return }
    for index in 0..<count {
      let alpha = row[index].w
      row[index] = (row[index] * alpha).withAlpha(alpha)
    }
  }
}

extension Recipe {
  /// The colours of this picture, changed; the steps of one filter after the other are taken in one go.
  func colors(_ steps: [ColorStep]) -> Recipe {
    if case .work(let work) = step, let first = work as? ColorWork {
      return .work(ColorWork(source: first.source, steps: first.steps.joined(with: steps)), extent: extent)
    }
    return .work(ColorWork(source: self, steps: steps), extent: extent)
  }
}

/// Pixels of several pictures, mixed where they lie.
struct MixWork: PictureWork {
  var sources: [Recipe]
  /// From premultiplied pixels, one of each source, to one.
  let mix: @Sendable (UnsafePointer<SIMD4<Float>>) -> SIMD4<Float>

  func prepared(for rect: GridRect, _ renderer: TileRenderer) -> any PictureWork {
    MixWork(sources: sources.map { $0.prepared(for: rect, renderer) }, mix: mix)
  }

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

  func withAlpha(_ alpha: Float) -> SIMD4<Float> { SIMD4(x, y, z, alpha) }

  /// The colours through `body`, alpha as it is.
  func mapColors(_ body: (Float) -> Float) -> SIMD4<Float> { SIMD4(body(x), body(y), body(z), w) }

  /// `share` of the way to the colours of `other`, alpha as it is.
  func towards(_ other: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
    var pixel = self + (other - self) * share
    pixel.w = w
    return pixel
  }
}
