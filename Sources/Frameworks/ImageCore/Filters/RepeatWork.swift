internal import Foundation
internal import GraphicsCore

/// A picture side by side with itself in all directions, without end and without seams.
struct RepeatWork: PictureWork {
  var source: Recipe
  /// What is repeated.
  let period: GridRect

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  var isOpaque: Bool { source.isOpaque }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let tile = Tile(rect, isClear: false)
    for rows in Self.spans(rect.y..<rect.maxY, period.y..<period.maxY) {
      for columns in Self.spans(rect.x..<rect.maxX, period.x..<period.maxX) {
        let part = GridRect(
          x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        copy(renderer.tile(source, part), to: tile)
      }
    }
    return tile
  }

  /// Where a place of the repeated picture lies in the first one.
  private static func folded(_ place: Int, _ period: Range<Int>) -> Int {
    let rest = (place - period.lowerBound) % period.count
    return period.lowerBound + (rest < 0 ? rest + period.count : rest)
  }

  /// The parts of the first picture that a range of the repeated one shows.
  private static func spans(_ range: Range<Int>, _ period: Range<Int>) -> [Range<Int>] {
    if range.count >= period.count { return [period] }
    let first = folded(range.lowerBound, period)
    if first + range.count <= period.upperBound { return [first..<first + range.count] }
    return [first..<period.upperBound, period.lowerBound..<first + range.count - period.count]
  }

  /// Puts the pixels of a part wherever the repeated picture shows them.
  private func copy(_ part: Tile, to tile: Tile) {
    for y in tile.rect.y..<tile.rect.maxY {
      let row = Self.folded(y, period.y..<period.maxY)
      guard row >= part.rect.y, row < part.rect.maxY else { continue }
      let (from, to) = (part.row(row) - part.rect.x, tile.row(y) - tile.rect.x)
      var x = tile.rect.x
      while x < tile.rect.maxX {
        let column = Self.folded(x, period.x..<period.maxX)
        var run = min((column < part.rect.x ? part.rect.x : period.maxX) - column, tile.rect.maxX - x)
        if column >= part.rect.x, column < part.rect.maxX {
          run = min(run, part.rect.maxX - column)
          (to + x).update(from: from + column, count: run)
        }
        x += run
      }
    }
  }
}
