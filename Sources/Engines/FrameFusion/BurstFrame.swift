internal import CFusion

/// A frame of the burst beside the reference, and its motion in whole pixels.
struct BurstFrame: Sendable {
  var index: Int
  var planes: FusionFrame
  /// Luma of full size in 8 bits.
  var pyramid: LumaPyramid
  var coarse: CoarseMotion

  /// The motions that tile (`column`, `row`) of full size may have, in pixels; `whole` first.
  func candidates(column: Int, row: Int, whole: (dx: Int32, dy: Int32)) -> TileSearch.Candidates {
    if coarse.level > 0 { return coarse.candidates(column: column, row: row, global: whole) }
    var found = TileSearch.Candidates()
    found.insert(whole)
    let own = coarse.motions[row * coarse.grid.columns + column]
    found.insert((own.dx, own.dy))
    return found
  }

  /// Of the whole picture, in pixels of full size.
  var whole: (dx: Int32, dy: Int32) {
    coarse.level > 0 ? (2 * coarse.global.dx, 2 * coarse.global.dy) : coarse.global
  }
}
