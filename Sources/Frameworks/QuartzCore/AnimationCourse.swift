internal import Foundation
internal import FoundationExtras

/// The progress of an animation at each time.
struct AnimationCourse {
  private let animation: CAAnimation
  private let begin: CFTimeInterval
  private let once: CFTimeInterval

  /// - Parameters:
  ///   - begin: When it begins.
  ///   - usual: How long it takes where it does not say so itself.
  init(_ animation: CAAnimation, begin: CFTimeInterval, usual: CFTimeInterval = 0.25) {
    self.animation = animation
    self.begin = begin
    once = animation.duration > 0 ? animation.duration : usual
  }

  /// How long an animation takes once.
  static func duration(of animation: CAAnimation) -> CFTimeInterval {
    animation.duration > 0 ? animation.duration : 0.25
  }

  private var period: CFTimeInterval { animation.autoreverses ? 2 * once : once }

  /// How long it goes on in all, in its own seconds.
  private var length: CFTimeInterval {
    if animation.repeatDuration > 0 { return animation.repeatDuration }
    return animation.repeatCount > 0 ? Double(animation.repeatCount) * period : period
  }

  /// When it ends; never with a speed of zero or a count without end.
  var end: CFTimeInterval {
    animation.speed > 0
      ? begin + (length - animation.timeOffset) / Double(animation.speed) : .infinity
  }

  /// The share of the change that is seen, and the seconds of it that have passed; `nil` when nothing of it is seen.
  func shown(at time: CFTimeInterval) -> (progress: Double, elapsed: CFTimeInterval)? {
    var own = (time - begin) * Double(animation.speed) + animation.timeOffset
    let mode = animation.fillMode
    if time < begin {
      guard mode == .backwards || mode == .both else { return nil }
      own = 0
    }
    var isOver = false
    if own >= length {
      guard mode == .forwards || mode == .both else { return nil }
      own = length
      isOver = true
    }
    var part = max(0, own).truncatingRemainder(dividingBy: period)
    // The end of a whole number of rounds is the end of the last one.
    if isOver, part == 0 { part = period }
    if part > once { part = period - part }
    let share = min(1, part / once)
    return (animation.timingFunction?.value(at: share) ?? share, part)
  }
}

/// The time of layers; tests set another one.
package enum LayerTime {
  /// Gives the time in place of `CACurrentMediaTime()`.
  @TaskLocal package static var clock: (@Sendable () -> CFTimeInterval)?

  static var now: CFTimeInterval { clock?() ?? CACurrentMediaTime() }
}
