public import Foundation
internal import FoundationExtras

/// The way in which values between key frames come about.
///
/// Apple: `CAAnimationCalculationMode`.
public struct CAAnimationCalculationMode: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The mode with Apple's text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// In a straight line from one to the next.
  public static let linear = CAAnimationCalculationMode(rawValue: "linear")
  /// Each stays until the next.
  public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
}

/// An animation through several values.
///
/// Apple: `CAKeyframeAnimation`.
open class CAKeyframeAnimation: CAPropertyAnimation {
  /// The values; one of another kind than the property changes nothing.
  open var values: [Any]?
  /// When each comes, from 0 to 1; `nil` spreads them evenly.
  ///
  /// Of discrete ones there is one more than of values, the end of the last.
  open var keyTimes: [NSNumber]?
  /// How fast it goes from each value to the next; `nil` is the same speed all the time.
  open var timingFunctions: [CAMediaTimingFunction]?
  /// How the values between come about; in straight lines at first.
  open var calculationMode = CAAnimationCalculationMode.linear

  override func take(from other: CAAnimation) {
    super.take(from: other)
    guard let other = other as? CAKeyframeAnimation else { return }
    (values, keyTimes) = (other.values, other.keyTimes)
    (timingFunctions, calculationMode) = (other.timingFunctions, other.calculationMode)
  }

  override func value(at progress: Double, own: AnimatedValue) -> AnimatedValue? {
    let all = (values ?? []).compactMap { AnimatedValue($0) }
    guard let first = all.first, let last = all.last, all.count == values?.count else { return nil }
    let isDiscrete = calculationMode == .discrete
    let parts = Double(isDiscrete ? all.count : max(1, all.count - 1))
    let even = (0..<all.count).map { Double($0) / parts }
    let said = keyTimes?.map(\.doubleValue) ?? []
    let times =
      said.count >= all.count && said == said.sorted() ? Array(said.prefix(all.count)) : even
    guard let index = times.lastIndex(where: { $0 <= progress }) else { return first }
    if isDiscrete { return all[index] }
    guard index + 1 < all.count, times[index + 1] > times[index] else { return last }
    var share = (progress - times[index]) / (times[index + 1] - times[index])
    if let timingFunctions, index < timingFunctions.count {
      share = timingFunctions[index].value(at: share)
    }
    return all[index].mixed(with: all[index + 1], share)
  }
}

/// Animations that go together; their times count from the group's beginning, and end with it.
///
/// Apple: `CAAnimationGroup`.
open class CAAnimationGroup: CAAnimation {
  /// The animations.
  open var animations: [CAAnimation]?

  override func take(from other: CAAnimation) {
    super.take(from: other)
    animations = (other as? CAAnimationGroup)?.animations?.compactMap { $0.copy() as? CAAnimation }
  }

  override func apply(_ progress: Double, elapsed: CFTimeInterval, to values: inout ShownValues) {
    for animation in animations ?? [] {
      let course = AnimationCourse(
        animation, begin: animation.beginTime, usual: AnimationCourse.duration(of: self))
      guard let (progress, elapsed) = course.shown(at: elapsed) else { continue }
      animation.apply(progress, elapsed: elapsed, to: &values)
    }
  }
}
