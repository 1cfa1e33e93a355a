internal import Foundation
internal import GraphicsCore

/// Pixels that are looked up elsewhere in a picture.
struct WarpWork: PictureWork {
  var source: Recipe
  /// From the middle of a pixel to the place of the picture that is seen there; `nil` where nothing is.
  let place: @Sendable (_ x: Double, _ y: Double) -> SIMD2<Double>?

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  /// The largest part of a picture that is held to make one tile.
  private static let partLimit = 1 << 20

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let tile = Tile(rect)
    Self.draw(rect, of: source, on: tile, renderer, place)
    return tile
  }

  /// Draws the pixels in `part` of `tile`, each as `source` is at the place that it is looked up at.
  static func draw(
    _ part: GridRect, of source: Recipe, on tile: Tile, _ renderer: TileRenderer,
    _ place: (_ x: Double, _ y: Double) -> SIMD2<Double>?
  ) {
    var places: [SIMD2<Double>?] = []
    places.reserveCapacity(part.width * part.height)
    var (low, high) = (SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity))
    for y in part.y..<part.maxY {
      for x in part.x..<part.maxX {
        let seen = place(Double(x) + 0.5, Double(y) + 0.5)
        places.append(seen)
        guard let seen else { continue }
        low = pointwiseMin(low, seen)
        high = pointwiseMax(high, seen)
      }
    }
    guard low.x <= high.x else { return }
    let needed = CGRect(x: low.x - 1, y: low.y - 1, width: high.x - low.x + 2, height: high.y - low.y + 2)
      .allPixels
    if needed.area > partLimit, part.width * part.height > 1 {
      // Shrinking and seams read more than they write: cut until what is read fits.
      for half in part.halves { draw(half, of: source, on: tile, renderer, place) }
      return
    }
    let from = renderer.tile(source, needed)
    var index = 0
    for y in part.y..<part.maxY {
      let row = tile.row(y) - tile.rect.x
      for x in part.x..<part.maxX {
        if let seen = places[index] { row[x] = from.between(seen.x, seen.y) }
        index += 1
      }
    }
  }
}
