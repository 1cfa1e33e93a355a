public import Foundation
public import FoundationExtras

/// The values of an animation before it begins and after its end.
///
/// Apple: `CAMediaTimingFillMode`.
public struct CAMediaTimingFillMode: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The mode with Apple's text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Nothing.
  public static let removed = CAMediaTimingFillMode(rawValue: "removed")
  /// Its last value after the end, as long as it is not removed.
  public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
  /// Its first value before the beginning.
  public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
  /// Both.
  public static let both = CAMediaTimingFillMode(rawValue: "both")
}

/// The timing of an animation: beginning, duration, speed and repeats.
///
/// Apple: `CAMediaTiming`.
public protocol CAMediaTiming {
  /// When it begins, in seconds of `CACurrentMediaTime()`, in a group of the group's; 0 is when it is added.
  var beginTime: CFTimeInterval { get set }
  /// How long it takes once, in seconds; 0 is that of the `CATransaction`, in a group the group's duration.
  var duration: CFTimeInterval { get set }
  /// How fast it goes.
  var speed: Float { get set }
  /// Where in it it begins, in seconds.
  var timeOffset: CFTimeInterval { get set }
  /// How often it happens; 0 is once.
  var repeatCount: Float { get set }
  /// How long it repeats, in seconds; 0 follows ``repeatCount``.
  var repeatDuration: CFTimeInterval { get set }
  /// Whether each time it goes back the way it came.
  var autoreverses: Bool { get set }
  /// What it shows before it begins and after its end.
  var fillMode: CAMediaTimingFillMode { get set }
}

/// The share of a change that is done after each share of its time: a cubic Bézier curve from (0, 0) to (1, 1).
///
/// Immutable. Apple: `CAMediaTimingFunction`.
open class CAMediaTimingFunction: NSObject, @unchecked Sendable {  // Safe: constant after `init`.
  private let points: (x1: Double, y1: Double, x2: Double, y2: Double)

  /// The curve with two points between the ends.
  ///
  /// Apple: `CAMediaTimingFunction.init(controlPoints:_:_:_:)`.
  public init(controlPoints c1x: Float, _ c1y: Float, _ c2x: Float, _ c2y: Float) {
    points = (Double(c1x), Double(c1y), Double(c2x), Double(c2y))
  }

  /// A curve by its name; a name that is not known gives the straight line.
  ///
  /// Apple: `CAMediaTimingFunction.init(name:)`.
  public convenience init(name: CAMediaTimingFunctionName) {
    switch name {
    case .easeIn: self.init(controlPoints: 0.42, 0, 1, 1)
    case .easeOut: self.init(controlPoints: 0, 0, 0.58, 1)
    case .easeInEaseOut: self.init(controlPoints: 0.42, 0, 0.58, 1)
    case .default: self.init(controlPoints: 0.25, 0.1, 0.25, 1)
    default: self.init(controlPoints: 0, 0, 1, 1)
    }
  }

  /// The share that is done after a share of the time.
  func value(at time: Double) -> Double {
    func curve(_ first: Double, _ second: Double, _ t: Double) -> Double {
      let rest = 1 - t
      return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
    }
    guard time > 0, time < 1 else { return time <= 0 ? 0 : 1 }
    // x grows with the curve's parameter, so that halving finds it.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if curve(points.x1, points.x2, middle) < time { low = middle } else { high = middle }
    }
    return curve(points.y1, points.y2, (low + high) / 2)
  }
}

/// A name of a ``CAMediaTimingFunction``.
///
/// Apple: `CAMediaTimingFunctionName`.
public struct CAMediaTimingFunctionName: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: String

  /// The name with Apple's text `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The same speed all the time.
  public static let linear = CAMediaTimingFunctionName(rawValue: "linear")
  /// Slow at first.
  public static let easeIn = CAMediaTimingFunctionName(rawValue: "easeIn")
  /// Slow at the end.
  public static let easeOut = CAMediaTimingFunctionName(rawValue: "easeOut")
  /// Slow at both ends.
  public static let easeInEaseOut = CAMediaTimingFunctionName(rawValue: "easeInEaseOut")
  /// As animations are by default on Apple's systems.
  public static let `default` = CAMediaTimingFunctionName(rawValue: "default")
}
