internal import Foundation

/// The colour of a light: near to that of a glowing body of some temperature, and greener or more magenta than it.
///
/// The glowing body's colours are those of Krystek's rational fit in CIE 1960 (u, v), good to 0.0001 from 1000 to
/// 15 000 K and smooth beyond. Tint is the distance from them, straight across their curve, in 1/3000 of (u, v) and above 0
/// towards green.
///
/// Sources: M. Krystek, "An algorithm to calculate correlated colour temperature", Color Research & Application 10 (1985),
/// equations 1 and 2. A. Robertson, "Computation of correlated color temperature and distribution temperature", JOSA 58 (1968):
/// lines of the same temperature are straight across the curve. The unit of tint is that of Adobe's DNG SDK.
package struct LightColor {
  /// Kelvin.
  package let temperature: Double
  /// In 1/3000 of CIE 1960 (u, v).
  package let tint: Double

  /// The temperatures that the conversions know; more of either end looks the same to a camera.
  package static let temperatures = 1000.0...25_000
  private static let tintUnit = 1.0 / 3000

  /// A light of a temperature, brought into ``temperatures``, and a tint.
  package init(temperature: Double, tint: Double) {
    let range = Self.temperatures
    self.temperature = temperature.isFinite ? min(max(temperature, range.lowerBound), range.upperBound) : 6504
    self.tint = tint.isFinite ? tint : 0
  }

  /// The light of a CIE 1931 chromaticity.
  package init(_ chromaticity: (x: Double, y: Double)) {
    let scale = -2 * chromaticity.x + 12 * chromaticity.y + 3
    let point = SIMD2(4 * chromaticity.x / scale, 6 * chromaticity.y / scale)
    // Even steps in reciprocal temperature are nearly even steps along the curve.
    let coolest = 1 / Self.temperatures.upperBound, warmest = 1 / Self.temperatures.lowerBound
    let step = (warmest - coolest) / 256
    let nearest = (0...256).min { left, right in
      Self.distance(point, coolest + Double(left) * step)
        < Self.distance(point, coolest + Double(right) * step)
    }
    let middle = coolest + Double(nearest ?? 0) * step
    var low = max(coolest, middle - step), high = min(warmest, middle + step)
    // Where the point lies straight across from the curve: halving narrows a step to a millionth of it.
    for _ in 0..<40 {
      let half = (low + high) / 2
      if Self.isBehind(point, half) { low = half } else { high = half }
    }
    temperature = 2 / (low + high)
    let offset = point - Self.body(temperature)
    tint = (offset * Self.green(temperature)).sum() / Self.tintUnit
  }

  /// CIE 1931 x and y.
  package var chromaticity: (x: Double, y: Double) {
    let point = Self.body(temperature) + tint * Self.tintUnit * Self.green(temperature)
    let scale = 2 * point.x - 8 * point.y + 4
    return (3 * point.x / scale, 2 * point.y / scale)
  }

  // MARK: The curve

  private static func body(_ t: Double) -> SIMD2<Double> {
    SIMD2(
      (0.860_117_757 + 1.541_182_54e-4 * t + 1.286_412_12e-7 * t * t)
        / (1 + 8.424_202_35e-4 * t + 7.081_451_63e-7 * t * t),
      (0.317_398_726 + 4.228_062_45e-5 * t + 4.204_816_91e-8 * t * t)
        / (1 - 2.897_418_16e-5 * t + 1.614_560_53e-7 * t * t))
  }

  /// The direction in which the temperature falls, of length 1.
  private static func warmer(_ t: Double) -> SIMD2<Double> {
    let difference = body(t - 0.5) - body(t + 0.5)
    return difference / (difference * difference).sum().squareRoot()
  }

  /// The direction straight across the curve, towards green, of length 1.
  private static func green(_ t: Double) -> SIMD2<Double> {
    let along = warmer(t)
    return SIMD2(-along.y, along.x)
  }

  private static func distance(_ point: SIMD2<Double>, _ reciprocal: Double) -> Double {
    let offset = point - body(1 / reciprocal)
    return (offset * offset).sum()
  }

  /// Whether the point lies on the warmer side of the line across the curve.
  private static func isBehind(_ point: SIMD2<Double>, _ reciprocal: Double) -> Bool {
    ((point - body(1 / reciprocal)) * warmer(1 / reciprocal)).sum() > 0
  }
}
