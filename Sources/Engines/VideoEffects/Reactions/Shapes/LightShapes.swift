internal import Foundation

/// Light and what is as thin: colours without an outline.
enum LightShapes {
  /// From 1 in the middle to 0 at the edge.
  @inline(__always) static func fall(_ distance: Float, power: Int) -> Float {
    let rest = max(0, 1 - distance * distance)
    return power == 2 ? rest * rest : rest * rest * rest * rest
  }

  /// Light of a colour; where it is strong it turns white.
  @inline(__always) private static func light(_ color: SIMD3<Float>, _ strength: Float, white: Float = 0)
    -> SIMD4<
      Float
    >
  {
    let lit = color * strength + SIMD3(repeating: white)
    return SIMD4(min(lit.x, 1), min(lit.y, 1), min(lit.z, 1), clamp(strength + white))
  }

  static func glow(_ color: SIMD3<Float>, _ point: SIMD2<Float>) -> SIMD4<Float> {
    light(color, fall(length(point), power: 4))
  }

  static func spark(_ color: SIMD3<Float>, _ point: SIMD2<Float>) -> SIMD4<Float> {
    let distance = length(point)
    let edge = fall(distance, power: 2)
    return light(color, (bell(distance, 0.30) * 0.8 + 0.08) * edge, white: bell(distance, 0.13) * 0.9 * edge)
  }

  /// The head is near the upper edge.
  static func comet(_ color: SIMD3<Float>, _ point: SIMD2<Float>) -> SIMD4<Float> {
    let along = (point.y + 0.72) / 1.66
    let tail = along < 0 ? bell(along, 0.07) : powf(max(0, 1 - along), 1.6)
    let width = mix(0.40, 0.15, clamp(along))
    let strength = tail * bell(point.x, width) * fall(abs(point.x), power: 2)
    let end = smoothStep(1, 0.8, abs(point.y))
    let head = bell(length(SIMD2(point.x, (point.y + 0.72) * 3.6)), 0.28)
    return light(
      color, strength * end, white: (0.60 * head + 0.25 * strength * bell(point.x, 0.14) * tail) * end)
  }

  static func ring(_ color: SIMD3<Float>, _ point: SIMD2<Float>, pixel: Float) -> SIMD4<Float> {
    let distance = length(point)
    return light(color, bell(distance - 0.86, 0.045) * fall(distance, power: 2) * 8)
  }

  static func beam(_ color: SIMD3<Float>, _ point: SIMD2<Float>) -> SIMD4<Float> {
    let strength = bell(point.x, 0.26) * fall(abs(point.x), power: 2)
    // Weaker at the source, where many beams meet.
    return light(color, strength * rayStrength(point.y) * mix(0.4, 1, smoothStep(1, 0.5, point.y)))
  }

  static func ray(_ color: SIMD3<Float>, _ point: SIMD2<Float>) -> SIMD4<Float> {
    let edge = fall(abs(point.x), power: 2)
    let along = rayStrength(point.y)
    return light(color, bell(point.x, 0.42) * edge * along, white: 0.75 * bell(point.x, 0.19) * edge * along)
  }

  /// Bright to its very ends, whose soft edges add up to one where two pieces meet.
  static func bolt(_ point: SIMD2<Float>) -> SIMD4<Float> {
    let edge = fall(abs(point.x), power: 2)
    return light(SIMD3(0.62, 0.66, 1), 0.45 * bell(point.x, 0.4) * edge, white: bell(point.x, 0.15) * edge)
  }

  /// A ray's strength from its source at the lower edge on.
  private static func rayStrength(_ y: Float) -> Float {
    let along = (1 - y) / 2
    return smoothStep(0, 0.02, along) * smoothStep(1, 0.55, along) * mix(1, 0.45, along)
  }

  /// A falling drop: bright below, its trace above.
  static func drop(_ point: SIMD2<Float>) -> SIMD4<Float> {
    let along = clamp((point.y + 1) / 2)
    let strength = powf(along, 1.3) * smoothStep(1, 0.93, along) * smoothStep(0.9, 0.1, abs(point.x))
    return Shading.ink(SIMD3(0.80, 0.88, 1.0), 0.85 * strength)
  }
}
