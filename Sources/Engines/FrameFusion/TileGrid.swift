/// The tiles of a picture whose motion is found: 16 × 16 pixels around points that are 16 pixels apart, from the corner on.
struct TileGrid: Hashable {
  static let side = 16

  let columns: Int
  let rows: Int

  init(width: Int, height: Int) {
    columns = (width + Self.side - 1) / Self.side + 1
    rows = (height + Self.side - 1) / Self.side + 1
  }

  var count: Int { columns * rows }

  /// The first pixel of tile number `index` of a row or column; it may lie outside.
  static func origin(_ index: Int) -> Int { index * side - side / 2 }
}

/// A motion in 1/64 pixels: what is at x in the reference is at x + motion in the frame.
struct Motion: Hashable {
  var x: Int32
  var y: Int32

  static let unit: Int32 = 64
}
