public import Foundation
public import FoundationExtras

/// An object that is notified of the beginning and the end of an animation, on the thread of the layer's tree.
///
/// Apple: `CAAnimationDelegate`.
public protocol CAAnimationDelegate: NSObjectProtocol {
  /// The animation has begun.
  func animationDidStart(_ anim: CAAnimation)
  /// The animation is over.
  ///
  /// - Parameter flag: Whether it came to its end, and was not removed before.
  func animationDidStop(_ anim: CAAnimation, finished flag: Bool)
}

extension CAAnimationDelegate {
  /// Nothing, unless a delegate does something.
  public func animationDidStart(_ anim: CAAnimation) {}
  /// Nothing, unless a delegate does something.
  public func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {}
}

/// A change of a layer over some time.
///
/// A layer copies what is added to it. Thread-bound. Apple: `CAAnimation`.
open class CAAnimation: NSObject, CAMediaTiming, NSCopying {
  open var beginTime: CFTimeInterval = 0
  open var duration: CFTimeInterval = 0
  open var speed: Float = 1
  open var timeOffset: CFTimeInterval = 0
  open var repeatCount: Float = 0
  open var repeatDuration: CFTimeInterval = 0
  open var autoreverses = false
  open var fillMode = CAMediaTimingFillMode.removed
  /// How fast it goes at each moment; `nil` (the default) is the same speed all the time.
  open var timingFunction: CAMediaTimingFunction?
  /// Whether the layer forgets it at its end; it does by default.
  open var isRemovedOnCompletion = true
  /// Who hears of its beginning and end; retained until then, as Apple's is.
  open var delegate: (any CAAnimationDelegate)?

  /// An animation that changes nothing.
  public required override init() {
    super.init()
  }

  /// An animation with the same settings.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    copy.take(from: self)
    return copy
  }

  func take(from other: CAAnimation) {
    (beginTime, duration, speed, timeOffset) = (
      other.beginTime, other.duration, other.speed, other.timeOffset
    )
    (repeatCount, repeatDuration, autoreverses, fillMode) = (
      other.repeatCount, other.repeatDuration, other.autoreverses, other.fillMode
    )
    (timingFunction, isRemovedOnCompletion, delegate) = (
      other.timingFunction, other.isRemovedOnCompletion, other.delegate
    )
  }

  /// Changes the layer to what it shows when a share of the animation's time has passed.
  ///
  /// - Parameter elapsed: The seconds of it, of which members of a group count theirs.
  func apply(_ progress: Double, elapsed: CFTimeInterval, to values: inout ShownValues) {}
}

/// An animation of a property, which is named by its key path.
///
/// `opacity`, `position`, `bounds`, `transform`, `backgroundColor` and the like, and parts of them as on Apple's systems:
/// `position.x`, `bounds.size.width`, `transform.scale`, `transform.rotation`. Another key path changes nothing.
///
/// Apple: `CAPropertyAnimation`.
open class CAPropertyAnimation: CAAnimation {
  /// The property.
  open var keyPath: String?
  /// Whether its value is added to the layer's own; `false` by default.
  open var isAdditive = false

  /// An animation of no property.
  public required init() {
    super.init()
  }

  /// An animation of a property.
  ///
  /// Apple: `CAPropertyAnimation.init(keyPath:)`.
  public convenience init(keyPath path: String?) {
    self.init()
    keyPath = path
  }

  override func take(from other: CAAnimation) {
    super.take(from: other)
    guard let other = other as? CAPropertyAnimation else { return }
    (keyPath, isAdditive) = (other.keyPath, other.isAdditive)
  }

  /// The value at a share of the time; `own` is the layer's.
  func value(at progress: Double, own: AnimatedValue) -> AnimatedValue? { nil }

  override func apply(_ progress: Double, elapsed: CFTimeInterval, to values: inout ShownValues) {
    guard let keyPath, let own = values[keyPath], let value = value(at: progress, own: own) else {
      return
    }
    values[keyPath] = isAdditive ? own.adding(value) : value
  }
}

/// An animation from one value to another.
///
/// Values are what the property has: a number, `CGPoint`, `CGSize`, `CGRect`, `CGColor` or `CATransform3D`.
/// Apple: `CABasicAnimation`.
open class CABasicAnimation: CAPropertyAnimation {
  /// The first value; `nil` is the layer's own, or ``toValue`` less ``byValue``.
  open var fromValue: Any?
  /// The last value; `nil` is the layer's own, or ``fromValue`` and ``byValue``.
  open var toValue: Any?
  /// The difference.
  open var byValue: Any?

  override func take(from other: CAAnimation) {
    super.take(from: other)
    guard let other = other as? CABasicAnimation else { return }
    (fromValue, toValue, byValue) = (other.fromValue, other.toValue, other.byValue)
  }

  override func value(at progress: Double, own: AnimatedValue) -> AnimatedValue? {
    let from = fromValue.flatMap { AnimatedValue($0) }
    let to = toValue.flatMap { AnimatedValue($0) }
    let by = byValue.flatMap { AnimatedValue($0) }
    let first = from ?? (by.flatMap { by in to?.adding(by, times: -1) }) ?? own
    let last = to ?? by.map { first.adding($0) } ?? own
    return first.mixed(with: last, progress)
  }
}
