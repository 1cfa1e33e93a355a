internal import CEffects
internal import Foundation

/// The place of a mask of few pixels in the cells of a picture.
struct MaskPlacement: Sendable {
  private let mask: PersonMask
  private let scale: (x: Float, y: Float)
  private let shift: (x: Float, y: Float)
  private let range: ClosedRange<Float>

  /// - Parameters:
  ///   - part: What the mask covers, in pixels of the picture; `nil` is all. Beyond it everything is background.
  ///   - range: Shares up to its lower end count as background, from its upper end on as person.
  init(of mask: PersonMask, part: CGRect?, in grid: CellGrid, range: ClosedRange<Float>) {
    let part = part ?? CGRect(x: 0, y: 0, width: grid.width, height: grid.height)
    (self.mask, self.range) = (mask, range)
    let perPixel = (x: Double(mask.width) / part.width, y: Double(mask.height) / part.height)
    let cell = Double(grid.factor)
    scale = (Float(cell * perPixel.x), Float(cell * perPixel.y))
    // Both count from the middles of their pixels.
    shift = (
      Float((cell / 2 - part.minX) * perPixel.x - 0.5), Float((cell / 2 - part.minY) * perPixel.y - 0.5)
    )
  }

  /// Fills a field with the mask, linear between its pixels.
  func fill(_ target: CellField, _ grid: CellGrid, threads: Int) {
    let field = target.field
    grid.forEachPart(threads: threads) { rows in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: mask.width + 3 * grid.columns) { room in
        withUnsafePointer(to: field) { field in
          effects_place(
            mask.alpha, Int32(mask.width), Int32(mask.height), scale.x, shift.x, scale.y, shift.y,
            range.lowerBound,
            range.upperBound, field, rows.lowerBound, rows.upperBound, room.baseAddress)
        }
      }
    }
  }

  /// The mask of a picture's pixels, in rows of an even width; the same bytes where it has as many.
  func pixels(_ grid: CellGrid) -> [UInt8] {
    if mask.width == grid.evenWidth && mask.height == grid.height { return mask.alpha }
    let step = (x: Float(mask.width) / Float(grid.width), y: Float(mask.height) / Float(grid.height))
    var result = [UInt8](repeating: 0, count: grid.evenWidth * grid.height)
    for y in 0..<grid.height {
      let down = Line((Float(y) + 0.5) * step.y - 0.5, mask.height)
      for x in 0..<grid.evenWidth {
        let across = Line((Float(min(x, grid.width - 1)) + 0.5) * step.x - 0.5, mask.width)
        func row(_ y: Int) -> Float {
          let (one, other) = (
            mask.alpha[y * mask.width + across.from], mask.alpha[y * mask.width + across.to]
          )
          return Float(one) + (Float(other) - Float(one)) * across.share
        }
        let upper = row(down.from)
        result[y * grid.evenWidth + x] = UInt8(upper + (row(down.to) - upper) * down.share + 0.5)
      }
    }
    return result
  }

  /// The mask of cells: all or nothing only where all of a cell's pixels are.
  static func cells(_ pixels: [UInt8], _ grid: CellGrid) -> PersonMask {
    var sums = [Int](repeating: 0, count: grid.columns * grid.rows)
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<grid.height {
        let (row, cells) = (y * grid.evenWidth, y / grid.factor * grid.columns)
        for x in 0..<grid.width { sums[cells + x / grid.factor] += Int(pixels[row + x]) }
      }
    }
    let alpha = sums.indices.map { cell -> UInt8 in
      let (x, y) = (cell % grid.columns * grid.factor, cell / grid.columns * grid.factor)
      let area = min(grid.factor, grid.width - x) * min(grid.factor, grid.height - y)
      return UInt8((sums[cell] + area / 2) / area)
    }
    return PersonMask(width: grid.columns, height: grid.rows, alpha: alpha)
  }

  /// Two neighbours and the way between them, at the ends the last.
  private struct Line {
    let from: Int
    let to: Int
    let share: Float

    init(_ place: Float, _ count: Int) {
      let inside = max(0, min(Float(count - 1), place))
      from = Int(inside)
      to = min(count - 1, from + 1)
      share = inside - Float(from)
    }
  }
}
