internal import CPainting
internal import CaptureDevice
internal import Foundation

/// Reads rows of a frame out of one layer, between its pixels, in the layer's light; colours come in units of 1.
struct LayerSampler {
  /// The frame's columns that are wanted.
  let columns: Range<Int>
  private let raster: LayerRaster
  private let tones: [Float]?
  private let reach: Int
  private let frame: FrameSize
  /// The result, and two rows of the canvas.
  private let memory: UnsafeMutablePointer<SIMD4<Float>>
  private let rowLength: Int
  private var keptRows = (Int.min, Int.min)

  init(part: ViewRenderer.Part, columns: Range<Int>, reach: Int, frame: FrameSize) {
    raster = part.raster
    tones = part.tones
    self.columns = columns
    self.reach = reach
    self.frame = frame
    rowLength = raster.canvas.width
    memory = .allocate(capacity: columns.count + 2 * reach + 2 * rowLength)
  }

  func free() {
    memory.deallocate()
  }

  /// The frame's columns with what the blur needs beside them, held to the frame.
  private var reading: painting_columns {
    painting_columns(first: columns.lowerBound - reach, count: count, limit: frame.width)
  }

  private var count: Int { columns.count + 2 * reach }

  // MARK: Straight rows

  /// A row that lies at `row` on the canvas, whose first column lies at `firstColumn` and each next one `step` further.
  mutating func line(row: Double, firstColumn: Double, step: Double) -> UnsafeMutablePointer<SIMD4<Float>> {
    let y = min(max(row, 0), Double(raster.canvas.height - 1))
    let top = Int(y)
    let fy = Float(y - Double(top))
    let bottom = min(top + 1, raster.canvas.height - 1)
    let upper = canvasRow(top)
    let lower = fy == 0 ? upper : canvasRow(bottom)
    var reading = reading
    painting_sample(
      &reading, firstColumn - Double(columns.lowerBound) * step, step, upper, lower, fy, rowLength, memory)
    return memory
  }

  /// One row of the canvas as colours; the last two are kept, because neighbouring rows share them.
  private mutating func canvasRow(_ row: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
    let first = memory + count
    if keptRows.0 == row { return first }
    if keptRows.1 == row { return first + rowLength }
    // Rows are asked for downwards: what lies further up is needed no more.
    let replacesFirst = keptRows.0 < keptRows.1
    let target = replacesFirst ? first : first + rowLength
    if replacesFirst { keptRows.0 = row } else { keptRows.1 = row }
    fill(row, into: target)
    return target
  }

  private func fill(_ row: Int, into target: UnsafeMutablePointer<SIMD4<Float>>) {
    let own = raster.columns
    memset(target, 0, rowLength * MemoryLayout<SIMD4<Float>>.stride)
    guard let pixels = raster.row(row) else { return }
    painting_unpack(pixels, tones, target + own.lowerBound, own.count)
  }

  // MARK: Bent rows

  /// A row as a lens bends it; `dy` is how far it lies below the frame's middle.
  func line(_ bend: painting_bend) -> UnsafeMutablePointer<SIMD4<Float>> {
    var (reading, bend) = (reading, bend)
    raster.withTones(tones) { painting_sample_bent(&reading, &bend, &$0, memory) }
    return memory
  }
}
