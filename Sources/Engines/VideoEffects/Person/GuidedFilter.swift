internal import CEffects

/// Fits a coarse mask to the edges of a picture.
///
/// The guided filter of three colours in windows of 9 × 9 cells (He, Sun & Tang 2013, *Guided image filtering*, IEEE TPAMI 35(6),
/// equations 19 and 20; on reduced pictures, He & Sun 2015, *Fast guided filter*): around each cell the mask becomes a line over
/// colours, and a pixel takes the mean of all lines of the windows around it.
final class GuidedFilter {
  private let grid: CellGrid
  private let threads: Int
  private let fitted: CellColors
  private let base: CellField

  init(_ grid: CellGrid, threads: Int) {
    (self.grid, self.threads) = (grid, threads)
    (fitted, base) = (CellColors(grid), CellField(grid))
  }

  /// Writes the lines of `mask` over `colors` into `slopes` and `base`.
  ///
  /// - Parameter variance: Colours that vary less than this, in squares of levels, are no edge.
  func run(
    _ colors: CellColors, _ mask: CellField, variance: Float, slopes: CellColors, base target: CellField
  ) {
    let (grid, guide, field) = (grid, colors.colors, mask.field)
    let lines = effects_lines(slopes: fitted.colors, base: base.field, low: 0, high: 1)
    grid.forEachPart(threads: threads) { rows in
      grid.withRoom { room in
        withUnsafePointer(to: guide) { guide in
          withUnsafePointer(to: field) { field in
            withUnsafePointer(to: lines) {
              effects_fit(guide, field, variance, $0, rows.lowerBound, rows.upperBound, room)
            }
          }
        }
      }
    }
    let means = [
      (fitted.luma.field, slopes.luma.field), (fitted.blue.field, slopes.blue.field),
      (fitted.red.field, slopes.red.field), (base.field, target.field),
    ]
    grid.forEachPart(threads: threads) { rows in
      grid.withRoom { room in
        for (from, to) in means {
          withUnsafePointer(to: from) { from in
            withUnsafePointer(to: to) { effects_mean(from, $0, rows.lowerBound, rows.upperBound, room) }
          }
        }
      }
    }
  }
}
