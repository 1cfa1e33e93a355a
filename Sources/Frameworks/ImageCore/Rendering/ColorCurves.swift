internal import Foundation
internal import PixelTransforms

/// A curve for each of red, green and blue: a table from -4 to 4, the function itself beyond.
///
/// Between two places of the table a straight line is within a thousandth of what eight bits show of gamma curves.
struct ColorCurves: Sendable {
  /// A table for all colours, or one for each, end to end: values, and the ways to the next ones.
  private let tables: [SIMD2<Float>]
  private let function: @Sendable (SIMD4<Float>) -> SIMD4<Float>

  /// - Parameter function: The curves, each of one lane; the last lane is not used.
  init(_ function: @escaping @Sendable (SIMD4<Float>) -> SIMD4<Float>) {
    self.function = function
    let values = PixelRows.curvePlaces.map { function(SIMD4(repeating: $0)) }
    let each = (0..<3).map { lane in Self.table(values.map { $0[lane] }) }
    // One table stays in the first level cache.
    tables = each[0] == each[1] && each[1] == each[2] ? each[0] : Array(each.joined())
  }

  /// The same curve for all three.
  init(all function: @escaping @Sendable (Float) -> Float) {
    self.function = { $0.mapColors(function) }
    tables = Self.table(PixelRows.curvePlaces.map(function))
  }

  private static func table(_ values: [Float]) -> [SIMD2<Float>] {
    values.indices.map { SIMD2(values[$0], values[min($0 + 1, values.count - 1)] - values[$0]) }
  }

  /// From light to the numbers of a screen.
  static let stored = ColorCurves(all: ScreenCurve.stored)
  /// From the numbers of a screen to light.
  static let light = ColorCurves(all: ScreenCurve.light)

  func change(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int) {
    tables.withUnsafeBufferPointer { tables in
      guard let red = tables.baseAddress else { return }
      let length = PixelRows.curvePlaces.count
      let isOne = tables.count == length
      let (green, blue) = (isOne ? red : red + length, isOne ? red : red + 2 * length)
      var index = 0
      while true {
        index += PixelRows.lookUp(row + index, count - index, in: (red, green, blue))
        if index == count { return }
        row[index] = function(row[index]).withAlpha(row[index].w)
        index += 1
      }
    }
  }
}
