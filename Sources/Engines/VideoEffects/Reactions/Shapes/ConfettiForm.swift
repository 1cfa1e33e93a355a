internal import Foundation

/// The forms of confetti.
package enum ConfettiForm: Hashable, Sendable, CaseIterable {
  case strip, disc, curl

  /// The steps between the dark and the bright side of a bit that turns in the light.
  static let shadeCount = 4

  func color(_ base: SIMD3<Float>, shade: Int, _ point: SIMD2<Float>, pixel: Float) -> SIMD4<Float> {
    let light = Float(shade) / Float(Self.shadeCount - 1)
    var color = mix(base * 0.55, base * 1.06, light) + SIMD3(repeating: 0.16 * light * light)
    let inside: Float
    switch self {
    case .strip:
      let corner = SIMD2(abs(point.x) - 0.52, abs(point.y) - 0.82)
      let outside = SIMD2(max(corner.x, 0), max(corner.y, 0))
      inside = 0.08 - length(outside) - min(max(corner.x, corner.y), 0)
      color *= 1.05 - 0.12 * point.y
    case .disc:
      inside = 0.80 - length(point)
      color *= 1.05 - 0.14 * point.y
    case .curl:
      let wave = 0.34 * sinf(point.y * 5.2)
      let slope = 0.34 * 5.2 * cosf(point.y * 5.2)
      let across = (point.x - wave) / (1 + slope * slope).squareRoot()
      inside = min(0.15 - abs(across), 0.90 - abs(point.y))
      // The two faces of a ribbon that winds.
      color *= 0.86 + 0.30 * clamp(slope / 1.8, -1, 1)
    }
    return Shading.ink(color, Shading.cover(inside, pixel: pixel))
  }
}
