internal import Foundation

/// `value` between two limits.
@inline(__always) func clamp(_ value: Float, _ low: Float = 0, _ high: Float = 1) -> Float {
  min(high, max(low, value))
}

/// From `a` at 0 to `b` at 1.
@inline(__always) func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }

/// From `a` at 0 to `b` at 1.
@inline(__always) func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ share: Float) -> SIMD3<Float> {
  a + (b - a) * share
}

/// 0 up to `low`, 1 from `high` on, with level ends; falls where `low` is the greater.
@inline(__always) func smoothStep(_ low: Float, _ high: Float, _ value: Float) -> Float {
  let share = clamp((value - low) / (high - low))
  return share * share * (3 - 2 * share)
}

/// 1 in the middle of a time, with a soft rise and a soft fall at its ends; 0 outside.
func envelope(_ time: Float, rise: Float, fall: Float, end: Float) -> Float {
  smoothStep(0, rise, time) * smoothStep(end, end - fall, time)
}

/// From 0 to 1 with an overshoot of about a sixth, at rest after `settling`: a spring that is let go.
func spring(_ time: Float, settling: Float) -> Float {
  guard time > 0 else { return 0 }
  let share = time / settling
  return 1 - expf(-5.2 * share) * cosf(8.6 * share)
}

/// A bell of height 1 around 0 with the standard deviation `width`.
@inline(__always) func bell(_ distance: Float, _ width: Float) -> Float {
  expf(-0.5 * (distance / width) * (distance / width))
}

/// The length of a vector.
@inline(__always) func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

/// The vector of length 1 that points to an angle, from the right clockwise as seen.
@inline(__always) func direction(_ angle: Float) -> SIMD2<Float> { SIMD2(cosf(angle), sinf(angle)) }

/// The vector with length 1.
@inline(__always) func normalize(_ vector: SIMD3<Float>) -> SIMD3<Float> {
  vector / (vector * vector).sum().squareRoot()
}

/// A quarter turn clockwise as seen.
@inline(__always) func turned(_ vector: SIMD2<Float>) -> SIMD2<Float> { SIMD2(-vector.y, vector.x) }
