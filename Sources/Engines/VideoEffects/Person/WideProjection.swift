package import Foundation

/// The way from directions before a lens to places of its picture: that of a straight lens, bent as the lens bends.
///
/// A straight lens keeps lines straight, and so draws what lies far from the middle too long: a ball at the angle θ becomes 1/cos θ
/// times longer than wide, away from the middle.
package struct WideProjection: Sendable, Hashable {
  /// Where the lens's axis meets the picture, in pixels.
  private let middle: SIMD2<Double>
  /// Half the width of the lens's whole view, in pixels.
  private let half: Double
  /// Half the horizontal field of that view, as a tangent.
  private let reach: Double
  /// As `LensFacts.bending`, and its c.
  private let bending: Double
  private let corner: Double

  /// A lens's projection.
  ///
  /// - Parameters:
  ///   - size: The picture, whose middle is the lens's axis, in pixels.
  ///   - viewWidth: The width that the lens's whole view has at the scale of the picture, in pixels: the picture's own, where it is not a part.
  ///   - fieldOfView: Horizontal, of the whole view, in degrees below 180, once straight lines are straight.
  ///   - bending: By how much lines bend: a place *r* half widths from the middle shows what a straight lens shows at
  ///     *r* (1 + bending · *r*²) / `corner`; 0 for pictures that were corrected.
  package init(
    size: CGSize, viewWidth: Double, fieldOfView: Double, bending: Double = 0, corner: Double = 1
  ) {
    middle = SIMD2(Double(size.width), Double(size.height)) / 2
    half = max(viewWidth / 2, 1)
    reach = tan(min(max(fieldOfView, 1), 170) * .pi / 360)
    self.bending = bending
    self.corner = corner
  }

  /// The same lens in a picture of other size that shows the same.
  package func scaled(by factor: Double) -> WideProjection {
    WideProjection(
      size: CGSize(width: 2 * middle.x * factor, height: 2 * middle.y * factor), viewWidth: 2 * half * factor,
      fieldOfView: atan(reach) * 360 / .pi, bending: bending, corner: corner)
  }

  /// Where a stereographic picture has what a place shows; there balls are round, and a radian about the middle is 1.
  func rounded(_ place: SIMD2<Double>) -> SIMD2<Double> {
    let offset = (place - middle) / half
    let straight = offset * ((1 + bending * (offset * offset).sum()) / corner)
    let tangent = straight * reach
    return tangent * (2 / (1 + (1 + (tangent * tangent).sum()).squareRoot()))
  }

  /// The place that shows what a stereographic picture has there; the inverse of ``rounded(_:)`` before the lens.
  func place(_ rounded: SIMD2<Double>) -> SIMD2<Double> {
    // What is beside or behind the lens is in no picture.
    let tangent = rounded / max(1 - (rounded * rounded).sum() / 4, 0.05)
    let straight = tangent / reach
    let wanted = (straight * straight).sum().squareRoot() * corner
    guard bending != 0, wanted > 0 else { return middle + straight * (corner * half) }
    // Newton's steps for r (1 + bending · r²) = wanted.
    var radius = wanted / (1 + bending)
    for _ in 0..<8 {
      radius -=
        (radius * (1 + bending * radius * radius) - wanted) / max(1 + 3 * bending * radius * radius, 0.1)
    }
    return middle + straight * (corner * half * radius / wanted)
  }
}
