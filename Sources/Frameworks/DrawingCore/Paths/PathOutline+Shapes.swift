internal import Foundation
internal import GraphicsCore

extension PathOutline {
  mutating func addRect(_ rect: CGRect, _ transform: CGAffineTransform) {
    guard !rect.isNull else { return }
    let rect = rect.standardized
    addLines(
      [
        CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
        CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
      ], transform)
    close()
  }

  mutating func addLines(_ points: [CGPoint], _ transform: CGAffineTransform) {
    guard let first = points.first else { return }
    move(to: first.applying(transform))
    for point in points.dropFirst() { add(.line(point.applying(transform))) }
  }

  mutating func addEllipse(_ rect: CGRect, _ transform: CGAffineTransform) {
    guard !rect.isNull else { return }
    let rect = rect.standardized
    let way = CGAffineTransform(
      a: rect.width / 2, b: 0, c: 0, d: rect.height / 2, tx: rect.midX, ty: rect.midY
    ).concatenating(transform)
    move(to: CGPoint(x: 1, y: 0).applying(way))
    addTurn(from: 0, by: 2 * .pi, way)
    close()
  }

  mutating func addRoundedRect(
    _ rect: CGRect, _ cornerWidth: CGFloat, _ cornerHeight: CGFloat, _ transform: CGAffineTransform
  ) {
    guard !rect.isNull else { return }
    let rect = rect.standardized
    let (x, y) = (min(max(0, cornerWidth), rect.width / 2), min(max(0, cornerHeight), rect.height / 2))
    if x == 0 || y == 0 { return addRect(rect, transform) }
    func corner(_ midX: CGFloat, _ midY: CGFloat, from angle: CGFloat) {
      let way = CGAffineTransform(a: x, b: 0, c: 0, d: y, tx: midX, ty: midY).concatenating(transform)
      let begin = CGPoint(x: cos(angle), y: sin(angle)).applying(way)
      if angle == -.pi / 2 { move(to: begin) } else { add(.line(begin)) }
      addTurn(from: angle, by: .pi / 2, way)
    }
    corner(rect.maxX - x, rect.minY + y, from: -.pi / 2)
    corner(rect.maxX - x, rect.maxY - y, from: 0)
    corner(rect.minX + x, rect.maxY - y, from: .pi / 2)
    corner(rect.minX + x, rect.minY + y, from: .pi)
    close()
  }

  mutating func addArc(
    _ center: CGPoint, _ radius: CGFloat, from startAngle: CGFloat, to endAngle: CGFloat, isFalling: Bool,
    _ transform: CGAffineTransform
  ) {
    guard radius >= 0, startAngle.isFinite, endAngle.isFinite else { return }
    var turn = isFalling ? startAngle - endAngle : endAngle - startAngle
    // The way round: an angle on the other side is reached by going on, never by going back.
    if turn < 0 { turn = turn.truncatingRemainder(dividingBy: 2 * .pi) + 2 * .pi }
    turn = min(turn, 2 * .pi)
    let way = CGAffineTransform(a: radius, b: 0, c: 0, d: radius, tx: center.x, ty: center.y)
      .concatenating(transform)
    let begin = CGPoint(x: cos(startAngle), y: sin(startAngle)).applying(way)
    if current == nil { move(to: begin) } else { add(.line(begin)) }
    addTurn(from: startAngle, by: isFalling ? -turn : turn, way)
  }

  mutating func addArc(
    _ corner: CGPoint, _ end: CGPoint, _ radius: CGFloat, _ transform: CGAffineTransform
  ) {
    guard let current else { return add(.line(corner)) }
    let from = transform.isIdentity ? current : current.applying(transform.inverted())
    let (first, second) = (
      CGVector(dx: from.x - corner.x, dy: from.y - corner.y),
      CGVector(dx: end.x - corner.x, dy: end.y - corner.y)
    )
    let lengths = hypot(first.dx, first.dy) * hypot(second.dx, second.dy)
    let cross = first.dx * second.dy - first.dy * second.dx
    // Without a corner there is nothing to round.
    guard radius > 0, lengths > 0, abs(cross) > 1e-9 * lengths else {
      return add(.line(corner.applying(transform)))
    }
    let half = acos(max(-1, min(1, (first.dx * second.dx + first.dy * second.dy) / lengths))) / 2
    let reach = radius / tan(half) / hypot(first.dx, first.dy)
    let touch = CGPoint(x: corner.x + first.dx * reach, y: corner.y + first.dy * reach)
    let side: CGFloat = cross > 0 ? 1 : -1
    let length = hypot(first.dx, first.dy)
    let center = CGPoint(
      x: touch.x - side * first.dy / length * radius, y: touch.y + side * first.dx / length * radius)
    let angle = atan2(touch.y - center.y, touch.x - center.x)
    add(.line(touch.applying(transform)))
    let way = CGAffineTransform(a: radius, b: 0, c: 0, d: radius, tx: center.x, ty: center.y)
      .concatenating(transform)
    addTurn(from: angle, by: -side * (.pi - 2 * half), way)
  }

  /// Adds a turn on the unit circle, which `way` puts into place, from the current point on.
  ///
  /// Cubic curves of at most a quarter each; they miss the circle by less than 0.03 % of the radius.
  private mutating func addTurn(from angle: CGFloat, by turn: CGFloat, _ way: CGAffineTransform) {
    let count = max(1, Int((abs(turn) / (.pi / 2) - 1e-9).rounded(.up)))
    let step = turn / CGFloat(count)
    let reach = 4 / 3 * tan(step / 4)
    for part in 0..<count {
      let (from, to) = (angle + step * CGFloat(part), angle + step * CGFloat(part + 1))
      add(
        PathStep.curve(
          CGPoint(x: cos(from) - reach * sin(from), y: sin(from) + reach * cos(from)),
          CGPoint(x: cos(to) + reach * sin(to), y: sin(to) - reach * cos(to)), CGPoint(x: cos(to), y: sin(to))
        ).applying(way))
    }
  }
}
