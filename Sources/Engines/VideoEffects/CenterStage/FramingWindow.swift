internal import Foundation

/// A part of a picture, by its middle and its side; all in fractions of the picture.
///
/// The side counts for width and height alike, times those of the shape that is to be filled. A value that moves on straight lines:
/// whatever both ends of a way hold, all between them hold.
struct FramingWindow: Sendable, Hashable {
  var x: Double
  var y: Double
  var side: Double

  /// The sizes of the shape that the window fills, for a side of 1.
  struct Shape: Sendable, Hashable {
    var width: Double
    var height: Double

    /// The largest side of a window inside the picture.
    var mostSide: Double { min(1 / width, 1 / height) }
  }

  /// The largest window, in the middle.
  static func whole(_ shape: Shape) -> FramingWindow {
    FramingWindow(x: 0.5, y: 0.5, side: shape.mostSide)
  }

  func rect(_ shape: Shape) -> CGRect {
    let (width, height) = (side * shape.width, side * shape.height)
    return CGRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
  }

  /// The nearest window inside the picture, no larger than the largest.
  func inside(_ shape: Shape) -> FramingWindow {
    let side = min(side, shape.mostSide)
    let (across, down) = (side * shape.width / 2, side * shape.height / 2)
    return FramingWindow(
      x: min(max(x, across), max(across, 1 - across)), y: min(max(y, down), max(down, 1 - down)), side: side)
  }

  /// How far it is to another one.
  func distance(to other: FramingWindow) -> Double {
    let (x, y, side) = (other.x - x, other.y - y, other.side - side)
    return (x * x + y * y + side * side).squareRoot()
  }
}

extension FramingWindow {
  /// The window that shows faces well: with their hair, their shoulders and a little room, at the upper third.
  ///
  /// - Parameters:
  ///   - faces: From the hairline to the chin, upright, as fractions of the picture; at least one.
  ///   - leastSide: Of the window; nearer than that it does not come.
  init(showing faces: [CGRect], _ shape: Shape, leastSide: Double) {
    let needs = faces.map { face in
      CGRect(
        x: face.minX - 1.1 * face.width, y: face.minY - 0.9 * face.height, width: 3.2 * face.width,
        height: 3.9 * face.height)
    }
    let left = needs.map(\.minX).min() ?? 0, right = needs.map(\.maxX).max() ?? 1
    let top = needs.map(\.minY).min() ?? 0, bottom = needs.map(\.maxY).max() ?? 1
    let wanted = max((right - left) / shape.width, (bottom - top) / shape.height)
    let side = min(max(wanted, leastSide), shape.mostSide)
    // Of the height that is over a third goes above: who sits in front of a camera has a body below the face.
    let over = side * shape.height - (bottom - top)
    let middle = top - over / 3 + side * shape.height / 2
    self = FramingWindow(x: (left + right) / 2, y: middle, side: side).inside(shape)
  }

  /// Whether it shows a face with its hair and chin, and some room for it to move.
  func holds(_ face: CGRect, _ shape: Shape) -> Bool {
    let needed = CGRect(
      x: face.minX - 0.4 * face.width, y: face.minY - 0.5 * face.height, width: 1.8 * face.width,
      height: 1.9 * face.height)
    // What is cut off by the picture itself need not be shown.
    let inside = needed.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
    // Foundation's own comparison of two rectangles knows no rounding.
    let shown = rect(shape).insetBy(dx: -1e-9, dy: -1e-9)
    return inside.isNull
      || (shown.minX <= inside.minX && shown.maxX >= inside.maxX && shown.minY <= inside.minY
        && shown.maxY >= inside.maxY)
  }
}
