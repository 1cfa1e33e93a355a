/// The meaning of a mosaic's numbers, and the light it was taken in.
package struct RawFacts: Sendable, Hashable {
  /// The numbers that are black: one for all, or four as the upper left four pixels lie.
  package var blackLevels = [0.0]
  /// The number that is as bright as can be.
  package var whiteLevel = 16383
  /// The factors of red, green and blue that make the light neutral; only their ratios count.
  package var gains = SIMD3<Double>.one
  /// From balanced camera colours to linear sRGB, row by row; white stays white.
  package var matrix = RawFacts.identity

  /// Facts of a sensor of 14 bits that sees as sRGB does.
  package init() {}

  /// A matrix that changes nothing.
  package static let identity = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]

  /// The matrix of a camera, from one that leads from CIE XYZ to the camera's colours, row by row, as DNG has it.
  ///
  /// The camera's answer to white is made 1, 1, 1 first, for balanced colours have it there. `nil` for a matrix that cannot be turned round.
  package static func matrix(fromXYZ colors: [Double]) -> [Double]? {
    guard colors.count == 9 else { return nil }
    // Linear sRGB to CIE XYZ of D65 (IEC 61966-2-1).
    let toXYZ = [
      0.412_390_799, 0.357_584_339, 0.180_480_788, 0.212_639_006, 0.715_168_679, 0.072_192_315,
      0.019_330_819, 0.119_194_780, 0.950_532_152,
    ]
    var seen = product(colors, toXYZ)
    for row in 0..<3 {
      let white = seen[3 * row] + seen[3 * row + 1] + seen[3 * row + 2]
      guard white > 1e-6 else { return nil }
      for column in 0..<3 { seen[3 * row + column] /= white }
    }
    return inverse(seen)
  }

  /// The product of two matrices of nine numbers, row by row.
  package static func product(_ left: [Double], _ right: [Double]) -> [Double] {
    var result = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      for column in 0..<3 {
        for index in 0..<3 { result[3 * row + column] += left[3 * row + index] * right[3 * index + column] }
      }
    }
    return result
  }

  /// The matrix that takes the first one back; `nil` where there is none.
  package static func inverse(_ m: [Double]) -> [Double]? {
    let minors = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * minors[0] + m[1] * minors[3] + m[2] * minors[6]
    guard abs(determinant) > 1e-12 else { return nil }
    return minors.map { $0 / determinant }
  }
}
