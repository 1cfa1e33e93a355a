internal import Foundation
internal import Linux

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

  /// The rectangle cut in two across its longer side.
  var halves: [GridRect] {
    var (first, second) = (self, self)
    if width >= height {
      first.width = width / 2
      second.x += first.width
      second.width -= first.width
    } else {
      first.height = height / 2
      second.y += first.height
      second.height -= first.height
    }
    return [first, second]
  }
}

/// Memory of tiles between one and the next: at this size the allocator would ask the kernel for every one of them, and
/// clearing fresh pages took a third of the time of rendering.
enum TileMemory {
  /// The pixels of the largest tile that is rendered, with room for the neighbours that sampling reads.
  static let capacity = 256 * 64 + 4096
  /// More blocks serve more threads and deeper recipes, at 320 KiB each.
  private static let limit = 24

  private struct Block: @unchecked Sendable {  // Safe: a block is free in the list or owned by one tile.
    var pixels: UnsafeMutablePointer<SIMD4<Float>>
  }

  private static let free = Locked<[Block]>([])

  static func take() -> UnsafeMutablePointer<SIMD4<Float>> {
    free.withLock { $0.popLast() }?.pixels ?? .allocate(capacity: capacity)
  }

  static func give(_ pixels: UnsafeMutablePointer<SIMD4<Float>>) {
    let block = Block(pixels: pixels)
    let isKept = free.withLock { blocks in
      if blocks.count >= limit { return false }
      blocks.append(block)
      return true
    }
    if !isKept { pixels.deallocate() }
  }

  /// Gives all of it back.
  static func clear() {
    let blocks = free.withLock { blocks in
      defer { blocks = [] }
      return blocks
    }
    for block in blocks { block.pixels.deallocate() }
  }
}

/// Working pixels: linear light by default, premultiplied red, green, blue and alpha.
///
/// Rows go from the bottom up, like the coordinates. Clear when made. Thread-bound.
final class Tile {
  let rect: GridRect
  let pixels: UnsafeMutablePointer<SIMD4<Float>>
  private let isPooled: Bool

  init(_ rect: GridRect) {
    self.rect = rect
    let count = max(1, max(0, rect.width) * max(0, rect.height))
    isPooled = count <= TileMemory.capacity
    pixels = isPooled ? TileMemory.take() : .allocate(capacity: count)
    pixels.initialize(repeating: .zero, count: count)
  }

  deinit {
    if isPooled { TileMemory.give(pixels) } else { pixels.deallocate() }
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

extension Tile {
  /// The value between the four nearest pixels; those at the edge go on beyond it.
  @inline(__always)
  func between(_ x: CGFloat, _ y: CGFloat) -> SIMD4<Float> {
    let left = Self.floored(x - 0.5)
    let lower = Self.floored(y - 0.5)
    let shareX = Float(x - 0.5 - CGFloat(left))
    let shareY = Float(y - 0.5 - CGFloat(lower))
    let width = rect.width
    let column = left - rect.x
    let row = lower - rect.y
    let column0 = min(max(column, 0), width - 1)
    let column1 = min(max(column + 1, 0), width - 1)
    let row0 = min(max(row, 0), rect.height - 1) * width
    let row1 = min(max(row + 1, 0), rect.height - 1) * width
    let bottom = pixels[row0 + column0] * (1 - shareX) + pixels[row0 + column1] * shareX
    let top = pixels[row1 + column0] * (1 - shareX) + pixels[row1 + column1] * shareX
    return bottom * (1 - shareY) + top * shareY
  }

  /// The next whole number below; the library's `floor` is a call where the processor's own is not assumed.
  @inline(__always)
  static func floored(_ value: CGFloat) -> Int {
    guard abs(value) < 1e15 else { return 0 }
    let whole = Int(value)
    return CGFloat(whole) > value ? whole - 1 : whole
  }
}
