internal import CFusion

/// The motion of a frame in whole pixels, tile by tile, from a small picture to one of half size.
///
/// Hasinoff et al. 2016 section 4: a pyramid, and at each level the best of a few candidates from the level above. Ours are
/// the four tiles around and the motion of the whole picture.
struct CoarseMotion {
  private(set) var level: Int
  private(set) var grid: TileGrid
  /// In pixels of the level, row by row.
  private(set) var motions: [(dx: Int32, dy: Int32)]
  /// Of the whole picture, in pixels of the level.
  private(set) var global: (dx: Int32, dy: Int32)

  /// The level at which tiles are first searched, as far as ``radius`` around the motion of the whole.
  private static let first = 3
  /// At the first level, and again below, where smaller things are seen.
  private static let radius: (first: Int32, again: Int32) = (5, 3)
  /// Added to a tile's difference for each pixel away from a candidate, so that flat tiles stay where it is.
  private static let penalty: Int32 = 8

  /// - Parameter start: The motion of the whole picture in pixels of the last level.
  init(reference: LumaPyramid, frame: LumaPyramid, start: (dx: Int, dy: Int)) {
    let last = reference.levels.count - 1
    let top = min(Self.first, last)
    global = Self.wholeMotion(reference, frame, start: start, from: last, to: top)
    (level, grid, motions) = (top, TileGrid(reference.levels[top]), [])
    search(reference.levels[top], frame.levels[top])
    while level > 1 {
      let above = self
      self = CoarseMotion(
        reference.levels[level - 1], frame.levels[level - 1], level: level - 1, above: above)
    }
  }

  /// One level, from the one above.
  private init(_ reference: fusion_plane, _ frame: fusion_plane, level: Int, above: CoarseMotion) {
    self.level = level
    grid = TileGrid(reference)
    global = (2 * above.global.dx, 2 * above.global.dy)
    motions = []
    motions.reserveCapacity(grid.count)
    withUnsafePointer(to: reference) { reference in
      withUnsafePointer(to: frame) { frame in
        for row in 0..<grid.rows {
          for column in 0..<grid.columns {
            let candidates = above.candidates(column: column, row: row, global: global)
            var best = TileSearch.best(reference, frame, column, row, candidates, radius: 1, Self.penalty)
            if level == Self.first - 1 {
              var again = fusion_match()
              let (x, y) = (Int32(TileGrid.origin(column)), Int32(TileGrid.origin(row)))
              fusion_search(
                reference, frame, x, y, global.dx, global.dy, Self.radius.again, Self.penalty, &again)
              if again.sad < best.sad { best = again }
            }
            motions.append((best.dx, best.dy))
          }
        }
      }
    }
  }

  /// The motions that tile (`column`, `row`) of the next finer level may have, in its pixels.
  func candidates(column: Int, row: Int, global: (dx: Int32, dy: Int32)) -> TileSearch.Candidates {
    var found = TileSearch.Candidates()
    found.insert(global)
    // The centre of a tile lies on the one of the coarser level, or between two.
    for y in [row / 2, (row + 1) / 2] {
      for x in [column / 2, (column + 1) / 2] {
        let motion = motions[min(y, grid.rows - 1) * grid.columns + min(x, grid.columns - 1)]
        found.insert((2 * motion.dx, 2 * motion.dy))
      }
    }
    return found
  }

  private mutating func search(_ reference: fusion_plane, _ frame: fusion_plane) {
    motions.reserveCapacity(grid.count)
    withUnsafePointer(to: reference) { reference in
      withUnsafePointer(to: frame) { frame in
        for row in 0..<grid.rows {
          for column in 0..<grid.columns {
            var best = fusion_match()
            let (x, y) = (Int32(TileGrid.origin(column)), Int32(TileGrid.origin(row)))
            fusion_search(
              reference, frame, x, y, global.dx, global.dy, Self.radius.first, Self.penalty, &best)
            motions.append((best.dx, best.dy))
          }
        }
      }
    }
  }

  private static func wholeMotion(
    _ reference: LumaPyramid, _ frame: LumaPyramid, start: (dx: Int, dy: Int), from last: Int, to top: Int
  ) -> (dx: Int32, dy: Int32) {
    var (dx, dy) = start
    var level = last
    while level > top {
      level -= 1
      let (a, b) = (reference.levels[level], frame.levels[level])
      let rowStep = max(1, Int(a.height) / 128)
      (dx, dy) = (2 * dx, 2 * dy)
      var best = (dx: dx, dy: dy, difference: Double.infinity)
      for y in dy - 2...dy + 2 {
        for x in dx - 2...dx + 2 {
          let difference = FrameAgreement.meanDifference(a, b, x, y, rowStep: rowStep)
          if difference < best.difference { best = (x, y, difference) }
        }
      }
      (dx, dy) = (best.dx, best.dy)
    }
    return (Int32(dx), Int32(dy))
  }
}

extension TileGrid {
  init(_ plane: fusion_plane) { self.init(width: Int(plane.width), height: Int(plane.height)) }
}
