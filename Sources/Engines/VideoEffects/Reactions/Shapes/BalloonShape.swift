internal import Foundation

/// A balloon with its knot; its string is drawn piece by piece.
package enum BalloonShape {
  /// Where the string begins, below the middle.
  static let knot: Float = 0.90

  /// The colour and alpha at a point of the shape, which reaches from −1 to 1; `pixel` is the width of a pixel.
  package static func color(_ base: SIMD3<Float>, _ point: SIMD2<Float>, pixel: Float) -> SIMD4<Float> {
    let knotPart = knotColor(base, point, pixel: pixel)
    let middle: Float = -0.10
    let tall: Float = 0.84
    let y = (point.y - middle) / tall
    // Wider above, narrower towards the knot.
    let wide = 0.69 * (1 - 0.10 * y - 0.10 * y * y * (y > 0 ? 1 : 0))
    let x = point.x / wide
    let square = x * x + y * y
    let radius = square.squareRoot()
    let inside = Shading.cover((1 - radius) * 0.74, pixel: pixel)
    guard inside > 0 else { return knotPart }
    let normal = SIMD3(x, y, max(0, 1 - square).squareRoot())
    var color = Shading.glossy(base, normal: normalize(normal + SIMD3(0, 0, 1e-3)), gloss: 0)
    // Light that came through the rubber leaves it on the far side.
    color += base * (0.55 * smoothStep(0.2, 1, radius) * smoothStep(-0.2, 1, 0.55 * x + 0.75 * y))
    color += SIMD3(repeating: 0.10 * smoothStep(0.8, 1, radius))
    let leaned = SIMD2(0.8 * point.x - 0.6 * point.y, 0.6 * point.x + 0.8 * point.y) - SIMD2(0.085, -0.545)
    let shine = length(leaned / SIMD2(0.20, 0.105))
    color = mix(color, SIMD3(repeating: 1), 0.82 * smoothStep(1, 0.35, shine))
    color = mix(
      color, SIMD3(repeating: 1), 0.45 * smoothStep(1, 0.3, length(point - SIMD2(-0.44, -0.19)) / 0.07))
    return Shading.over(Shading.ink(color, inside * mix(0.94, 0.985, radius)), knotPart)
  }

  private static func knotColor(_ base: SIMD3<Float>, _ point: SIMD2<Float>, pixel: Float) -> SIMD4<Float> {
    let down = (point.y - 0.70) / 0.17
    guard down > -0.2, down < 1.5 else { return SIMD4() }
    let edge = 0.035 + 0.065 * clamp(down) - abs(point.x)
    let inside = Shading.cover(min(edge, 0.88 - point.y), pixel: pixel)
    return Shading.ink(base * (0.62 - 0.9 * point.x), inside)
  }

  /// A thin thread from edge to edge.
  static func string(_ point: SIMD2<Float>, pixel: Float) -> SIMD4<Float> {
    Shading.ink(SIMD3(0.93, 0.93, 0.96), 0.8 * smoothStep(0.85, 0.3, abs(point.x)))
  }
}
