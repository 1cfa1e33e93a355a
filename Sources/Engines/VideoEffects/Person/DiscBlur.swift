internal import CEffects

/// Blurs the cells of a picture as a lens does, by weights: each cell becomes a disc.
///
/// Exact sums over discs, row by row from running sums: each row costs two reads a cell, where a sum of complex Gaussians (Niemitalo;
/// Garcia 2017) has eight products, and the rim is clean.
final class DiscBlur {
  private let grid: CellGrid
  private let threads: Int
  private let sums: Memory

  /// The greatest radius, in cells: sums of more would not fit their numbers.
  static let greatestRadius = 17.0
  private static let margin = 18

  /// Memory that is written in parts.
  private final class Memory: @unchecked Sendable {  // Safe: each part has rows of its own.
    let base: UnsafeMutablePointer<UInt32>

    init(count: Int) {
      base = .allocate(capacity: count)
      base.initialize(repeating: 0, count: count)
    }

    deinit { base.deallocate() }
  }

  /// The weights of cells: by how much of it is a person (256 numbers), times a gain for its luma in sixteenths (256 numbers).
  struct Weights: Sendable {
    var share: [UInt8]
    var gain: [UInt8]

    /// All luma alike.
    static let even = [UInt8](repeating: 16, count: 256)
  }

  init(_ grid: CellGrid, threads: Int) {
    (self.grid, self.threads) = (grid, threads)
    // A block of columns is read to its end.
    sums = Memory(count: 4 * ((grid.columns + 2 * Self.margin + 1) * grid.rows + 64))
  }

  /// Writes the blurred colours into `blurred`; a cell around which nothing has weight keeps its own.
  ///
  /// - Parameters:
  ///   - radius: Of the disc, in cells, up to ``greatestRadius``.
  ///   - weight: Gets the mean weight around each cell, 1 for 255.
  func run(
    _ colors: CellColors, _ mask: PersonMask, _ weights: Weights, radius: Double, into blurred: CellColors,
    weight: CellField? = nil
  ) {
    let (grid, sums, margin) = (grid, sums, Int32(Self.margin))
    let (from, to) = (colors.colors, blurred.colors)
    grid.forEachPart(threads: threads) { rows in
      withUnsafePointer(to: from) {
        effects_weigh(
          $0, mask.alpha, weights.share, weights.gain, margin, sums.base, rows.lowerBound, rows.upperBound)
      }
    }
    let spans = Self.spans(min(Self.greatestRadius, radius))
    let field = weight?.field
    grid.forEachPart(threads: threads) { rows in
      withUnsafePointer(to: from) { from in
        withUnsafePointer(to: to) { to in
          func blur(_ weight: UnsafePointer<effects_field>?) {
            effects_disc(
              sums.base, margin, spans, Int32(spans.count - 1), from, to, weight, rows.lowerBound,
              rows.upperBound)
          }
          if let field { withUnsafePointer(to: field, blur) } else { blur(nil) }
        }
      }
    }
  }

  /// Half the widths of a disc's rows, without their middle, from its own middle outwards.
  ///
  /// Its radius is half a cell more than a whole number, or single cells would stick out above, below and at its sides.
  private static func spans(_ radius: Double) -> [Int32] {
    let reach = Int(radius)
    let outer = Double(reach) + 0.5
    return (0...reach).map { row in Int32((outer * outer - Double(row * row)).squareRoot()) }
  }
}
