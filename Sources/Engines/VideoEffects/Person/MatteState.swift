internal import CEffects
internal import CoreVideo

/// The averages that a matte keeps from picture to picture.
struct MatteState {
  let grid: CellGrid
  let filter: GuidedFilter
  /// The newest picture, and its average over time.
  let now: CellColors
  let steady: CellColors
  private let changes: CellField
  /// How much of the newest the averages took.
  private let share: CellField
  /// The model's newest mask, and its average.
  private(set) var placed: CellField
  private(set) var mask: CellField
  /// The average of the refined masks.
  private var average: (slopes: CellColors, base: CellField)
  /// The base of the newest lines, counted from the steady colours.
  let centered: CellField
  /// Where the next one goes.
  private(set) var fresh: (slopes: CellColors, base: CellField)
  /// The newest picture and its time, until its mask is made.
  var time: Int64
  var picture: CVPixelBuffer?
  /// The mask of the picture before; `nil` when nothing is averaged yet.
  private var pixels: [UInt8]?

  /// Changes up to this, in levels of all three colours together, are noise whatever the picture's noise is; the most that is noise.
  private static let leastNoise: Float = 3
  private static let mostNoise: Float = 10

  init(_ grid: CellGrid, _ threads: Int, _ time: Int64) {
    self.grid = grid
    filter = GuidedFilter(grid, threads: threads)
    (now, steady) = (CellColors(grid), CellColors(grid))
    (changes, share, placed, mask) = (CellField(grid), CellField(grid), CellField(grid), CellField(grid))
    centered = CellField(grid)
    (average, fresh) = ((CellColors(grid), CellField(grid)), (CellColors(grid), CellField(grid)))
    self.time = time
  }

  /// Brings the averages of colours up to the newest: by `least` where little changed, by all where something moves.
  func settle(least: Float, threads: Int) {
    let (before, newest) = (steady.colors, now.colors)
    let (changes, share) = (changes.field, share.field)
    grid.forEachPart(threads: threads) { rows in
      withUnsafePointer(to: before) { before in
        withUnsafePointer(to: newest) { now in
          withUnsafePointer(to: changes) {
            effects_changes(before, now, $0, rows.lowerBound, rows.upperBound)
          }
        }
      }
    }
    let noise = noise()
    // Of the mean change of nine cells.
    let (rest, motion) = (1.6 * noise, 1.6 * noise + max(9, 2 * noise))
    grid.forEachPart(threads: threads) { rows in
      withUnsafePointer(to: before) { before in
        withUnsafePointer(to: newest) { now in
          withUnsafePointer(to: changes) { changes in
            withUnsafePointer(to: share) {
              effects_settle(
                changes, least, rest, motion, before, now, $0, rows.lowerBound, rows.upperBound)
            }
          }
        }
      }
    }
  }

  /// The change of most of the picture, which rests: the median.
  private func noise() -> Float {
    let field = changes.field
    let steps: Float = 8
    var counts = [Int](repeating: 0, count: Int(Self.mostNoise * steps) + 1)
    var total = 0
    for y in stride(from: 0, to: Int(field.height), by: 3) {
      let row = field.base + y * field.stride
      for x in stride(from: y % 5, to: Int(field.width), by: 5) {
        counts[Int(min(Self.mostNoise, row[x]) * steps)] += 1
        total += 1
      }
    }
    var fewer = 0
    for (index, count) in counts.enumerated() {
      fewer += count
      if 2 * fewer >= total { return max(Self.leastNoise, Float(index) / steps) }
    }
    return Self.mostNoise
  }

  /// Brings each first field up to the second as far as the colours were brought, into the third.
  func approach(_ fields: [(CellField, CellField, CellField)], threads: Int) {
    let fields = fields.map { ($0.field, $1.field, $2.field) }
    let share = share.field
    grid.forEachPart(threads: threads) { rows in
      for (average, now, target) in fields {
        withUnsafePointer(to: average) { average in
          withUnsafePointer(to: now) { now in
            withUnsafePointer(to: target) { target in
              withUnsafePointer(to: share) {
                effects_approach(average, now, $0, 0, target, rows.lowerBound, rows.upperBound)
              }
            }
          }
        }
      }
    }
  }

  /// Whether nothing is averaged yet.
  var isFirst: Bool { pixels == nil }

  /// The mask of the picture before, and how much of the newest the averages took.
  var known: (before: [UInt8], share: CellField)? { pixels.map { ($0, share) } }

  /// Brings refined lines back towards the average of those before, as far as the colours were.
  func average(_ lines: MaskLines, threads: Int) {
    let (before, after) = (average.slopes, lines.slopes)
    approach(
      [
        (before.luma, after.luma, after.luma), (before.blue, after.blue, after.blue),
        (before.red, after.red, after.red), (average.base, lines.base, lines.base),
      ], threads: threads)
  }

  /// Keeps the newest averages and the mask, and lets the picture go.
  mutating func keep(_ pixels: [UInt8]) {
    swap(&mask, &placed)
    swap(&average, &fresh)
    (self.pixels, picture) = (pixels, nil)
  }
}
