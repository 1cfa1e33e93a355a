internal import Foundation

/// The kernel with which scaling filters interpolate: the shares of the pixels around a place, by their distance.
enum ResamplingKernel: Sendable, Hashable {
  /// A sinc under a sinc three lobes wide (Duchon 1979).
  case lanczos
  /// Cubic pieces (Mitchell and Netravali 1988, equation 8): `b` blurs, `c` sharpens.
  case cubic(b: Double, c: Double)

  /// From which distance on pixels do not count.
  var reach: CGFloat {
    switch self {
    case .lanczos: 3
    case .cubic: 2
    }
  }

  /// The share of a pixel whose middle is so far away; shares at steps of 1 add up to about 1.
  func share(at distance: CGFloat) -> CGFloat {
    let x = abs(distance)
    guard x < reach else { return 0 }
    switch self {
    case .lanczos:
      if x < 1e-8 { return 1 }
      let angle = CGFloat.pi * x
      return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    case .cubic(let b, let c):
      let (x2, x3) = (x * x, x * x * x)
      if x < 1 {
        return ((12 - 9 * b - 6 * c) * x3 + (-18 + 12 * b + 6 * c) * x2 + (6 - 2 * b)) / 6
      }
      return ((-b - 6 * c) * x3 + (6 * b + 30 * c) * x2 + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
    }
  }
}
