package import Foundation
package import PixelTransforms

/// The mapping of a part of a picture into a model's square input: evenly scaled, turned, black around it.
///
/// Places in the input are in its pixels, places in the picture in the picture's, both from the top left.
package struct SquareView: Sendable, Hashable {
  /// The part that is seen, in whole colour samples of the picture.
  package let source: PixelRect
  /// The turn of the part before the model gets it.
  package let turn: QuarterTurn
  /// The place of the turned part in the input.
  package let target: PixelRect

  /// The view of `part`, which may stick out of the picture: what lies beyond is black.
  ///
  /// `nil` when nothing of the picture would be seen.
  package init?(of part: CGRect, in picture: PixelSize, turn: QuarterTurn, side: Int) {
    let left = max(0, Int(part.minX.rounded()) & ~1)
    let top = max(0, Int(part.minY.rounded()) & ~1)
    let right = min(picture.width, Int(part.maxX.rounded()))
    let bottom = min(picture.height, Int(part.maxY.rounded()))
    guard right > left, bottom > top, part.width >= 1, part.height >= 1 else { return nil }
    source = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    self.turn = turn
    let length = Double(side)
    let scale = length / max(part.width, part.height)
    // Where the part's own corner lies, so that it is centred; then the seen piece inside.
    let inset = CGPoint(x: (length - part.width * scale) / 2, y: (length - part.height * scale) / 2)
    let piece = CGRect(
      x: inset.x + (Double(left) - part.minX) * scale, y: inset.y + (Double(top) - part.minY) * scale,
      width: Double(source.width) * scale, height: Double(source.height) * scale)
    let turned = Self.turned(piece, by: turn, side: length)
    let x = min(max(0, Int(turned.minX.rounded())), side - 1)
    let y = min(max(0, Int(turned.minY.rounded())), side - 1)
    target = PixelRect(
      x: x, y: y, width: min(max(1, Int(turned.width.rounded())), side - x),
      height: min(max(1, Int(turned.height.rounded())), side - y))
  }

  /// A rectangle of a square of `side`, after the square is turned clockwise.
  private static func turned(_ rect: CGRect, by turn: QuarterTurn, side: Double) -> CGRect {
    switch turn {
    case .none: rect
    case .clockwise90: CGRect(x: side - rect.maxY, y: rect.minX, width: rect.height, height: rect.width)
    case .half: CGRect(x: side - rect.maxX, y: side - rect.maxY, width: rect.width, height: rect.height)
    case .clockwise270: CGRect(x: rect.minY, y: side - rect.maxX, width: rect.height, height: rect.width)
    }
  }

  /// The place in the picture of a place in the input.
  package func picturePoint(_ point: CGPoint) -> CGPoint {
    let u = (point.x - Double(target.x)) / Double(target.width)
    let v = (point.y - Double(target.y)) / Double(target.height)
    let (x, y) =
      switch turn {
      case .none: (u, v)
      case .clockwise90: (v, 1 - u)
      case .half: (1 - u, 1 - v)
      case .clockwise270: (1 - v, u)
      }
    return CGPoint(
      x: Double(source.x) + x * Double(source.width), y: Double(source.y) + y * Double(source.height))
  }

  /// The rectangle of the picture that is a rectangle of the input.
  package func pictureRect(_ rect: CGRect) -> CGRect {
    let one = picturePoint(CGPoint(x: rect.minX, y: rect.minY))
    let other = picturePoint(CGPoint(x: rect.maxX, y: rect.maxY))
    return CGRect(
      x: min(one.x, other.x), y: min(one.y, other.y), width: abs(one.x - other.x),
      height: abs(one.y - other.y))
  }
}
