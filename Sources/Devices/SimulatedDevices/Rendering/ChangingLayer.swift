internal import CPainting

/// A layer whose shape changes from frame to frame: painted row by row where it lies, and not kept.
struct ChangingLayer: Sendable {
  let placed: PlacedLayer
  /// What its linear red, green and blue are multiplied by.
  let light: SIMD3<Float>
  let matrix: LumaMatrix

  /// Whether it touches either of two rows.
  func touches(_ row: Int) -> Bool {
    placed.rows.lowerBound <= row + 1 && row < placed.rows.upperBound && !placed.columns.isEmpty
  }

  /// Paints it over two rows of a 4:2:0 picture of `width` columns.
  func blend(
    row: Int, luma: UnsafeMutablePointer<UInt8>, nextLuma: UnsafeMutablePointer<UInt8>,
    chroma: UnsafeMutablePointer<UInt8>, width: Int
  ) {
    // Differences are of pairs of columns.
    let first = placed.columns.lowerBound / 2 * 2
    let pairs = (min(placed.columns.upperBound, width) - first + 1) / 2
    let inset = placed.columns.lowerBound - first
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 4 * pairs) { pixels in
      pixels.initialize(repeating: .zero)
      guard let base = pixels.baseAddress else { return }
      placed.blend(row: row, onto: base + inset)
      placed.blend(row: row + 1, onto: base + 2 * pairs + inset)
      if light != .one { Sprite.light(base, count: 4 * pairs, by: light) }
      matrix.planar(base, count: 4 * pairs)
      painting_lay_rows(base, base + 2 * pairs, pairs, luma + first, nextLuma + first, chroma + first)
    }
  }
}

/// A layer in front of what stands still, as one frame shows it.
enum MovingLayer: Sendable {
  case sprite(Sprite.Placed)
  case changing(ChangingLayer)

  /// Whether it touches either of two rows.
  func touches(_ row: Int) -> Bool {
    switch self {
    case .sprite(let sprite): sprite.touches(row)
    case .changing(let layer): layer.touches(row)
    }
  }

  /// Lays it over two rows of a 4:2:0 picture of `width` columns.
  func blend(
    row: Int, luma: UnsafeMutablePointer<UInt8>, nextLuma: UnsafeMutablePointer<UInt8>,
    chroma: UnsafeMutablePointer<UInt8>, width: Int
  ) {
    switch self {
    case .sprite(let sprite):
      sprite.blend(row: row, luma: luma, nextLuma: nextLuma, chroma: chroma, width: width)
    case .changing(let layer):
      layer.blend(row: row, luma: luma, nextLuma: nextLuma, chroma: chroma, width: width)
    }
  }
}
