internal import CFusion

/// The motion of a tile to a fraction of a pixel.
///
/// A step of Lucas & Kanade in the inverse form of Baker & Matthews 2004 (section 3.2): gradients and their products belong
/// to the reference, and are shared by all frames.
struct TileMotion {
  let reference: FusionFrame
  /// The reference, which owns the memory of the planes.
  let pyramid: LumaPyramid

  /// The difference that a motion leaves, and the step that would leave less.
  struct Fit {
    var motion: Motion
    /// The sum of squares, with the noise that interpolation takes away put back.
    var energy: Float
    /// The next step, in pixels, and how much less energy it promises.
    var dx: Float
    var dy: Float
    var gain: Float
  }

  /// Compares a tile at one motion; `variance` is the noise's in squares of levels.
  func fit(
    _ tile: UnsafePointer<fusion_tile>, _ luma: fusion_plane, _ x: Int, _ y: Int, _ motion: Motion,
    variance: Float
  ) -> Fit {
    var residual = fusion_residual()
    withUnsafePointer(to: luma) {
      fusion_compare(tile, $0, Int32(x), Int32(y), motion.x, motion.y, &residual)
    }
    // Eighths of levels: 64 to the square. Sobel's gradients keep 3/16 of the noise's variance, which is no texture.
    let noise = variance * 64
    let tileNoise = noise * 256 * 0.1875
    let hold = 8 * noise + 4096
    let xx = max(tile.pointee.xx - tileNoise, tile.pointee.xx / 8) + hold
    let yy = max(tile.pointee.yy - tileNoise, tile.pointee.yy / 8) + hold
    let xy = tile.pointee.xy
    let determinant = max(xx * yy - xy * xy, 0.05 * xx * yy)
    let dx = -(yy * residual.bx - xy * residual.by) / determinant
    let dy = -(xx * residual.by - xy * residual.bx) / determinant
    return Fit(
      motion: motion, energy: residual.energy * 2 / (1 + fusion_noise_gain(motion.x, motion.y)), dx: dx,
      dy: dy,
      gain: -(dx * residual.bx + dy * residual.by))
  }

  /// The best motion near some candidates in whole pixels; `bytes` is the frame's `luma` in 8 bits.
  func best(
    _ tile: UnsafePointer<fusion_tile>, _ luma: fusion_plane, _ bytes: fusion_plane, column: Int, row: Int,
    candidates: TileSearch.Candidates, variance: Float, rounds: Int = 4
  ) -> Fit {
    let match = withUnsafePointer(to: pyramid.levels[0]) { reference in
      withUnsafePointer(to: bytes) {
        TileSearch.best(reference, $0, column, row, candidates, radius: 1, 8)
      }
    }
    let (x, y) = (TileGrid.origin(column), TileGrid.origin(row))
    let start = Motion(x: match.dx * Motion.unit, y: match.dy * Motion.unit)
    var now = fit(tile, luma, x, y, start, variance: variance)
    var best = now
    for _ in 1..<rounds {
      func moved(_ value: Int32, _ step: Float, from start: Int32) -> Int32 {
        let next = value + Int32((max(-1, min(1, step)) * 64).rounded())
        return max(start - 96, min(start + 96, next))
      }
      let next = Motion(
        x: moved(now.motion.x, now.dx, from: start.x), y: moved(now.motion.y, now.dy, from: start.y))
      if next == now.motion { break }
      now = fit(tile, luma, x, y, next, variance: variance)
      if now.energy < best.energy { best = now }
    }
    return best
  }
}
