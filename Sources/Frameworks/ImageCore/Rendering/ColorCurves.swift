internal import Foundation
internal import Linux
internal import PixelTransforms

/// A curve for each of red, green and blue: straight lines from -4 to 4, the function itself beyond.
///
/// The lines are within a thousandth of what eight bits show of gamma curves.
struct ColorCurves: Sendable {
  /// Lines for all colours, or for each, end to end: values at 0, and slopes.
  private let tables: [SIMD2<Float>]
  private let function: @Sendable (SIMD4<Float>) -> SIMD4<Float>

  /// - Parameter function: The curves, each of one lane; the last lane is not used.
  init(_ function: @escaping @Sendable (SIMD4<Float>) -> SIMD4<Float>) {
    self.function = function
    let above = PixelRows.curvePlaces.map { function(SIMD4(repeating: $0)) }
    let below = PixelRows.curvePlaces.map { function(SIMD4(repeating: -$0)) }
    let each = (0..<3).map { lane in
      PixelRows.curveTable(above: above.map { $0[lane] }, below: below.map { $0[lane] })
    }
    // One table stays in the first level cache.
    tables = each[0] == each[1] && each[1] == each[2] ? each[0] : Array(each.joined())
  }

  /// The same curve for all three.
  init(all function: @escaping @Sendable (Float) -> Float) {
    self.function = { $0.mapColors(function) }
    tables = PixelRows.curveTable(
      above: PixelRows.curvePlaces.map(function), below: PixelRows.curvePlaces.map { function(-$0) })
  }

  /// Curves that are made when they are first asked for, and kept: a program uses few of all looks.
  static func once(_ make: @escaping @Sendable () -> ColorCurves) -> @Sendable () -> ColorCurves {
    let kept = Locked<ColorCurves?>(nil)
    return {
      kept.withLock { kept in
        let curves = kept ?? make()
        kept = curves
        return curves
      }
    }
  }

  /// From light to the numbers of a screen.
  static let stored = ColorCurves(all: ScreenCurve.stored)
  /// From the numbers of a screen to light.
  static let light = ColorCurves(all: ScreenCurve.light)

  private static let length = 2 * (PixelRows.curvePlaces.count - 1)

  /// Whether all three are the same curve.
  var isOne: Bool { tables.count == Self.length }

  /// - Parameter isGray: Whether the three colours of each pixel are equal, so that one is looked up for all.
  func change(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int, isGray: Bool = false) {
    let looksUpGray = isGray && isOne
    tables.withUnsafeBufferPointer { tables in
      guard let red = tables.baseAddress else { return }
      let (green, blue) = (isOne ? red : red + Self.length, isOne ? red : red + 2 * Self.length)
      var index = 0
      while true {
        let (rest, left) = (row + index, count - index)
        index +=
          looksUpGray
          ? PixelRows.lookUp(ofGray: rest, left, in: red)
          : PixelRows.lookUp(rest, left, in: (red, green, blue))
        if index == count { return }
        row[index] = function(row[index]).withAlpha(row[index].w)
        index += 1
      }
    }
  }
}
