internal import Foundation
internal import PixelTransforms

/// Each pixel is the mean of its neighbourhood, weighted by one curve across and along.
struct BlurWork: PictureWork {
  var source: Recipe
  /// The weights from the middle outwards, which together with their mirror image are 1.
  private let weights: [Float]

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  /// Gauss's curve.
  init(_ source: Recipe, sigma: Double) {
    self.source = source
    weights = Self.gauss(sigma)
  }

  /// The plain mean of (2 · `radius` + 1)² pixels.
  init(_ source: Recipe, box radius: Int) {
    self.source = source
    weights = [Float](repeating: 1 / Float(2 * radius + 1), count: radius + 1)
  }

  /// Gauss's curve, cut where no level of eight bits shows it any more, even of light that falls into the dark.
  static func gauss(_ sigma: Double) -> [Float] {
    let reach = Int((3.6 * sigma).rounded(.up))
    let curve = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = curve[0] + 2 * curve.dropFirst().reduce(0, +)
    return curve.map { Float($0 / sum) }
  }

  func prepared(for rect: GridRect, _ renderer: TileRenderer) -> any PictureWork {
    var work = self
    work.source = source.prepared(for: rect.grown(by: weights.count - 1), renderer)
    return work
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    renderer.tile(source, rect.grown(by: weights.count - 1)).blurred(weights)
  }
}

extension Tile {
  /// The mean around each pixel that has all its neighbours, computed in `parts` side by side.
  func blurred(_ weights: [Float], parts: Int = 1) -> Tile {
    let inner = rect.grown(by: 1 - weights.count)
    let across = Tile(
      GridRect(x: inner.x, y: rect.y, width: inner.width, height: rect.height), isClear: false)
    let result = Tile(inner, isClear: false)
    func eachRow(of rect: GridRect, _ body: @Sendable (Int, UnsafeBufferPointer<Float>) -> Void) {
      let strips = Tiles.strips(rows: rect.height, parts: parts, multipleOf: 1, minimum: 8)
      Tiles.forEach(strips.count) { strip in
        weights.withUnsafeBufferPointer { weights in
          for row in strips[strip] { body(rect.y + row, weights) }
        }
      }
    }
    eachRow(of: across.rect) { y, weights in
      PixelRows.mean(
        of: self.row(y) + (weights.count - 1), step: 1, weights: weights, into: across.row(y),
        count: inner.width)
    }
    eachRow(of: inner) { y, weights in
      PixelRows.mean(
        of: across.row(y), step: inner.width, weights: weights, into: result.row(y), count: inner.width)
    }
    return result
  }
}
