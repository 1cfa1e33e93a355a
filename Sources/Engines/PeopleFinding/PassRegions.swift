package import Foundation

/// The parts of a picture that a further pass of a detector examines.
package enum PassRegions {
  /// Overlapping squares that cover `part`, then squares of half their size.
  ///
  /// None when they would show a model with an input of `side` pixels no more detail.
  package static func tiles(of part: CGRect, side: Int) -> [CGRect] {
    let shorter = min(part.width, part.height)
    let longer = max(part.width, part.height)
    let least = 1.2 * Double(side)
    guard longer > least else { return [] }
    // Four smaller squares of a part that is almost a square.
    let size = longer >= 1.3 * shorter ? shorter : 0.6 * longer
    return grid(over: part, size: size) + (size / 2 > least ? grid(over: part, size: size / 2) : [])
  }

  /// Squares of `size` over all of `part` that overlap by a seventh or more.
  private static func grid(over part: CGRect, size: Double) -> [CGRect] {
    func origins(_ start: Double, _ length: Double) -> [Double] {
      guard length > size else { return [start + (length - size) / 2] }
      let count = max(2, Int(((length - 0.15 * size) / (0.85 * size)).rounded(.up)))
      return (0..<count).map { start + (length - size) * Double($0) / Double(count - 1) }
    }
    return origins(part.minY, part.height).flatMap { y in
      origins(part.minX, part.width).map { x in CGRect(x: x, y: y, width: size, height: size) }
    }
  }

  /// One square around all of `boxes`, with room to move, or around the first when the smallest would be too small in it;
  /// `nil` for no boxes.
  package static func neighbourhood(of boxes: [CGRect]) -> CGRect? {
    guard let first = boxes.first else { return nil }
    let all = boxes.dropFirst().reduce(around(first)) { $0.union(around($1)) }
    let smallest = boxes.map { max($0.width, $0.height) }.min() ?? 0
    let square = max(all.width, all.height) <= 8 * smallest ? all : around(first)
    let side = max(square.width, square.height)
    return CGRect(x: square.midX - side / 2, y: square.midY - side / 2, width: side, height: side)
  }

  private static func around(_ box: CGRect) -> CGRect {
    box.insetBy(dx: -box.width, dy: -box.height)
  }
}
