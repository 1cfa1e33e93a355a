package import CoreVideo
package import GraphicsCore
package import RawPictures

/// The colours of a sensor, for developers.
extension DNGEncoder.Options {
  /// Kelvins of the lights that EXIF numbers; others count as daylight.
  private static let temperatures: [UInt16: Double] = [
    1: 5500, 2: 4150, 3: 2856, 4: 5500, 9: 5500, 10: 6500, 11: 7500, 12: 6430, 13: 5000, 14: 4150, 15: 3450,
    17: 2856, 18: 4874, 19: 6774, 20: 5503, 21: 6504, 22: 7504, 23: 5003, 24: 3200,
  ]

  /// A sensor of which nothing is known sees as sRGB does.
  private static let plain = [
    3.240_969_942, -1.537_383_178, -0.498_610_760, -0.969_243_636, 1.875_967_502, 0.041_555_057,
    0.055_630_080, -0.203_976_959, 1.056_971_514,
  ]

  /// From CIE XYZ to the sensor's colours in a light of that many kelvin: between two lights by reciprocal temperatures, as DNG has it.
  package func colors(at kelvin: Double) -> [Double] {
    let known = colors.map { (kelvin: Self.temperatures[$0.illuminant] ?? 5500, matrix: $0.matrix) }
      .sorted { $0.kelvin < $1.kelvin }
    guard let warm = known.first, let cool = known.last else { return Self.plain }
    guard cool.kelvin > warm.kelvin else { return cool.matrix }
    let share = (1 / kelvin - 1 / cool.kelvin) / (1 / warm.kelvin - 1 / cool.kelvin)
    let bound = min(max(share, 0), 1)
    return zip(warm.matrix, cool.matrix).map { $0 * bound + $1 * (1 - bound) }
  }

  /// The light that the camera took for neutral; where it says nothing, the one that makes the mean of `mosaic` grey.
  package func light(of mosaic: CVPixelBuffer) -> LightColor {
    let seen: [Double]
    if let neutral {
      seen = neutral
    } else {
      let gains = MosaicStatistics.greyGains(of: mosaic, rawFacts(gains: .one, matrix: RawFacts.identity))
      seen = [1 / gains.x, 1 / gains.y, 1 / gains.z]
    }
    var light = LightColor(temperature: 5500, tint: 0)
    // Which matrix serves depends on the light that it finds.
    for _ in 0..<(colors.count > 1 ? 6 : 1) {
      guard let back = RawFacts.inverse(colors(at: light.temperature)) else { break }
      let xyz = (0..<3).map { row in (0..<3).reduce(0) { $0 + back[3 * row + $1] * seen[$1] } }
      let sum = xyz.reduce(0, +)
      guard sum > 0, sum.isFinite, xyz[1] > 0 else { break }
      light = LightColor((xyz[0] / sum, xyz[1] / sum))
    }
    return light
  }

  /// The gains that make a light neutral.
  package func gains(for light: LightColor) -> SIMD3<Double> {
    let (x, y) = light.chromaticity
    let xyz = [x / y, 1, (1 - x - y) / y]
    let matrix = colors(at: light.temperature)
    let seen = (0..<3).map { row in
      max((0..<3).reduce(0) { $0 + matrix[3 * row + $1] * xyz[$1] }, 1e-4)
    }
    return SIMD3(1 / seen[0], 1 / seen[1], 1 / seen[2])
  }

  /// The meaning of the numbers for a developer.
  package func rawFacts(gains: SIMD3<Double>, matrix: [Double]) -> RawFacts {
    var raw = RawFacts()
    raw.blackLevels = blackLevels
    raw.whiteLevel = whiteLevel ?? (1 << bits) - 1
    raw.gains = gains
    raw.matrix = matrix
    return raw
  }

  /// The meaning of the numbers of `mosaic` in the light that it was taken in.
  package func rawFacts(of mosaic: CVPixelBuffer) -> RawFacts {
    let light = light(of: mosaic)
    return rawFacts(
      gains: gains(for: light),
      matrix: RawFacts.matrix(fromXYZ: colors(at: light.temperature)) ?? RawFacts.identity)
  }
}
