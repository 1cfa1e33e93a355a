/// A 3×3 matrix for colours, by rows.
package struct ColorMatrix: Sendable, Hashable {
  /// The rows, top to bottom.
  package var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) { (first, second, third) }
  package private(set) var first: SIMD3<Double>
  package private(set) var second: SIMD3<Double>
  package private(set) var third: SIMD3<Double>

  /// The matrix that changes nothing.
  package static let identity = ColorMatrix([1, 0, 0], [0, 1, 0], [0, 0, 1])

  /// A matrix of three rows.
  package init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// Applies the matrix to a column.
  package static func * (matrix: ColorMatrix, column: SIMD3<Double>) -> SIMD3<Double> {
    [(matrix.first * column).sum(), (matrix.second * column).sum(), (matrix.third * column).sum()]
  }

  /// The matrix that does `right` first and `left` afterwards.
  package static func * (left: ColorMatrix, right: ColorMatrix) -> ColorMatrix {
    let columns = right.transposed
    func row(_ row: SIMD3<Double>) -> SIMD3<Double> { columns * row }
    return ColorMatrix(row(left.first), row(left.second), row(left.third))
  }

  /// Rows and columns exchanged.
  package var transposed: ColorMatrix {
    ColorMatrix([first.x, second.x, third.x], [first.y, second.y, third.y], [first.z, second.z, third.z])
  }

  /// The inverse; meaningless for a matrix without one, whose ``determinant`` is 0.
  package var inverse: ColorMatrix {
    let cofactors = ColorMatrix(cross(second, third), cross(third, first), cross(first, second)).transposed
    let scale = 1 / determinant
    return ColorMatrix(cofactors.first * scale, cofactors.second * scale, cofactors.third * scale)
  }

  /// By how much the matrix scales volumes.
  package var determinant: Double { (first * cross(second, third)).sum() }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}

/// The red, green, blue and white of a colour space, as chromaticities (x, y) of CIE 1931.
package struct ColorPrimaries: Sendable, Hashable {
  package var red: SIMD2<Double>
  package var green: SIMD2<Double>
  package var blue: SIMD2<Double>
  package var white: SIMD2<Double>

  /// Daylight of 6504 K, the white of every space here but DCI-P3.
  package static let d65: SIMD2<Double> = [0.3127, 0.3290]
  /// ITU-R BT.709, which sRGB shares.
  package static let rec709 = ColorPrimaries(
    red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06], white: d65)
  /// The primaries of DCI-P3 around daylight (SMPTE EG 432-1), as in Display P3.
  package static let p3 = ColorPrimaries(
    red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: d65)
  /// ITU-R BT.2020.
  package static let rec2020 = ColorPrimaries(
    red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046], white: d65)
  /// Adobe RGB (1998).
  package static let adobeRGB = ColorPrimaries(
    red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], white: d65)
  /// SMPTE RP 431-2: DCI-P3 around the projector's white.
  package static let dciP3 = ColorPrimaries(
    red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: [0.314, 0.351])

  /// Takes linear red, green and blue to CIE XYZ as seen under D50, the meeting place of ICC profiles.
  ///
  /// White is adapted with the Bradford transform (ICC.1:2010, annex E).
  package var toXYZ: ColorMatrix {
    let columns = ColorMatrix(Self.xyz(red), Self.xyz(green), Self.xyz(blue)).transposed
    let amounts = columns.inverse * Self.xyz(white)
    let unadapted = ColorMatrix(columns.first * amounts, columns.second * amounts, columns.third * amounts)
    return adaptation * unadapted
  }

  /// Takes XYZ under the space's own white to XYZ under D50.
  package var adaptation: ColorMatrix {
    let cone = ColorMatrix([0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
    let gain = (cone * Self.d50) / (cone * Self.xyz(white))
    return cone.inverse * ColorMatrix([gain.x, 0, 0], [0, gain.y, 0], [0, 0, gain.z]) * cone
  }

  /// The white of the ICC profile connection space.
  package static let d50: SIMD3<Double> = [0.9642, 1, 0.8249]

  private static func xyz(_ chromaticity: SIMD2<Double>) -> SIMD3<Double> {
    [chromaticity.x / chromaticity.y, 1, (1 - chromaticity.x - chromaticity.y) / chromaticity.y]
  }
}
