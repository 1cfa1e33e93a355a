/// A round glass of colour, with a light rim and a shine above.
enum BubbleShape {
  static func color(isUp: Bool, _ point: SIMD2<Float>, pixel: Float) -> SIMD4<Float> {
    let radius: Float = 0.95
    let distance = length(point)
    let inside = Shading.cover(radius - distance, pixel: pixel)
    guard inside > 0 else { return SIMD4() }
    let top = isUp ? SIMD3<Float>(0.40, 0.78, 1.0) : SIMD3<Float>(0.72, 0.56, 1.0)
    let bottom = isUp ? SIMD3<Float>(0.05, 0.34, 0.93) : SIMD3<Float>(0.36, 0.13, 0.80)
    let share = distance / radius
    var color = mix(top, bottom, smoothStep(-0.9, 0.8, point.y))
    // Thicker glass at the edge, lit from below where the light leaves it.
    color *= 1 - 0.30 * smoothStep(0.72, 1, share)
    color += mix(top, SIMD3(repeating: 1), 0.4) * (0.55 * bell(length(point - SIMD2(0.18, 0.72)), 0.22))
    color +=
      SIMD3(repeating: 0.55) * smoothStep(0.93, 0.985, share) * smoothStep(0.5, -0.8, point.y + 0.3 * point.x)
    let shine = (point - SIMD2(-0.02, -0.60)) / SIMD2(0.62, 0.27)
    let strength = smoothStep(1, 0.55, length(shine)) * mix(0.62, 0.05, smoothStep(-0.9, -0.3, point.y))
    color = mix(color, SIMD3(repeating: 1), strength)
    return Shading.ink(color, inside * mix(0.90, 0.97, smoothStep(0.6, 1, share)))
  }
}
