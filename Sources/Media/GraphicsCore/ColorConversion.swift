/// The way from the numbers of one colour space to those of another.
///
/// Stored values become light, light goes through XYZ under D50 (relative colorimetric), and becomes stored values of
/// the target. Gray counts as equal red, green and blue; to gray goes the luminance.
package struct ColorConversion: Sendable {
  /// Where the numbers come from.
  package let source: CGColorSpace
  /// Where they go.
  package let target: CGColorSpace
  /// From linear values of the source to linear values of the target.
  package let matrix: ColorMatrix

  /// The conversion between two spaces.
  package init(from source: CGColorSpace, to target: CGColorSpace) {
    self.source = source
    self.target = target
    matrix = source.toXYZ == target.toXYZ ? .identity : target.toXYZ.inverse * source.toXYZ
  }

  /// Whether numbers go through unchanged.
  package var isIdentity: Bool {
    source.model == target.model && source.transfer == target.transfer && matrix == .identity
  }

  /// One colour of three components; gray comes in and goes out as three equal numbers.
  ///
  /// Values beyond 0…1 are cut off unless the target is an extended space.
  package func convert(_ color: SIMD3<Double>) -> SIMD3<Double> {
    if isIdentity { return color }
    let curve = source.transfer
    var light = matrix * [curve.linear(color.x), curve.linear(color.y), curve.linear(color.z)]
    if target.model == .monochrome {
      let luminance = (target.toXYZ.second * light).sum()
      light = [luminance, luminance, luminance]
    }
    let result: SIMD3<Double> = [
      target.transfer.stored(light.x), target.transfer.stored(light.y), target.transfer.stored(light.z),
    ]
    return target.isExtended ? result : result.clamped(lowerBound: .zero, upperBound: .one)
  }
}
