internal import CPainting
internal import Foundation

/// Gives the noise-free rows of one frame: the still picture, shifted by the hand, under what moves.
struct RowSource: Sendable {
  let still: StaticPicture
  private let moving: [MovingLayer]
  /// The table that changes colours; `nil` when white is white.
  private let balance: BalanceTable?
  private let isShifted: Bool
  /// Whole pixels of the shift, and 256ths beyond them.
  private let lumaShift: (column: Int, row: Int, x: Int, y: Int)
  private let chromaShift: (column: Int, row: Int, x: Int, y: Int)

  /// Two rows of luma and the row of colour differences that they share; valid until the next pair.
  struct Pair {
    var luma: UnsafeMutablePointer<UInt8>
    var nextLuma: UnsafeMutablePointer<UInt8>
    var chroma: UnsafeMutablePointer<UInt8>
  }

  /// Memory for one thread's rows.
  struct Scratch {
    fileprivate let memory: UnsafeMutablePointer<UInt8>
    fileprivate let stride: Int

    /// Gives the memory back.
    func free() {
      memory.deallocate()
    }
  }

  init(
    still: StaticPicture, shift: (x: Double, y: Double), moving: [MovingLayer],
    balance: BalanceTable? = nil
  ) {
    self.still = still
    self.balance = balance
    self.moving = moving
    isShifted = shift.x != 0 || shift.y != 0
    lumaShift = Self.split(shift.x, shift.y)
    chromaShift = Self.split(shift.x / 2, shift.y / 2)
  }

  private static func split(_ x: Double, _ y: Double) -> (column: Int, row: Int, x: Int, y: Int) {
    let column = x.rounded(.down)
    let row = y.rounded(.down)
    return (Int(column), Int(row), Int((x - column) * 256), Int((y - row) * 256))
  }

  func makeScratch() -> Scratch {
    Scratch(memory: .allocate(capacity: still.stride * 3), stride: still.stride)
  }

  /// Rows 2·`index` and the next, and their differences.
  func pair(_ index: Int, scratch: inout Scratch) -> Pair {
    let upper = index * 2
    let lower = min(upper + 1, still.height - 1)
    let chromaRows = (still.height + 1) / 2
    let own = Pair(
      luma: scratch.memory, nextLuma: scratch.memory + scratch.stride,
      chroma: scratch.memory + 2 * scratch.stride)
    let touching = moving.contains { $0.touches(upper) }
    if isShifted {
      shift(still.luma, rows: still.height, step: 1, row: upper, by: lumaShift, into: own.luma)
      shift(still.luma, rows: still.height, step: 1, row: lower, by: lumaShift, into: own.nextLuma)
      shift(still.chroma, rows: chromaRows, step: 2, row: index, by: chromaShift, into: own.chroma)
    } else if touching || balance != nil {
      memcpy(own.luma, still.luma + upper * still.stride, still.stride)
      memcpy(own.nextLuma, still.luma + lower * still.stride, still.stride)
      memcpy(own.chroma, still.chroma + index * still.stride, still.stride)
    } else {
      return Pair(
        luma: still.luma + upper * still.stride, nextLuma: still.luma + lower * still.stride,
        chroma: still.chroma + index * still.stride)
    }
    for layer in moving where layer.touches(upper) {
      layer.blend(
        row: upper, luma: own.luma, nextLuma: own.nextLuma, chroma: own.chroma, width: still.stride)
    }
    balance?.apply(luma: own.luma, nextLuma: own.nextLuma, chroma: own.chroma, count: still.stride)
    return own
  }

  /// One row of a plane, seen from a place a little to the right and below; beyond the edge, the edge goes on.
  private func shift(
    _ plane: UnsafeMutablePointer<UInt8>, rows: Int, step: Int, row: Int,
    by shift: (column: Int, row: Int, x: Int, y: Int), into target: UnsafeMutablePointer<UInt8>
  ) {
    let upper = plane + min(max(row + shift.row, 0), rows - 1) * still.stride
    let lower = plane + min(max(row + shift.row + 1, 0), rows - 1) * still.stride
    var shift = painting_shift(column: shift.column, x: shift.x, y: shift.y)
    painting_shift_row(&shift, upper, lower, still.stride / step, step, target)
  }
}
