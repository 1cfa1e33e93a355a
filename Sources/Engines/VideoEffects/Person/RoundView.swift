package import Foundation

/// A stereographic picture of what a wide lens shows, and the way back to the lens's own.
package struct RoundView: Sendable, Hashable {
  private let lens: WideProjection
  private let middle: SIMD2<Double>
  /// Pixels for each unit of the stereographic picture: as wide as the lens's own.
  private let scale: Double

  init(_ lens: WideProjection, width: Double, height: Double) {
    self.lens = lens
    middle = SIMD2(width, height) / 2
    scale = width / 2 / max(lens.rounded(SIMD2(width, height / 2)).x, 1e-6)
  }

  /// Where the lens's picture has what a place of this one shows.
  func source(of place: SIMD2<Double>) -> SIMD2<Double> { lens.place((place - middle) / scale) }

  /// The square in the lens's picture about a face that was found in this one, of about the same area.
  package func face(_ found: CGRect) -> CGRect {
    let center = SIMD2(Double(found.midX), Double(found.midY))
    let (x, y) = (SIMD2(1.0, 0), SIMD2(0, 1.0))
    let right = (source(of: center + x) - source(of: center - x)) / 2
    let down = (source(of: center + y) - source(of: center - y)) / 2
    let radius =
      Double(max(found.width, found.height)) / 2 * abs(right.x * down.y - right.y * down.x).squareRoot()
    let place = source(of: center)
    return CGRect(x: place.x - radius, y: place.y - radius, width: 2 * radius, height: 2 * radius)
  }
}
