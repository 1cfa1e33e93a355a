internal import Foundation
internal import PixelTransforms

/// A blur by a wide curve of Gauss's, computed where the picture is small: it is halved, blurred and doubled.
///
/// As long as the curve's standard deviation is two pixels of the small picture or more, the error is a fraction of a level.
struct WideBlurWork: PictureWork {
  /// From this standard deviation on, halving once is not seen.
  static let narrowest = 4.0

  var source: Recipe
  private let halvings: Int
  /// Of the small picture, from the middle outwards.
  private let weights: [Float]
  /// The blurred small picture of what shall be rendered, once it is prepared.
  private var known: (tile: Tile, rect: GridRect)?

  var sources: [Recipe] {
    get { [source] }
    set {
      source = newValue[0]
      known = nil
    }
  }

  /// A blur whose `sigma` is ``narrowest`` or more.
  init(_ source: Recipe, sigma: Double) {
    self.source = source
    halvings = max(1, Int(log2(sigma / 2).rounded(.down)))
    let rest = sigma * sigma - PixelRows.variance(halvings: halvings)
    weights = BlurWork.gauss(rest.squareRoot() / Double(1 << halvings))
  }

  var isPreparable: Bool { true }

  /// The small picture is made once, and not by every tile for itself with all that it needs around.
  func prepared(for rect: GridRect, _ renderer: TileRenderer) -> any PictureWork {
    // A single tile wins nothing; what is seen made much smaller would take much memory.
    guard (1 << 14...1 << 23).contains(rect.width * rect.height) else { return self }
    var work = self
    let needed = (0..<halvings).reduce(blurred(for: rect).grown(by: weights.count - 1)) { rect, _ in
      rect.wholeToHalve
    }
    work.source = source.prepared(for: needed, renderer)
    work.known = (work.small(rect, renderer, parts: 4 * Tiles.threads), rect)
    return work
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    var levels = [rect]
    for _ in 1..<halvings { levels.append(levels[levels.count - 1].halfToDouble) }
    var tile =
      if let known, known.rect.intersection(rect) == rect { known.tile } else {
        small(rect, renderer, parts: 1)
      }
    for level in levels.reversed() { tile = tile.doubled(to: level) }
    return tile
  }

  /// The pixels of the small picture of which `rect` is doubled.
  private func blurred(for rect: GridRect) -> GridRect {
    (0..<halvings).reduce(rect) { rect, _ in rect.halfToDouble }
  }

  private func small(_ rect: GridRect, _ renderer: TileRenderer, parts: Int) -> Tile {
    let small = Tile(blurred(for: rect).grown(by: weights.count - 1), isClear: false)
    // What is read for a piece fits a tile.
    let pieces = small.rect.pieces(side: max(16, 128 >> halvings))
    @Sendable func draw(_ piece: GridRect) {
      var levels = [piece]
      for _ in 0..<halvings { levels.append(levels[levels.count - 1].wholeToHalve) }
      var tile = renderer.tile(source, levels.removeLast())
      for level in levels.dropFirst().reversed() {
        let half = Tile(level, isClear: false)
        tile.halve(to: level, in: half)
        tile = half
      }
      tile.halve(to: piece, in: small)
    }
    if parts == 1 { pieces.forEach(draw) } else { Tiles.forEach(pieces.count) { draw(pieces[$0]) } }
    return small.blurred(weights, parts: parts)
  }
}

extension GridRect {
  /// What of the half this rectangle of the whole is doubled from.
  fileprivate var halfToDouble: GridRect {
    let (left, low) = ((x >> 1) - 1, (y >> 1) - 1)
    return GridRect(
      x: left, y: low, width: ((maxX - 1) >> 1) + 2 - left, height: ((maxY - 1) >> 1) + 2 - low)
  }

  /// What of the whole this rectangle of the half is made of.
  fileprivate var wholeToHalve: GridRect {
    GridRect(x: 2 * x - 1, y: 2 * y - 1, width: 2 * width + 2, height: 2 * height + 2)
  }

  /// The rectangle in squares, with what is left at its sides.
  fileprivate func pieces(side: Int) -> [GridRect] {
    stride(from: y, to: maxY, by: side).flatMap { y in
      stride(from: x, to: maxX, by: side).map { x in
        GridRect(x: x, y: y, width: side, height: side).intersection(self)
      }
    }
  }
}

extension Tile {
  /// Halves what `half` is made of, and writes it to its place in `result`.
  fileprivate func halve(to half: GridRect, in result: Tile) {
    let (left, width) = (2 * half.x - 1 - rect.x, 2 * half.width + 2)
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { sums in
      guard let sum = sums.baseAddress else { return }
      for y in half.y..<half.maxY {
        let first = row(2 * y - 1) + left
        let stride = rect.width
        PixelRows.halve(
          (first, first + stride, first + 2 * stride, first + 3 * stride), into: sum, count: width)
        PixelRows.halve(sum, into: result.row(y) + (half.x - result.rect.x), count: half.width)
      }
    }
  }

  fileprivate func doubled(to whole: GridRect) -> Tile {
    let result = Tile(whole, isClear: false)
    // Whole pairs, of which the outermost may reach beyond what is wanted.
    let (first, last) = (whole.x >> 1, (whole.maxX - 1) >> 1)
    let pairs = last + 1 - first
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 3 * pairs + 2) { memory in
      guard let sum = memory.baseAddress else { return }
      let wide = sum + pairs + 2
      for y in whole.y..<whole.maxY {
        let near = row(y >> 1) + (first - 1 - rect.x)
        let far = y & 1 == 0 ? near - rect.width : near + rect.width
        PixelRows.double(near, far, into: sum, count: pairs + 2)
        if whole.width == 2 * pairs {
          PixelRows.double(sum + 1, into: result.row(y), count: pairs)
          continue
        }
        PixelRows.double(sum + 1, into: wide, count: pairs)
        result.row(y).update(from: wide + (whole.x - 2 * first), count: whole.width)
      }
    }
    return result
  }
}
