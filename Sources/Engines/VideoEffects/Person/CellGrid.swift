internal import CEffects
internal import CoreVideo
internal import FoundationExtras

/// The cells that a picture is reduced to, to find its edges and to blur it: squares of an even number of pixels.
struct CellGrid: Sendable, Hashable {
  /// The picture, in pixels.
  let width: Int
  let height: Int
  /// Pixels to a side of a cell: 4 at 1080 lines.
  let factor: Int

  /// Rows that one part of the work has: fixed, so that sums begin in the same rows with any number of threads.
  static let partRows = 64

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    // About 270 cells on the shorter side.
    factor = 2 * min(8, max(1, (min(width, height) + 270) / 540))
  }

  /// Pixels of a row of a mask, made even.
  var evenWidth: Int { (width + 1) / 2 * 2 }
  var columns: Int { (width + factor - 1) / factor }
  var rows: Int { (height + factor - 1) / factor }

  /// Runs `body` on parts of the rows of cells, on so many threads.
  func forEachPart(threads: Int, _ body: @Sendable (Range<Int32>) -> Void) {
    RowParts(rows: rows, height: Self.partRows).forEach(threads: threads, body)
  }

  /// Runs `body` on parts of the rows of pixels, each from an even one.
  func forEachPixelPart(threads: Int, _ body: @Sendable (Range<Int32>) -> Void) {
    RowParts(rows: height, height: Self.partRows).forEach(threads: threads, body)
  }

  /// Lends memory for the loops to work in, of one thread.
  func withRoom(_ body: (UnsafeMutablePointer<Float>) -> Void) {
    let count = effects_room(Int32(width))
    withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { room in
      if let base = room.baseAddress { body(base) }
    }
  }
}
