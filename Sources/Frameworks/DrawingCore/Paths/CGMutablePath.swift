public import Foundation
public import GraphicsCore

/// A path that is being built; one thread's at a time.
///
/// Apple: `CGMutablePath`.
public final class CGMutablePath: CGPath, @unchecked Sendable {  // As its superclass.
  /// An empty path.
  public init() {
    super.init(PathOutline())
  }

  override init(_ outline: PathOutline) {
    super.init(outline)
  }

  /// Begins a part of the path at `point`.
  public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
    outline.move(to: point.applying(transform))
  }

  /// Adds a straight line; a programming mistake without effect in an empty path.
  public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
    outline.add(.line(point.applying(transform)))
  }

  /// Adds a quadratic curve to `end`; a programming mistake without effect in an empty path.
  public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
    outline.add(.quad(control.applying(transform), end.applying(transform)))
  }

  /// Adds a cubic curve to `end`; a programming mistake without effect in an empty path.
  public func addCurve(
    to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
  ) {
    outline.add(.curve(control1, control2, end).applying(transform))
  }

  /// Closes the part with a line back to its beginning.
  public func closeSubpath() {
    outline.close()
  }

  /// Adds a rectangle as a part of its own.
  public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
    outline.addRect(rect, transform)
  }

  /// Adds rectangles, each as a part of its own.
  public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
    for rect in rects { outline.addRect(rect, transform) }
  }

  /// Begins a part at the first of `points` and adds lines to the others.
  public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
    outline.addLines(points, transform)
  }

  /// Adds the ellipse that touches the sides of `rect`, as a part of its own.
  public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
    outline.addEllipse(rect, transform)
  }

  /// Adds a rectangle with round corners, as a part of its own.
  public func addRoundedRect(
    in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
  ) {
    outline.addRoundedRect(rect, cornerWidth, cornerHeight, transform)
  }

  /// Adds a part of a circle, after a line from the current point to its beginning.
  ///
  /// - Parameters:
  ///   - startAngle: In radians from the x axis towards the y axis.
  ///   - clockwise: Whether the angle falls on the way from `startAngle` to `endAngle`; where the y axis points down that looks
  ///     counterclockwise.
  public func addArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
    transform: CGAffineTransform = .identity
  ) {
    outline.addArc(center, radius, from: startAngle, to: endAngle, isFalling: clockwise, transform)
  }

  /// Adds a part of a circle by the angle that it spans.
  public func addRelativeArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat,
    transform: CGAffineTransform = .identity
  ) {
    outline.addArc(
      center, radius, from: startAngle, to: startAngle + delta, isFalling: delta < 0, transform)
  }

  /// Rounds the corner at `tangent1End` between the current point and `tangent2End`.
  ///
  /// A programming mistake without effect in an empty path.
  public func addArc(
    tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat, transform: CGAffineTransform = .identity
  ) {
    outline.addArc(tangent1End, tangent2End, radius, transform)
  }

  /// Adds all of another path.
  public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
    outline.append(path.outline.applying(transform))
  }
}
