internal import DrawingCore
internal import Foundation

extension CGPath {
  /// Straight pieces that a curve is cut into, to find lengths along it.
  private static let curvePieces = 32

  /// The part of the path between two shares of its length, all of its parts one after the other; `nil` where that is nothing.
  func part(from start: CGFloat, to end: CGFloat) -> CGPath? {
    if start <= 0 && end >= 1 { return self }
    let lines = lines
    let total = lines.reduce(0) { $0 + $1.length }
    let (first, last) = (max(0, start) * total, min(1, end) * total)
    guard first < last else { return nil }
    let part = CGMutablePath()
    var passed: CGFloat = 0
    for line in lines {
      defer { passed += line.length }
      let (from, to) = (max(first - passed, 0), min(last - passed, line.length))
      guard line.length > 0, from < to else { continue }
      let begin = line.point(at: from)
      if part.isEmpty || line.begins || part.currentPoint != begin { part.move(to: begin) }
      part.addLine(to: line.point(at: to))
    }
    return part
  }

  /// A straight piece of a path.
  private struct Line {
    var from: CGPoint
    var to: CGPoint
    /// Whether it is the first of its part.
    var begins: Bool

    var length: CGFloat { hypot(to.x - from.x, to.y - from.y) }

    func point(at distance: CGFloat) -> CGPoint {
      let share = distance / length
      if share >= 1 { return to }
      return CGPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
    }
  }

  private var lines: [Line] {
    var lines: [Line] = []
    var (start, current, begins) = (CGPoint.zero, CGPoint.zero, true)
    func add(_ point: CGPoint) {
      lines.append(Line(from: current, to: point, begins: begins))
      (current, begins) = (point, false)
    }
    applyWithBlock { element in
      let points = element.pointee.points
      switch element.pointee.type {
      case .moveToPoint: (start, current, begins) = (points[0], points[0], true)
      case .addLineToPoint: add(points[0])
      case .addQuadCurveToPoint:
        let from = current
        for step in 1...Self.curvePieces {
          let t = CGFloat(step) / CGFloat(Self.curvePieces)
          add(Self.mix([from, points[0], points[1]], t))
        }
      case .addCurveToPoint:
        let from = current
        for step in 1...Self.curvePieces {
          let t = CGFloat(step) / CGFloat(Self.curvePieces)
          add(Self.mix([from, points[0], points[1], points[2]], t))
        }
      case .closeSubpath:
        if current != start { add(start) }
        begins = true
      }
    }
    return lines
  }

  /// The point of a Bézier curve, by de Casteljau.
  private static func mix(_ points: [CGPoint], _ t: CGFloat) -> CGPoint {
    var points = points
    while points.count > 1 {
      points = zip(points, points.dropFirst()).map {
        CGPoint(x: $0.x + ($1.x - $0.x) * t, y: $0.y + ($1.y - $0.y) * t)
      }
    }
    return points[0]
  }

  /// The path some share of the way to another; the other where their steps differ.
  func mixed(with other: CGPath, _ share: Double) -> CGPath {
    let (own, others) = (steps, other.steps)
    guard own.map(\.type) == others.map(\.type) else { return other }
    let path = CGMutablePath()
    for (step, target) in zip(own, others) {
      let points = zip(step.points, target.points).map { from, to in
        CGPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
      }
      switch step.type {
      case .moveToPoint: path.move(to: points[0])
      case .addLineToPoint: path.addLine(to: points[0])
      case .addQuadCurveToPoint: path.addQuadCurve(to: points[1], control: points[0])
      case .addCurveToPoint: path.addCurve(to: points[2], control1: points[0], control2: points[1])
      case .closeSubpath: path.closeSubpath()
      }
    }
    return path
  }

  private var steps: [(type: CGPathElementType, points: [CGPoint])] {
    var steps: [(type: CGPathElementType, points: [CGPoint])] = []
    applyWithBlock { element in
      let count = [1, 1, 2, 3, 0][Int(element.pointee.type.rawValue)]
      steps.append((element.pointee.type, (0..<count).map { element.pointee.points[$0] }))
    }
    return steps
  }
}
