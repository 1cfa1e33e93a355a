internal import Foundation

/// The light in which solid shapes are seen: from the upper left and the front, with a shine.
enum Shading {
  private static let sun = normalize(SIMD3(-0.42, -0.62, 0.66))
  /// Half way between the light and the eye.
  private static let shine = normalize(SIMD3(-0.42, -0.62, 1.66))

  /// The colour of a glossy surface.
  ///
  /// - Parameters:
  ///   - color: The colour in full light.
  ///   - normal: The direction in which the surface looks; z is towards the eye.
  ///   - gloss: The strength of the shine.
  ///   - sharpness: How small the shine is.
  static func glossy(
    _ color: SIMD3<Float>, normal: SIMD3<Float>, gloss: Float = 0.5, sharpness: Float = 36
  ) -> SIMD3<Float> {
    let light = max(0, (normal * sun).sum())
    let shadow = color * color * 0.42 + color * 0.12
    let rim = (1 - clamp(normal.z)) * (1 - clamp(normal.z)) * (1 - clamp(normal.z))
    let sky = clamp(0.5 - normal.y * 0.5)
    var result = mix(shadow, color, smoothStep(0, 0.85, light))
    result += color * (0.10 * sky) + SIMD3(repeating: 0.16 * rim * sky)
    guard gloss > 0 else { return result }
    result += SIMD3(repeating: gloss * powf(max(0, (normal * shine).sum()), sharpness))
    return result
  }

  /// How much of a pixel lies inside an edge that is `distance` away, positive inside.
  @inline(__always) static func cover(_ distance: Float, pixel: Float) -> Float {
    clamp(distance / pixel + 0.5)
  }

  /// A colour with its alpha, multiplied.
  @inline(__always) static func ink(_ color: SIMD3<Float>, _ alpha: Float) -> SIMD4<Float> {
    let color = simdClamp(color)
    return SIMD4(color.x * alpha, color.y * alpha, color.z * alpha, alpha)
  }

  /// `top` over `bottom`, both multiplied by alpha.
  @inline(__always) static func over(_ top: SIMD4<Float>, _ bottom: SIMD4<Float>) -> SIMD4<Float> {
    top + bottom * (1 - top.w)
  }

  @inline(__always) private static func simdClamp(_ color: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(clamp(color.x), clamp(color.y), clamp(color.z))
  }
}
