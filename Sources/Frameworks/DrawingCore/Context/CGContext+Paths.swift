public import Foundation
internal import GraphicsCore

extension CGContext {
  /// Empties the path.
  public func beginPath() { outline = PathOutline() }

  /// Begins a part of the path at `point`.
  public func move(to point: CGPoint) {
    if let transform = pathTransform(point) { outline.move(to: point.applying(transform)) }
  }

  /// Adds a straight line; a programming mistake without effect in an empty path.
  public func addLine(to point: CGPoint) {
    if let transform = pathTransform(point) { outline.add(.line(point.applying(transform))) }
  }

  /// Adds a cubic curve to `end`; a programming mistake without effect in an empty path.
  public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    guard let transform = pathTransform(end, control1, control2) else { return }
    outline.add(PathStep.curve(control1, control2, end).applying(transform))
  }

  /// Adds a quadratic curve to `end`; a programming mistake without effect in an empty path.
  public func addQuadCurve(to end: CGPoint, control: CGPoint) {
    guard let transform = pathTransform(end, control) else { return }
    outline.add(PathStep.quad(control, end).applying(transform))
  }

  /// Closes the part with a line back to its beginning.
  public func closePath() { outline.close() }

  /// Adds a rectangle as a part of its own.
  public func addRect(_ rect: CGRect) {
    if let transform = pathTransform(rect.origin, rect.end) { outline.addRect(rect, transform) }
  }

  /// Adds rectangles, each as a part of its own.
  public func addRects(_ rects: [CGRect]) {
    for rect in rects { addRect(rect) }
  }

  /// Begins a part at the first of `points` and adds lines to the others.
  public func addLines(between points: [CGPoint]) {
    guard let first = points.first else { return }
    move(to: first)
    for point in points.dropFirst() { addLine(to: point) }
  }

  /// Adds the ellipse that touches the sides of `rect`, as a part of its own.
  public func addEllipse(in rect: CGRect) {
    if let transform = pathTransform(rect.origin, rect.end) { outline.addEllipse(rect, transform) }
  }

  /// Adds a part of a circle, after a line from the current point to its beginning.
  ///
  /// - Parameters:
  ///   - startAngle: In radians from the x axis towards the y axis.
  ///   - clockwise: Whether the angle falls on the way from `startAngle` to `endAngle`; where the y axis points down that looks
  ///     counterclockwise.
  public func addArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
  ) {
    guard radius.isFinite, let transform = pathTransform(center) else { return }
    outline.addArc(center, radius, from: startAngle, to: endAngle, isFalling: clockwise, transform)
  }

  /// Rounds the corner at `tangent1End` between the current point and `tangent2End`.
  ///
  /// A programming mistake without effect in an empty path.
  public func addArc(tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat) {
    guard radius.isFinite, let transform = pathTransform(tangent1End, tangent2End) else { return }
    outline.addArc(tangent1End, tangent2End, radius, transform)
  }

  /// Adds all of `path`.
  public func addPath(_ path: CGPath) {
    for step in path.outline.steps {
      guard let transform = pathTransform(step.points) else { continue }
      let placed = step.applying(transform)
      if case .move(let point) = placed { outline.move(to: point) } else { outline.add(placed) }
    }
  }

  /// Whether the path is empty.
  public var isPathEmpty: Bool { outline.steps.isEmpty }

  /// Where the next step begins; the origin for an empty path.
  public var currentPointOfPath: CGPoint { outline.current.map { convertToUserSpace($0) } ?? .zero }

  /// The smallest rectangle around all points of the path, control points too; null for an empty path.
  public var boundingBoxOfPath: CGRect {
    state.isDegenerate ? .null : outline.applying(state.ctm.inverted()).controlBox
  }

  /// The path in user space; `nil` for an empty one.
  public var path: CGPath? {
    outline.steps.isEmpty || state.isDegenerate ? nil : CGPath(outline.applying(state.ctm.inverted()))
  }

  /// Whether painting the path in `mode` would paint `point`.
  public func pathContains(_ point: CGPoint, mode: CGPathDrawingMode) -> Bool {
    let place = convertToDeviceSpace(point)
    switch mode {
    case .fill, .fillStroke: return outline.contains(place, .winding)
    case .eoFill, .eoFillStroke: return outline.contains(place, .evenOdd)
    case .stroke: return strokeContains(point)
    }
  }

  /// The transform for steps of these points; `nil` where there is nothing to add: the library takes no endless numbers.
  private func pathTransform(_ points: CGPoint...) -> CGAffineTransform? { pathTransform(points) }

  private func pathTransform(_ points: [CGPoint]) -> CGAffineTransform? {
    guard !state.isDegenerate, points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    return state.ctm
  }
}

extension CGRect {
  fileprivate var end: CGPoint { CGPoint(x: origin.x + size.width, y: origin.y + size.height) }
}
