internal import CEffects

/// A number for each cell of a picture.
final class CellField: @unchecked Sendable {  // Safe: written in parts before it is shared.
  let field: effects_field

  /// Zero everywhere.
  init(_ grid: CellGrid) {
    // Loops take eight numbers at a time, and read some beside them.
    let stride = (grid.columns + 8 + 15) / 16 * 16
    let count = stride * grid.rows + 16
    let base = UnsafeMutablePointer<Float>.allocate(capacity: count)
    base.initialize(repeating: 0, count: count)
    field = effects_field(base: base, stride: stride, width: Int32(grid.columns), height: Int32(grid.rows))
  }

  deinit { field.base.deallocate() }

  func clear() {
    field.base.update(repeating: 0, count: field.stride * Int(field.height))
  }

  func copy(from other: CellField) {
    field.base.update(from: other.field.base, count: field.stride * Int(field.height))
  }
}

/// A colour for each cell of a picture: luma, blue and red difference, in levels.
struct CellColors: Sendable {
  let luma: CellField
  let blue: CellField
  let red: CellField

  init(_ grid: CellGrid) {
    (luma, blue, red) = (CellField(grid), CellField(grid), CellField(grid))
  }

  var colors: effects_colors { effects_colors(luma: luma.field, blue: blue.field, red: red.field) }

  func copy(from other: CellColors) {
    luma.copy(from: other.luma)
    blue.copy(from: other.blue)
    red.copy(from: other.red)
  }

  /// Takes the means of a picture's cells.
  func reduce(_ picture: effects_picture, _ grid: CellGrid, threads: Int) {
    let colors = colors
    grid.forEachPart(threads: threads) { rows in
      withUnsafePointer(to: picture) { picture in
        withUnsafePointer(to: colors) {
          effects_reduce(picture, Int32(grid.factor), $0, rows.lowerBound, rows.upperBound)
        }
      }
    }
  }
}
