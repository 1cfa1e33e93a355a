/// Sums over the square window around each tile of a picture, which ends at the picture's edges.
struct BoxSums {
  private let columns: Int
  private let rows: Int
  private let radius: Int

  /// Windows of a fifteenth of the picture's longer side.
  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    radius = max(1, max(columns, rows) / 32)
  }

  private static func reach(_ index: Int, _ radius: Int, _ count: Int) -> Range<Int> {
    max(0, index - radius)..<min(count, index + radius + 1)
  }

  /// The number of tiles in the window around a tile.
  func count(_ tile: Int) -> Int {
    Self.reach(tile % columns, radius, columns).count * Self.reach(tile / columns, radius, rows).count
  }

  /// The sums of `values`, one for each tile, row by row.
  func sums(_ values: [SIMD4<Int64>]) -> [SIMD4<Int64>] {
    var across = values
    for row in 0..<rows {
      slide(count: columns, from: row * columns, by: 1, values, into: &across)
    }
    var result = across
    for column in 0..<columns {
      slide(count: rows, from: column, by: columns, across, into: &result)
    }
    return result
  }

  /// Along one line: what enters the window is added, what leaves it taken away.
  private func slide(
    count: Int, from: Int, by step: Int, _ values: [SIMD4<Int64>], into result: inout [SIMD4<Int64>]
  ) {
    var sum = SIMD4<Int64>.zero
    for index in 0..<min(radius, count) { sum &+= values[from + index * step] }
    for index in 0..<count {
      if index + radius < count { sum &+= values[from + (index + radius) * step] }
      if index - radius > 0 { sum &-= values[from + (index - radius - 1) * step] }
      result[from + index * step] = sum
    }
  }
}
