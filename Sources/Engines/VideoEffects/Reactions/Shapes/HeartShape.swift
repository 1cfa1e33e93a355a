/// A heart like a cushion of glass.
enum HeartShape {
  static func pixels(_ base: SIMD3<Float>, side: Int) -> [SIMD4<Float>] {
    HeightField.pixels(side: side) { point in
      let depth = depth(point)
      return HeightField.Place(height: HeightField.pillow(depth, radius: 0.45), depth: depth)
    } color: { point, here, normal, pixel in
      var color = Shading.glossy(base, normal: normal, gloss: 0.30, sharpness: 22)
      color += base * (0.35 * smoothStep(0.30, 0, here.depth) * smoothStep(-0.3, 0.8, point.y))
      let leaned = point - SIMD2(-0.44, -0.42)
      let turned = SIMD2(0.8 * leaned.x - 0.6 * leaned.y, 0.6 * leaned.x + 0.8 * leaned.y)
      color = mix(
        color, SIMD3(repeating: 1), 0.70 * smoothStep(1, 0.25, length(turned / SIMD2(0.21, 0.115))))
      return Shading.ink(color, 0.985 * Shading.cover(here.depth, pixel: pixel))
    }
  }

  /// How deep a point lies inside the outline.
  ///
  /// The exact distance to a heart of two quarter circles and a corner (I. Quilez, "2D distance functions").
  private static func depth(_ point: SIMD2<Float>) -> Float {
    let scale: Float = 1.55
    let x = abs(point.x) / scale
    let y = -point.y / scale + 0.53
    if x + y > 1 { return (Float(2).squareRoot() / 4 - length(SIMD2(x - 0.25, y - 0.75))) * scale }
    let upper = length(SIMD2(x, y - 1))
    let half = max(x + y, 0) / 2
    let lower = length(SIMD2(x - half, y - half))
    return (x > y ? -1 : 1) * min(upper, lower) * scale
  }
}
