internal import CFusion

/// A merged picture's brightness in parts of 4 × 4 pixels, in which little noise is left, and what it says of shadows and highlights.
struct ToneSurvey {
  /// Tiles of 16 × 16 pixels from left to right.
  let columns: Int
  /// Tiles from top to bottom.
  let rows: Int
  /// Sixteen 8-bit levels for each tile, tile by tile.
  let levels: Slots<UInt8>

  static let side = 16

  init(_ luma: fusion_plane, _ work: RowWork) {
    columns = (Int(luma.width) + Self.side - 1) / Self.side
    rows = (Int(luma.height) + Self.side - 1) / Self.side
    levels = Slots(count: Self.side * columns * rows)
    let (columns, levels) = (columns, levels)
    work.forEach(rows) { row in
      withUnsafeTemporaryAllocation(of: fusion_sum.self, capacity: 1) { memory in
        guard let block = memory.baseAddress else { return }
        for column in 0..<columns {
          withUnsafePointer(to: luma) {
            fusion_begin($0, Int32(column * Self.side), Int32(row * Self.side), 16, block)
          }
          fusion_block_means(block, levels.base + Self.side * (row * columns + column))
        }
      }
    }
  }

  /// How much of the picture is how dark, and what noise there is in its shadows.
  struct Findings: Equatable {
    /// The share of parts that are nearly black.
    var shadows = 0.0
    /// The share of parts that are nearly white.
    var highlights = 0.0
    /// The variance of one frame's noise in the shadows, in squares of 8-bit levels.
    var noise = 0.0
    /// What merging left of it.
    var rest = 0.0
  }

  /// Three stops below middle grey: what a screen beside a bright part shows as black.
  private static let nearlyBlack = 0.16
  /// A quarter of a stop below white.
  private static let nearlyWhite = 0.965

  /// - Parameter weights: The number of frames in each tile; `nil` is one everywhere.
  func findings(_ range: LumaRange, noise: NoiseCurve, weights: Slots<Float>?) -> Findings {
    let dark = (0..<256).filter { range.share($0) < Self.nearlyBlack }.max() ?? 0
    let bright = (0..<256).first { range.share($0) >= Self.nearlyWhite } ?? 255
    var (shadows, highlights, variance, rest) = (0, 0, 0.0, 0.0)
    for tile in 0..<columns * rows {
      let part = levels.base + Self.side * tile
      var (count, sum) = (0, Float(0))
      for index in 0..<Self.side {
        let level = Int(part[index])
        if level <= dark {
          count += 1
          sum += noise.luma[level]
        } else if level >= bright {
          highlights += 1
        }
      }
      shadows += count
      variance += Double(sum)
      rest += Double(sum / (weights.map { $0.base[tile] } ?? 1))
    }
    let all = Double(max(1, Self.side * columns * rows))
    let some = Double(max(1, shadows))
    return Findings(
      shadows: Double(shadows) / all, highlights: Double(highlights) / all, noise: variance / some,
      rest: rest / some)
  }
}
