internal import Foundation
internal import GraphicsCore

/// A row of pixels, each the share of a picture's part whose working numbers lie in one of equal steps from 0 to 1.
struct HistogramWork: PictureWork {
  var source: Recipe
  let rect: CGRect
  let count: Int
  /// What each colour's shares add up to.
  let scale: Double

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  var isOpaque: Bool { true }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let tile = Tile(rect, isClear: false)
    tile.pixels.update(repeating: SIMD4(0, 0, 0, 1), count: rect.width * rect.height)
    var counts = [SIMD3<Int>](repeating: .zero, count: count)
    let part = renderer.forEachTile(of: source, within: self.rect) { count($0, into: &counts) }
    if part.isEmpty { return tile }
    let share = scale / (Double(part.width) * Double(part.height))
    for y in rect.y..<rect.maxY {
      let row = tile.row(y) - rect.x
      for x in rect.x..<rect.maxX { row[x] = SIMD4(SIMD3<Float>(SIMD3<Double>(counts[x]) * share), 1) }
    }
    return tile
  }

  private func count(_ piece: Tile, into counts: inout [SIMD3<Int>]) {
    let steps = Float(count)
    for index in 0..<piece.rect.width * piece.rect.height {
      let pixel = piece.pixels[index]
      for color in 0..<3 {
        // NaN compares false to everything and is counted with 0.
        let place = pixel[color] > 0 ? min(pixel[color] * steps, steps - 1) : 0
        counts[Int(place)][color] += 1
      }
    }
  }
}
