/// A hand that shows its thumb, of glossy yellow, with a white cuff.
enum ThumbShape {
  /// A part of the hand: a bar with round ends, `lift` towards the eye.
  private struct Bar {
    let from: SIMD2<Float>
    let to: SIMD2<Float>
    let fromRadius: Float
    let toRadius: Float
    let lift: Float

    @inline(__always) func place(_ point: SIMD2<Float>) -> HeightField.Place {
      let axis = to - from
      let share = clamp(((point - from) * axis).sum() / max((axis * axis).sum(), 1e-6))
      let radius = mix(fromRadius, toRadius, share)
      let offset = point - from - axis * share
      let square = radius * radius - (offset * offset).sum()
      return HeightField.Place(
        height: square > 0 ? lift + square.squareRoot() : 0, depth: radius - length(offset))
    }
  }

  private static func bar(
    _ fromX: Float, _ fromY: Float, _ toX: Float, _ toY: Float, _ fromRadius: Float, _ toRadius: Float,
    lift: Float
  ) -> Bar {
    Bar(
      from: SIMD2(fromX, fromY), to: SIMD2(toX, toY), fromRadius: fromRadius, toRadius: toRadius, lift: lift)
  }

  /// The back of the hand and the thumb, which flow into each other.
  private static let palm = [
    bar(-0.22, 0.16, 0.14, 0.14, 0.27, 0.24, lift: 0),
    bar(-0.24, 0.42, 0.10, 0.50, 0.25, 0.22, lift: 0),
    bar(-0.30, 0.16, -0.10, -0.22, 0.26, 0.19, lift: 0),
    bar(-0.10, -0.22, 0.03, -0.62, 0.19, 0.16, lift: 0),
  ]
  /// The four fingers, from the upper one down.
  private static let fingers = [
    bar(0.10, -0.02, 0.48, -0.02, 0.15, 0.155, lift: 0.07),
    bar(0.08, 0.23, 0.53, 0.23, 0.145, 0.15, lift: 0.09),
    bar(0.09, 0.46, 0.48, 0.46, 0.135, 0.14, lift: 0.08),
    bar(0.11, 0.65, 0.38, 0.65, 0.115, 0.12, lift: 0.05),
  ]
  private static let skin = SIMD3<Float>(1.0, 0.78, 0.20)
  private static let cuff = SIMD3<Float>(0.93, 0.95, 1.0)
  private static let cuffEdge: Float = -0.43

  static func pixels(isUp: Bool, side: Int) -> [SIMD4<Float>] {
    // A thumb that shows down is the same hand turned over; the light stays above.
    let flip: Float = isUp ? 1 : -1
    return HeightField.pixels(side: side) { point in
      place(SIMD2(point.x, point.y * flip))
    } color: { point, here, normal, pixel in
      let isCuff = point.x < cuffEdge
      let color = Shading.glossy(
        isCuff ? cuff : skin, normal: normal, gloss: isCuff ? 0.15 : 0.42, sharpness: 26)
      return Shading.ink(color, Shading.cover(here.depth, pixel: pixel))
    }
  }

  private static func place(_ point: SIMD2<Float>) -> HeightField.Place {
    if point.x < cuffEdge {
      let corner = SIMD2(abs(point.x + 0.55) - 0.04, abs(point.y - 0.29) - 0.30)
      let outside = SIMD2(max(corner.x, 0), max(corner.y, 0))
      let depth = 0.08 - length(outside) - min(max(corner.x, corner.y), 0)
      return HeightField.Place(height: 0.12 + HeightField.pillow(depth, radius: 0.07), depth: depth)
    }
    var depth: Float = -1
    for part in palm { depth = HeightField.soft(part.place(point).depth, depth, width: 0.09) }
    var result = HeightField.Place(height: HeightField.pillow(depth, radius: 0.15), depth: depth)
    for finger in fingers {
      let finger = finger.place(point)
      result.height = HeightField.soft(finger.height, result.height, width: 0.035)
      result.depth = max(result.depth, finger.depth)
    }
    return result
  }
}
