package import Foundation

/// A square of a picture, turned by any angle, as a model sees it.
///
/// In pixels of the picture, from the top left.
package struct TurnedSquare: Sendable, Hashable {
  /// The middle.
  package var center: CGPoint
  /// The length of a side.
  package var side: Double
  /// The turn of the square, in radians clockwise: what points there in the picture points up in the view.
  package var angle: Double

  /// A square of the given place.
  package init(center: CGPoint, side: Double, angle: Double) {
    self.center = center
    self.side = side
    self.angle = angle
  }

  /// The place in the picture of a place in the view, whose own corners are (0, 0) and (1, 1).
  package func picturePoint(_ unit: CGPoint) -> CGPoint {
    let x = (unit.x - 0.5) * side
    let y = (unit.y - 0.5) * side
    return CGPoint(
      x: center.x + x * cos(angle) - y * sin(angle), y: center.y + x * sin(angle) + y * cos(angle))
  }

  /// The smallest upright rectangle around the square.
  package var outline: CGRect {
    let reach = side / 2 * (abs(cos(angle)) + abs(sin(angle)))
    return CGRect(x: center.x - reach, y: center.y - reach, width: 2 * reach, height: 2 * reach)
  }

  /// The square, turned by `angle`, around points.
  ///
  /// - Parameters:
  ///   - scale: The side, over the longer side of the smallest rectangle around the points.
  ///   - shift: How far the middle lies further up in the view than theirs, over the height of that rectangle.
  package init(around points: [CGPoint], angle: Double, scale: Double, shift: Double) {
    // Upright, as seen from the turned view; about the origin, which is as good as any point.
    let turned = points.map { point in
      CGPoint(
        x: point.x * cos(angle) + point.y * sin(angle), y: point.y * cos(angle) - point.x * sin(angle))
    }
    let box = turned.reduce(CGRect.null) { $0.union(CGRect(origin: $1, size: .zero)) }
    let middle = CGPoint(x: box.midX, y: box.midY - shift * box.height)
    self.init(
      center: CGPoint(
        x: middle.x * cos(angle) - middle.y * sin(angle), y: middle.x * sin(angle) + middle.y * cos(angle)),
      side: scale * max(box.width, box.height), angle: angle)
  }
}
