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

  /// The number of pixels; the largest `Int` where it is larger.
  var area: Int {
    let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
    return isTooLarge ? .max : area
  }

  /// Whether its working pixels take more than four gigabytes.
  var isTooLarge: Bool { area > 1 << 28 }

  func intersection(_ other: GridRect) -> GridRect {
    let left = max(x, other.x)
    let bottom = max(y, other.y)
    return GridRect(
      x: left, y: bottom, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - bottom))
  }

  /// The rectangle with its sides moved outwards.
  func grown(by distance: Int) -> GridRect {
    GridRect(x: x - distance, y: y - distance, width: width + 2 * distance, height: height + 2 * distance)
  }

  /// The rectangle in tiles of at most 256 × 64: their working pixels stay in the second level cache.
  var tiles: [GridRect] {
    stride(from: y, to: maxY, by: 64).flatMap { y in
      stride(from: x, to: maxX, by: 256).map { x in
        GridRect(x: x, y: y, width: 256, height: 64).intersection(self)
      }
    }
  }

  /// The rectangle in tiles that suit `recipe`: a picture that lies on its side is read along its own rows, which are columns here.
  ///
  /// Rows of 64 pixels would be read from as many pages of memory, each for a few bytes.
  func tiles(for recipe: Recipe) -> [GridRect] {
    recipe.liesOnItsSide ? transposed.tiles.map(\.transposed) : tiles
  }

  /// The rectangle with its axes exchanged.
  private var transposed: GridRect { GridRect(x: y, y: x, width: height, height: width) }

  /// The pixels of `edges` that are nearest to this rectangle's; at least one.
  func nearest(in edges: GridRect) -> GridRect {
    let x = min(max(x, edges.x), edges.maxX - 1)
    let y = min(max(y, edges.y), edges.maxY - 1)
    return GridRect(
      x: x, y: y, width: min(max(maxX - 1, edges.x), edges.maxX - 1) + 1 - x,
      height: min(max(maxY - 1, edges.y), edges.maxY - 1) + 1 - y)
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

/// Memory of tiles between one and the next: the allocator would ask the kernel for every one of them, and clearing fresh pages
/// took a third of the time of rendering.
enum TileMemory {
  /// The pixels of the largest tile that is rendered, with room for the neighbours that sampling reads.
  private static let capacity = 256 * 64 + 4096
  /// More blocks serve more threads and deeper recipes, at 320 KiB each.
  private static let limit = 24
  /// The pixels that are kept in larger blocks at most, for the small pictures of blurs: 32 MiB.
  private static let largeLimit = 1 << 21

  struct Block: @unchecked Sendable {  // Safe: a block is free in a list or owned by one tile.
    let pixels: UnsafeMutablePointer<SIMD4<Float>>
    let capacity: Int
    /// What holds the pixels of a large block; `nil` for those of the allocator.
    private let pages: PageMemory?

    init(capacity: Int) {
      self.capacity = capacity
      let size = capacity * MemoryLayout<SIMD4<Float>>.stride
      // Faulting in small pages one by one made a program's first image wait.
      let pages = size >= Self.hugePages ? try? PageMemory(byteCount: size) : nil
      if let pages, let base = pages.bytes.baseAddress {
        self.pages = pages
        pixels = base.bindMemory(to: SIMD4<Float>.self, capacity: capacity)
      } else {
        self.pages = nil
        pixels = .allocate(capacity: capacity)
      }
    }

    /// From so many bytes on the kernel gives huge pages.
    private static let hugePages = 1 << 22

    func free() { if pages == nil { pixels.deallocate() } }
  }

  private struct Free: Sendable {
    var tiles: [Block] = []
    var large: [Block] = []
  }

  private static let free = Locked(Free())

  /// A block of at least `count` pixels.
  static func take(_ count: Int) -> Block {
    let found = free.withLock { free -> Block? in
      if count <= capacity { return free.tiles.popLast() }
      // A block that is much too large stays for who needs it.
      return free.large.firstIndex { count...2 * count ~= $0.capacity }.map { free.large.remove(at: $0) }
    }
    if let found { return found }
    return Block(capacity: max(count, capacity))
  }

  static func give(_ block: Block) {
    let unused = free.withLock { free -> [Block] in
      if block.capacity == capacity {
        if free.tiles.count >= limit { return [block] }
        free.tiles.append(block)
        return []
      }
      free.large.append(block)
      var unused: [Block] = []
      // What was given back first goes first.
      while free.large.reduce(0, { $0 + $1.capacity }) > largeLimit {
        unused.append(free.large.removeFirst())
      }
      return unused
    }
    for block in unused { block.free() }
  }

  /// Gives all of it back.
  static func clear() {
    let blocks = free.withLock { free in
      defer { free = Free() }
      return free.tiles + free.large
    }
    for block in blocks { block.free() }
  }
}

/// Working pixels: linear light by default, premultiplied red, green, blue and alpha.
///
/// Rows go from the bottom up, like the coordinates. Threads that write a tile at the same time write other rows, or other pieces.
final class Tile: @unchecked Sendable {  // Safe for that reason.
  let rect: GridRect
  private let block: TileMemory.Block

  /// - Parameter isClear: Whether it shall be clear, as it must unless all of it is written.
  init(_ rect: GridRect, isClear: Bool = true) {
    self.rect = rect
    block = TileMemory.take(Tile.count(rect))
    if isClear { clear() }
  }

  var pixels: UnsafeMutablePointer<SIMD4<Float>> { block.pixels }

  private static func count(_ rect: GridRect) -> Int { max(1, max(0, rect.width) * max(0, rect.height)) }

  func clear() { pixels.initialize(repeating: .zero, count: Tile.count(rect)) }

  deinit {
    TileMemory.give(block)
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
