internal import Foundation

/// Each pixel is the mean of its neighbourhood, weighted by one curve across and along.
struct BlurWork: PictureWork {
  var source: Recipe
  /// The weights from the middle outwards, which together with their mirror image are 1.
  private let weights: [Float]

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  /// Gauss's curve, cut where no level of eight bits shows it any more: at three times `sigma`.
  init(_ source: Recipe, sigma: Double) {
    self.source = source
    let reach = Int((3 * sigma).rounded(.up))
    let curve = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = curve[0] + 2 * curve.dropFirst().reduce(0, +)
    weights = curve.map { Float($0 / sum) }
  }

  /// The plain mean of (2 · `radius` + 1)² pixels.
  init(_ source: Recipe, box radius: Int) {
    self.source = source
    weights = [Float](repeating: 1 / Float(2 * radius + 1), count: radius + 1)
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let reach = weights.count - 1
    let from = renderer.tile(
      source,
      GridRect(
        x: rect.x - reach, y: rect.y - reach, width: rect.width + 2 * reach, height: rect.height + 2 * reach))
    let across = Tile(
      GridRect(x: rect.x, y: rect.y - reach, width: rect.width, height: rect.height + 2 * reach))
    let result = Tile(rect)
    weights.withUnsafeBufferPointer { weights in
      for y in across.rect.y..<across.rect.maxY {
        let (row, out) = (from.row(y) + reach, across.row(y))
        for x in 0..<rect.width {
          var sum = row[x] * weights[0]
          for step in 1..<max(1, weights.count) { sum += (row[x - step] + row[x + step]) * weights[step] }
          out[x] = sum
        }
      }
      for y in rect.y..<rect.maxY {
        let (row, out) = (across.row(y), result.row(y))
        for x in 0..<rect.width {
          var sum = row[x] * weights[0]
          for step in 1..<max(1, weights.count) {
            sum += (row[x - step * rect.width] + row[x + step * rect.width]) * weights[step]
          }
          out[x] = sum
        }
      }
    }
    return result
  }
}
