/// The colour matrix of a sensor, which relates white balance gains to the colour of light.
///
/// A light of CIE chromaticity (x, y) gives raw red, green and blue; the gains that make it neutral are their reciprocals.
/// The matrix is what DNG calls `ColorMatrix` (Adobe, Digital Negative Specification 1.7, chapter 6).
public struct SensorColors: Sendable, Hashable {
  /// Rows for raw red, green and blue; columns for X, Y and Z.
  public var red: SIMD3<Double>
  /// The row of raw green.
  public var green: SIMD3<Double>
  /// The row of raw blue.
  public var blue: SIMD3<Double>

  /// A matrix from CIE XYZ to raw colours.
  public init(red: SIMD3<Double>, green: SIMD3<Double>, blue: SIMD3<Double>) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The raw colours of a light of luminance 1.
  ///
  /// - Parameters:
  ///   - x: The CIE 1931 chromaticity's x.
  ///   - y: Its y; above 0.
  public func raw(x: Double, y: Double) -> SIMD3<Double> {
    let xyz = SIMD3(x / y, 1, (1 - x - y) / y)
    return SIMD3((red * xyz).sum(), (green * xyz).sum(), (blue * xyz).sum())
  }

  /// The gains that make a light of that chromaticity neutral; the least of them is 1.
  ///
  /// Colours outside of what the sensor sees give gains of thousands, never below 1 or infinite.
  public func gains(x: Double, y: Double) -> WhiteBalanceGains {
    var raw = raw(x: x, y: y)
    raw.clamp(lowerBound: SIMD3(repeating: 1e-4), upperBound: SIMD3(repeating: .greatestFiniteMagnitude))
    let most = raw.max()
    return WhiteBalanceGains(red: Float(most / raw.x), green: Float(most / raw.y), blue: Float(most / raw.z))
  }

  /// The chromaticity of the light that `gains` make neutral; `nil` when the matrix cannot be turned round.
  public func chromaticity(_ gains: WhiteBalanceGains) -> (x: Double, y: Double)? {
    let raw = 1 / SIMD3(Double(gains.red), Double(gains.green), Double(gains.blue))
    // Cramer's rule over the columns.
    let columns = [
      SIMD3(red.x, green.x, blue.x), SIMD3(red.y, green.y, blue.y), SIMD3(red.z, green.z, blue.z),
    ]
    let whole = Self.determinant(columns[0], columns[1], columns[2])
    guard abs(whole) > 1e-9 else { return nil }
    let xyz =
      SIMD3(
        Self.determinant(raw, columns[1], columns[2]), Self.determinant(columns[0], raw, columns[2]),
        Self.determinant(columns[0], columns[1], raw)) / whole
    let sum = xyz.sum()
    guard sum > 0 else { return nil }
    return (xyz.x / sum, xyz.y / sum)
  }

  private static func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
    a.x * (b.y * c.z - b.z * c.y) - b.x * (a.y * c.z - a.z * c.y) + c.x * (a.y * b.z - a.z * b.y)
  }
}
