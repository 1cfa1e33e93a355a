internal import Foundation
internal import GraphicsCore

/// Draws a recipe through an affine transform.
///
/// A pixel's middle is mapped back; between the four pixels around that place the value is interpolated. Where the
/// picture shrinks, an output pixel is the mean of a grid of such places, one for each pixel it covers, so that nothing
/// flickers. Past the picture's edge its outermost pixels count, and an edge that crosses a pixel covers it in part. Transforms
/// with a kernel only scale.
struct TransformSampler {
  let renderer: TileRenderer
  let source: Recipe
  let matrix: CGAffineTransform
  let sampling: Recipe.Sampling

  func draw(on tile: Tile, _ part: GridRect, limit: Int) {
    if part.isEmpty { return }
    let back = matrix.inverted()
    let kernel = sampling.kernel
    // A kernel is at least as wide as what an output pixel covers; where pixels land on pixels no other one counts.
    let (across, along) =
      kernel.map { (max(1, abs(back.a)) * $0.reach, max(1, abs(back.d)) * $0.reach) }
      ?? (matrix.isPixelExact ? (0, 0) : (1, 1))
    let reach = CGRect(
      x: CGFloat(part.x), y: CGFloat(part.y), width: CGFloat(part.width), height: CGFloat(part.height)
    ).applying(back).insetBy(dx: -across, dy: -along)
    var needed = reach.allPixels
    if !source.extent.isInfiniteExtent { needed = needed.nearest(in: source.extent.allPixels) }
    if needed.isEmpty { return }
    if needed.area > limit, part.area > 1 {
      // Shrinking reads more than it writes: cut until what is read fits.
      for half in part.halves { draw(on: tile, half, limit: limit) }
      return
    }
    if needed.area > 16 * limit {
      // One output pixel out of more than can be held: what lies in its middle stands for all.
      let middle = CGPoint(x: CGFloat(part.x) + 0.5, y: CGFloat(part.y) + 0.5).applying(back)
      let pixel = CGRect(x: middle.x.rounded(.down), y: middle.y.rounded(.down), width: 1, height: 1)
        .allPixels
      let one = source.extent.isInfiniteExtent ? pixel : pixel.nearest(in: source.extent.allPixels)
      tile.row(part.y)[part.x - tile.rect.x] = renderer.tile(source, one).pixels[0]
      return
    }
    sample(renderer.tile(source, needed), tile, part, back)
  }

  private func sample(_ from: Tile, _ tile: Tile, _ part: GridRect, _ back: CGAffineTransform) {
    let kernel = sampling.kernel
    if kernel != nil || (sampling == .linear && back.b == 0 && back.c == 0 && !matrix.isPixelExact) {
      return sampleUpright(
        from, tile, part, scale: (back.a, back.d), shift: (back.tx, back.ty), kernel: kernel)
    }
    if sampling == .linear, back.a == 0, back.d == 0, !matrix.isPixelExact {
      // Lying pictures are drawn upright and then turned, four rows at once, whose pixels share a line of the cache.
      let upright = GridRect(x: part.y, y: part.x, width: part.height, height: part.width)
      let turned = Tile(upright)
      sampleUpright(
        from, turned, upright, scale: (back.c, back.b), shift: (back.tx, back.ty), kernel: nil)
      for first in stride(from: part.y, to: part.maxY, by: 4) {
        let (out, count) = (tile.row(first) - tile.rect.x, min(4, part.maxY - first))
        for x in part.x..<part.maxX {
          let column = turned.row(x) + (first - part.y)
          for y in 0..<count { out[y * tile.rect.width + x] = column[y] }
        }
      }
      return
    }
    // How much of the source one output pixel covers along its own two sides.
    let across = (back.a * back.a + back.b * back.b).squareRoot()
    let along = (back.c * back.c + back.d * back.d).squareRoot()
    let columns = sampling == .nearest ? 1 : min(64, max(1, Int((across - 1e-6).rounded(.up))))
    let rows = sampling == .nearest ? 1 : min(64, max(1, Int((along - 1e-6).rounded(.up))))
    let weight = 1 / Float(columns * rows)
    let extent = source.extent
    let isUnbounded = extent.isInfiniteExtent
    let isExact = matrix.isPixelExact
    // Half an output pixel's footprint in source pixels: over this distance an edge fades.
    let fadeX = max(abs(back.a) + abs(back.c), 1e-9)
    let fadeY = max(abs(back.b) + abs(back.d), 1e-9)

    let takesNearest = sampling == .nearest || isExact
    for y in part.y..<part.maxY {
      let out = tile.row(y) - tile.rect.x
      // Counted from the output's origin and not from the tile's, so that tiles agree to the last bit.
      let middleX = back.c * (CGFloat(y) + 0.5) + back.tx
      let middleY = back.d * (CGFloat(y) + 0.5) + back.ty
      for x in part.x..<part.maxX {
        let sx = back.a * (CGFloat(x) + 0.5) + middleX
        let sy = back.b * (CGFloat(x) + 0.5) + middleY
        var share: CGFloat = 1
        if !isUnbounded && !isExact {
          let insideX = min(sx - extent.minX, extent.maxX - sx) / fadeX + 0.5
          let insideY = min(sy - extent.minY, extent.maxY - sy) / fadeY + 0.5
          if sampling == .nearest {
            share = insideX < 0.5 || insideY < 0.5 ? 0 : 1
          } else {
            share = max(0, min(1, insideX)) * max(0, min(1, insideY))
          }
          // What the tile was made with is clear.
          if share == 0 { continue }
        }
        var pixel: SIMD4<Float>
        if columns * rows == 1 {
          pixel = takesNearest ? nearest(from, sx, sy) : from.between(sx, sy)
        } else {
          pixel = .zero
          for j in 0..<rows {
            let dy = (CGFloat(j) + 0.5) / CGFloat(rows) - 0.5
            for i in 0..<columns {
              let dx = (CGFloat(i) + 0.5) / CGFloat(columns) - 0.5
              pixel += from.between(sx + back.a * dx + back.c * dy, sy + back.b * dx + back.d * dy)
            }
          }
          pixel *= weight
        }
        out[x] = share < 1 ? pixel * Float(share) : pixel
      }
    }
  }

  @inline(__always)
  private func nearest(_ from: Tile, _ x: CGFloat, _ y: CGFloat) -> SIMD4<Float> {
    // A hair's breadth to the right, so that rounding in the matrix does not pick the neighbour.
    let column = min(max(Tile.floored(x + 1e-6) - from.rect.x, 0), from.rect.width - 1)
    let row = min(max(Tile.floored(y + 1e-6) - from.rect.y, 0), from.rect.height - 1)
    return from.pixels[row * from.rect.width + column]
  }
}
