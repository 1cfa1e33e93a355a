internal import CFusion

/// How much of another camera's detail each part of a picture takes, cells of 16 × 16 pixels.
///
/// The pictures are compared at a quarter of their size, where both have all detail and little noise is left. The law is that of a
/// burst (``RegionMerge``): full as long as noise explains the difference, nothing from some times that on. What is expected beside noise
/// is a small part of the contrast, for lenses differ in sharpness.
struct DetailShares: Sendable {
  let columns: Int
  let rows: Int
  /// 1/32768, row by row.
  let values: Slots<Int16>

  /// A difference of up to `margin` times what is expected counts as the same; from `end` on nothing is taken.
  private static let law = (margin: 1.75, slope: 3.0, end: 5.0)
  /// The part of the contrast's variance that a difference may have.
  private static let ofContrast = 0.03
  /// The most that counts as noise: pictures that agree nowhere are no noise.
  private static let mostNoise: Float = 6

  /// What one cell shows.
  private struct Cell: BitwiseCopyable {
    var level = 0
    /// Mean squares of differences of luma and of chroma.
    var luma = 0.0
    var chroma = 0.0
    /// The variances of both around the cell's mean.
    var lumaContrast = 0.0
    var chromaContrast = 0.0
    /// Mean squares of neighbours' differences in the picture and in the other.
    var fineness = 0.0
    var otherFineness = 0.0
  }

  init(_ part: FusionFrame, _ detail: FusionFrame, _ work: RowWork) {
    let side = TileGrid.side
    let columns = (Int(part.luma.width) + side - 1) / side
    let rows = (Int(part.luma.height) + side - 1) / side
    let (own, its) = (FusionFrame(halving: part, work), FusionFrame(halving: detail, work))
    let (small, other) = (FusionFrame(halving: own, work), FusionFrame(halving: its, work))
    let found = Slots<Cell>(count: columns * rows)
    work.forEach(rows) { row in
      for column in 0..<columns {
        var cell = Cell()
        Self.compare(small.luma, other.luma, column, row, &cell)
        Self.compare(own.chroma, its.chroma, column, row, &cell)
        cell.fineness = Self.fineness(part.luma, column * side, row * side)
        cell.otherFineness = Self.fineness(detail.luma, column * side, row * side)
        (found.base + row * columns + column).initialize(to: cell)
      }
    }
    let cells = found.array
    let noise = NoiseCurve(
      samples: cells.map { NoiseSample(level: $0.level, luma: Float($0.luma), chroma: Float($0.chroma)) })
    // Where there is no texture only noise is fine, and either's will do.
    let plain = NoiseCurve(
      ofOne: cells.map { NoiseSample(level: $0.level, luma: Float($0.fineness), chroma: 0) })
    let fitting = cells.map { cell in
      Self.share(cell, noise) * Self.share(ofFineness: cell, plain: plain.luma[cell.level])
    }
    values = Slots(count: columns * rows)
    (self.columns, self.rows) = (columns, rows)
    for row in 0..<rows {
      for column in 0..<columns {
        // Shares are read between the cells, so that a cell's reach into its neighbours.
        var least = 1.0
        for y in max(0, row - 1)...min(rows - 1, row + 1) {
          for x in max(0, column - 1)...min(columns - 1, column + 1) {
            least = min(least, fitting[y * columns + x])
          }
        }
        // Nothing at the edge of the other's view, all from the third cell on.
        let inside = min(column, row, columns - 1 - column, rows - 1 - row)
        let share = least * min(1, Double(inside) / 2)
        (values.base + row * columns + column).initialize(to: Int16((share * 32767).rounded()))
      }
    }
  }

  private static func share(_ cell: Cell, _ noise: NoiseCurve) -> Double {
    func times(_ difference: Double, _ noise: Float, _ contrast: Double) -> Double {
      difference / (Double(min(noise, mostNoise)) + ofContrast * contrast + 0.1)
    }
    let times = max(
      times(cell.luma, noise.luma[cell.level], cell.lumaContrast),
      times(cell.chroma, noise.chroma[cell.level], cell.chromaContrast))
    if times >= law.end { return 0 }
    return 1 / (1 + law.slope * max(0, times - law.margin))
  }

  /// Less than all where the other picture is the softer one: it is out of focus there.
  private static func share(ofFineness cell: Cell, plain: Float) -> Double {
    let excess = (cell.fineness - 1.5 * Double(plain)) / max(cell.otherFineness, 0.01)
    return max(0, min(1, (1.3 - excess) / 0.3))
  }

  /// Compares a cell, with a sample around it, in planes of a quarter of the size (of chroma, of half).
  private static func compare(
    _ own: fusion_plane, _ its: fusion_plane, _ column: Int, _ row: Int, _ cell: inout Cell
  ) {
    let step = Int(own.step)
    let (width, bottom) = (Int(own.width), Int(own.height))
    let columns = max(0, 4 * column - 1)..<max(1, min(width, 4 * column + 5))
    let rows = max(0, 4 * row - 1)..<max(1, min(bottom, 4 * row + 5))
    var (energy, sum, square, count) = (0, [0, 0], 0, 0)
    for y in rows {
      let (mine, other) = (own.base + y * own.stride, its.base + y * its.stride)
      for x in columns {
        for sample in 0..<step {
          let value = Int(mine[x * step + sample])
          let difference = value - Int(other[x * step + sample])
          energy += difference * difference
          sum[sample] += value
          square += value * value
        }
        count += 1
      }
    }
    guard count > 0 else { return }
    let means = sum.map { Double($0) / Double(count) }
    let contrast = Double(square) / Double(count) - means.reduce(0) { $0 + $1 * $1 }
    if step == 1 {
      (cell.level, cell.luma) = (Int(means[0]), Double(energy) / Double(count))
      cell.lumaContrast = max(0, contrast)
    } else {
      cell.chroma = Double(energy) / Double(2 * count)
      cell.chromaContrast = max(0, contrast / 2)
    }
  }

  private static func fineness(_ plane: fusion_plane, _ x: Int, _ y: Int) -> Double {
    let (bytes, top) = (Int(plane.bytes), Int(plane.bytes) - 1)
    let (right, bottom) = (min(x + 16, Int(plane.width) - 1), min(y + 16, Int(plane.height) - 1))
    guard right > x, bottom > y else { return 0 }
    var sum = 0
    for row in y..<bottom {
      let line = plane.base + row * plane.stride + top
      let below = line + plane.stride
      for column in x..<right {
        let value = Int(line[column * bytes])
        let across = value - Int(line[(column + 1) * bytes])
        let down = value - Int(below[column * bytes])
        sum += across * across + down * down
      }
    }
    return Double(sum) / Double((right - x) * (bottom - y))
  }
}
