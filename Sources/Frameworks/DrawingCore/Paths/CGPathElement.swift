public import Foundation
internal import GraphicsCore

/// The kinds of steps that a path is made of.
///
/// Apple: `CGPathElementType`.
public enum CGPathElementType: Int32, Sendable {
  /// Begins a part of the path at one point.
  case moveToPoint = 0
  /// A straight line to one point.
  case addLineToPoint = 1
  /// A quadratic curve: its control point and its end.
  case addQuadCurveToPoint = 2
  /// A cubic curve: two control points and its end.
  case addCurveToPoint = 3
  /// A straight line back to where the part began.
  case closeSubpath = 4
}

/// One step of a path, as ``CGPath/applyWithBlock(_:)`` lends it.
///
/// Apple: `CGPathElement`.
public struct CGPathElement {
  /// The kind of the step.
  public var type: CGPathElementType
  /// Its points: one, two or three, none where a part is closed.
  ///
  /// Valid only in the call that lends it.
  public var points: UnsafeMutablePointer<CGPoint>
}

/// A step of a path with its points.
enum PathStep: Hashable, Sendable {
  case move(CGPoint)
  case line(CGPoint)
  case quad(CGPoint, CGPoint)
  case curve(CGPoint, CGPoint, CGPoint)
  case close

  func applying(_ transform: CGAffineTransform) -> PathStep {
    switch self {
    case .move(let point): .move(point.applying(transform))
    case .line(let point): .line(point.applying(transform))
    case .quad(let control, let end): .quad(control.applying(transform), end.applying(transform))
    case .curve(let first, let second, let end):
      .curve(first.applying(transform), second.applying(transform), end.applying(transform))
    case .close: .close
    }
  }

  var type: CGPathElementType {
    switch self {
    case .move: .moveToPoint
    case .line: .addLineToPoint
    case .quad: .addQuadCurveToPoint
    case .curve: .addCurveToPoint
    case .close: .closeSubpath
    }
  }

  var points: [CGPoint] {
    switch self {
    case .move(let point), .line(let point): [point]
    case .quad(let control, let end): [control, end]
    case .curve(let first, let second, let end): [first, second, end]
    case .close: []
    }
  }
}
