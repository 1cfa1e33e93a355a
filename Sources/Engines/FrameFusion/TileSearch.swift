internal import CFusion

/// The search for one tile's motion in whole pixels among a few candidates.
enum TileSearch {
  /// Up to six different motions.
  struct Candidates {
    private var motions: InlineArray<6, SIMD2<Int32>> = .init(repeating: SIMD2(0, 0))
    private(set) var count = 0

    mutating func insert(_ motion: (dx: Int32, dy: Int32)) {
      let new = SIMD2(motion.dx, motion.dy)
      for index in 0..<count where motions[index] == new { return }
      guard count < 6 else { return }
      motions[count] = new
      count += 1
    }

    subscript(index: Int) -> SIMD2<Int32> { motions[index] }
  }

  /// The best candidate, refined within `radius`; the first is preferred.
  static func best(
    _ reference: UnsafePointer<fusion_plane>, _ frame: UnsafePointer<fusion_plane>, _ column: Int,
    _ row: Int, _ candidates: Candidates, radius: Int32, _ penalty: Int32
  ) -> fusion_match {
    let (x, y) = (Int32(TileGrid.origin(column)), Int32(TileGrid.origin(row)))
    var best = fusion_match(dx: candidates[0].x, dy: candidates[0].y, sad: 0)
    if candidates.count > 1 {
      var least = Int32.max
      for index in 0..<candidates.count {
        var match = fusion_match()
        fusion_search(reference, frame, x, y, candidates[index].x, candidates[index].y, 0, 0, &match)
        let cost = match.sad + (index == 0 ? 0 : penalty)
        if cost < least {
          least = cost
          best = match
        }
      }
    }
    fusion_search(reference, frame, x, y, best.dx, best.dy, radius, penalty, &best)
    return best
  }
}
