internal import Foundation
internal import GraphicsCore

/// A picture seen through glass with a relief: each slope bends what is behind it.
struct GlassWork: PictureWork {
  /// The picture, which goes on beyond its edges.
  var source: Recipe
  /// Its brightness is the glass's height.
  var relief: Recipe
  /// How many pixels a slope of one height in one pixel moves what is seen.
  let scale: Double

  var sources: [Recipe] {
    get { [source, relief] }
    set { (source, relief) = (newValue[0], newValue[1]) }
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let height = renderer.tile(relief, rect.grown(by: 1))
    let stride = height.rect.width
    let result = Tile(rect)
    WarpWork.draw(rect, of: source, on: result, renderer) { x, y in
      let (column, row) = (Tile.floored(x), Tile.floored(y))
      let middle = height.row(row) + column - height.rect.x
      let across = middle[1].luminance - middle[-1].luminance
      let along = middle[stride].luminance - middle[-stride].luminance
      return SIMD2(x + scale / 2 * Double(across), y + scale / 2 * Double(along))
    }
    return result
  }
}
