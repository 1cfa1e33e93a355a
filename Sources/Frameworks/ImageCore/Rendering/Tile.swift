/// A rectangle of whole pixels in Core Image's coordinates: `y` grows upwards.
struct GridRect: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var maxX: Int { x + width }
  var maxY: Int { y + height }
  var isEmpty: Bool { width <= 0 || height <= 0 }

  func intersection(_ other: GridRect) -> GridRect {
    let left = max(x, other.x)
    let bottom = max(y, other.y)
    return GridRect(
      x: left, y: bottom, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - bottom))
  }
}

/// Working pixels: linear light unless told otherwise, premultiplied red, green, blue and alpha.
///
/// Rows go from the bottom up, like the coordinates. Clear when made. Thread-bound.
final class Tile {
  let rect: GridRect
  let pixels: UnsafeMutablePointer<SIMD4<Float>>

  init(_ rect: GridRect) {
    self.rect = rect
    let count = max(0, rect.width) * max(0, rect.height)
    pixels = .allocate(capacity: max(1, count))
    pixels.initialize(repeating: .zero, count: max(1, count))
  }

  deinit {
    pixels.deallocate()
  }

  func row(_ y: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
    pixels + (y - rect.y) * rect.width
  }

  /// Takes over `other` where it covers this tile.
  func copy(_ other: Tile) {
    let shared = rect.intersection(other.rect)
    if shared.isEmpty { return }
    for y in shared.y..<shared.maxY {
      (row(y) + shared.x - rect.x).update(from: other.row(y) + shared.x - other.rect.x, count: shared.width)
    }
  }
}
