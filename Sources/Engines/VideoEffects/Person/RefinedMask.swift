internal import CEffects

/// A mask of people that has the edges of one picture, pixel by pixel.
///
/// Made by ``PersonMatte``, for pictures of the size that it was made from. Copies share their memory.
package struct RefinedMask: Sendable {
  /// The mask in cells: about 270 on the shorter side.
  package let mask: PersonMask
  let grid: CellGrid
  /// The mask of the picture's pixels, in rows of an even width.
  let pixels: [UInt8]

  init(mask: PersonMask, grid: CellGrid, pixels: [UInt8]) {
    (self.mask, self.grid, self.pixels) = (mask, grid, pixels)
  }

  /// A mask that is known, and not refined, for pictures of a size.
  ///
  /// - Parameter mask: Covers the whole picture; with fewer pixels than this has it is enlarged, linear in between.
  package init(_ mask: PersonMask, width: Int, height: Int) {
    let grid = CellGrid(width: width, height: height)
    let pixels = MaskPlacement(of: mask, part: nil, in: grid, range: 0...1).pixels(grid)
    self.init(mask: MaskPlacement.cells(pixels, grid), grid: grid, pixels: pixels)
  }

  /// The mask of every pixel: what a photo's matte is.
  package var matte: PersonMask {
    guard grid.evenWidth != grid.width else {
      return PersonMask(width: grid.width, height: grid.height, alpha: pixels)
    }
    let rows = (0..<grid.height).flatMap { pixels[$0 * grid.evenWidth..<$0 * grid.evenWidth + grid.width] }
    return PersonMask(width: grid.width, height: grid.height, alpha: rows)
  }

  /// Lends the mask to the loops, which only read it.
  func withMask<Result>(_ body: (UnsafePointer<effects_mask>) throws -> Result) rethrows -> Result {
    try mask.alpha.withUnsafeBufferPointer { cells in
      try pixels.withUnsafeBufferPointer { pixels in
        var lent = effects_mask(
          cells: cells.baseAddress, columns: Int32(grid.columns), rows: Int32(grid.rows),
          pixels: UnsafeMutablePointer(mutating: pixels.baseAddress))
        return try withUnsafePointer(to: &lent) { try body($0) }
      }
    }
  }
}
