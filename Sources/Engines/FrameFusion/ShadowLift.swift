internal import Foundation

/// By how much luma is lifted, by its brightness.
///
/// Luma *Y*, from 0 (black) to 1 (white), becomes *Y* + *L*(*Y*) · *Y* · (1 − *Y*): the factor is greatest at black, and white stays. *L* falls
/// smoothly from ``lift`` at black to 0 at the middle. The slope of the curve is 0.45 at least, so that order is kept. The forms and
/// figures are ours.
struct ShadowLift: Sendable, Equatable {
  /// *L* at black, from 0 (nothing changes) to 1 (up to one and a half stops of light).
  let lift: Double

  /// The curve for a picture: none for one that has no great share both of shadows and of highlights.
  ///
  /// Either alone is a dark or a bright picture, which was exposed so.
  init(for found: ToneSurvey.Findings) {
    let need =
      Self.step(found.shadows, from: 0.1, to: 0.3) * Self.step(found.highlights, from: 0.002, to: 0.012)
    lift = min(need, max(0, Self.factor(found) - 1))
  }

  /// The greatest factor that the remaining noise allows.
  ///
  /// After the lift the noise in the shadows has at most 0.7 times the deviation that it has in one frame, or ``unseen`` where that is
  /// more.
  private static func factor(_ found: ToneSurvey.Findings) -> Double {
    guard found.rest > 0 else { return 2 }
    return max(0.7 * (found.noise / found.rest).squareRoot(), unseen / found.rest.squareRoot())
  }

  /// The deviation of a noise that cannot be seen, in 8-bit levels.
  private static let unseen = 1.0

  /// *L* for luma `y`.
  func lift(at y: Double) -> Double { lift * (1 - Self.step(y, from: 0, to: 0.5)) }

  /// A smooth step from 0 to 1.
  private static func step(_ value: Double, from: Double, to: Double) -> Double {
    let t = max(0, min(1, (value - from) / (to - from)))
    return t * t * (3 - 2 * t)
  }
}
