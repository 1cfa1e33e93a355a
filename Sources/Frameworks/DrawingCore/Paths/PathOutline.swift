internal import Foundation
internal import FoundationExtras
internal import GraphicsCore

/// The steps of a path, and where the next one begins.
struct PathOutline: Sendable {
  private(set) var steps: [PathStep] = []
  private(set) var current: CGPoint?
  private var start = CGPoint.zero

  init() {}

  init(_ build: (inout PathOutline) -> Void) {
    build(&self)
  }

  mutating func move(to point: CGPoint) {
    // Of moves without a line between them the last counts.
    if case .move = steps.last { steps.removeLast() }
    steps.append(.move(point))
    current = point
    start = point
  }

  mutating func add(_ step: PathStep) {
    guard current != nil else {
      return ProgrammingMistake.report(
        rule: "A path needs a current point before lines and curves; call move(to:) first.")
    }
    guard let end = step.points.last else { return close() }
    // After a closed part the next one begins where that began.
    if case .close = steps.last { steps.append(.move(start)) }
    steps.append(step)
    current = end
  }

  mutating func close() {
    guard current != nil, steps.last != .close else { return }
    steps.append(.close)
    current = start
  }

  mutating func append(_ other: PathOutline) {
    for step in other.steps {
      if case .move(let point) = step { move(to: point) } else { add(step) }
    }
  }

  func applying(_ transform: CGAffineTransform) -> PathOutline {
    if transform.isIdentity { return self }
    var result = self
    result.steps = steps.map { $0.applying(transform) }
    result.current = current?.applying(transform)
    result.start = start.applying(transform)
    return result
  }

  // MARK: Measures

  /// Around all points, control points too.
  var controlBox: CGRect { Self.box(steps.flatMap(\.points)) }

  /// Around the path itself: curves are followed closely.
  var box: CGRect { Self.box(polygons.flatMap { $0 }) }

  private static func box(_ points: [CGPoint]) -> CGRect {
    guard let first = points.first else { return .null }
    var (low, high) = (first, first)
    for point in points {
      low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  func contains(_ point: CGPoint, _ rule: CGPathFillRule) -> Bool {
    var winding = 0
    var crossings = 0
    for polygon in polygons where polygon.count > 1 {
      for (from, to) in zip(polygon, polygon.dropFirst() + [polygon[0]])
      where (from.y <= point.y) != (to.y <= point.y) {
        let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)
        guard x > point.x else { continue }
        crossings += 1
        winding += to.y > from.y ? 1 : -1
      }
    }
    return rule == .winding ? winding != 0 : crossings % 2 == 1
  }

  /// The parts as polygons; a curve is 64 lines.
  private var polygons: [[CGPoint]] {
    var parts: [[CGPoint]] = []
    func add(_ point: CGPoint) { parts[parts.count - 1].append(point) }
    for step in steps {
      switch step {
      case .move(let point): parts.append([point])
      case .line(let end): add(end)
      case .quad(let control, let end):
        let from = parts[parts.count - 1].last ?? end
        for part in 1...64 { add(Self.point(on: [from, control, end], at: CGFloat(part) / 64)) }
      case .curve(let first, let second, let end):
        let from = parts[parts.count - 1].last ?? end
        for part in 1...64 { add(Self.point(on: [from, first, second, end], at: CGFloat(part) / 64)) }
      case .close: break
      }
    }
    return parts
  }

  /// The point at `share` of a Bézier curve (de Casteljau).
  private static func point(on controls: [CGPoint], at share: CGFloat) -> CGPoint {
    var points = controls
    while points.count > 1 {
      points = zip(points, points.dropFirst()).map { from, to in
        CGPoint(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
      }
    }
    return points[0]
  }
}
