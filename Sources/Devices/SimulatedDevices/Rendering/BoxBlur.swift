internal import CPainting

/// A blur of a row: a box of whole pixels with a part of one more at each end.
///
/// It has the variance of the lens's blur circle, which along x is the square of a quarter of the diameter, so that an edge
/// is exactly as soft as the optics say, from fractions of a pixel on.
struct BoxBlur: Sendable {
  /// Whole pixels on each side of the middle.
  let whole: Int
  /// The weight of the pixel beyond them.
  let part: Float
  /// One over the sum of all.
  let scale: Float

  /// A blur like a circle of `diameter` pixels; 0 is none.
  init(diameter: Float) {
    let variance = diameter * diameter / 16
    // A box of 2n + 1 pixels has the variance n (n + 1) / 3.
    var n = 0
    while Float((n + 1) * (n + 2)) / 3 <= variance { n += 1 }
    let count = Float(2 * n + 1)
    let own = Float(n * (n + 1)) / 3 * count
    whole = n
    part = (variance * count - own) / (2 * (Float((n + 1) * (n + 1)) - variance))
    scale = 1 / (count + 2 * part)
  }

  /// The pixels that a pixel spreads to each side.
  var reach: Int { part == 0 && whole == 0 ? 0 : whole + 1 }

  /// Blurs one row; `source` begins ``reach`` before the target's first pixel and ends ``reach`` after its last.
  func apply(
    _ source: UnsafeMutablePointer<SIMD4<Float>>, count: Int, into target: UnsafeMutablePointer<SIMD4<Float>>,
    step: Int = 1
  ) {
    painting_blur(source, count, whole, part, scale, target, step)
  }
}
