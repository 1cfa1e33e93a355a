internal import CaptureDevice

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
  @inline(__always)
  private func place(_ index: Int) -> Int {
    min(max(columns.lowerBound - reach + index, 0), frame.width - 1)
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
    let last = rowLength - 1
    let start = firstColumn - Double(columns.lowerBound) * step
    for index in 0..<count {
      let x = min(max(start + Double(place(index)) * step, 0), Double(last))
      let left = Int(x)
      let fx = Float(x - Double(left))
      if fx == 0 && fy == 0 {
        memory[index] = upper[left]
        continue
      }
      let right = min(left + 1, last)
      let above = upper[left] + (upper[right] - upper[left]) * fx
      let below = lower[left] + (lower[right] - lower[left]) * fx
      memory[index] = above + (below - above) * fy
    }
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
    guard let pixels = raster.row(row) else {
      for column in 0..<rowLength { target[column] = .zero }
      return
    }
    let own = raster.columns
    for column in 0..<own.lowerBound { target[column] = .zero }
    for column in own.upperBound..<rowLength { target[column] = .zero }
    for column in own { target[column] = color(pixels[column - own.lowerBound]) }
  }

  @inline(__always)
  private func color(_ pixel: SIMD4<UInt8>) -> SIMD4<Float> {
    guard let tones else { return SIMD4<Float>(pixel) * (1 / 255) }
    return SIMD4(tones[Int(pixel.x)], tones[Int(pixel.y)], tones[Int(pixel.z)], Float(pixel.w)) * (1 / 255)
  }

  // MARK: Bent rows

  /// A row whose columns lie wherever `place` says on the canvas.
  func line(at place: (Int) -> (x: Double, y: Double)) -> UnsafeMutablePointer<SIMD4<Float>> {
    let size = raster.canvas
    for index in 0..<count {
      let point = place(self.place(index))
      let x = min(max(point.x, 0), Double(size.width - 1))
      let y = min(max(point.y, 0), Double(size.height - 1))
      let (left, top) = (Int(x), Int(y))
      let (fx, fy) = (Float(x - Double(left)), Float(y - Double(top)))
      let right = min(left + 1, size.width - 1)
      let bottom = min(top + 1, size.height - 1)
      let above = pixel(left, top) * (1 - fx) + pixel(right, top) * fx
      let below = pixel(left, bottom) * (1 - fx) + pixel(right, bottom) * fx
      memory[index] = above + (below - above) * fy
    }
    return memory
  }

  @inline(__always)
  private func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
    guard let row = raster.row(y), raster.columns.contains(x) else { return .zero }
    return color(row[x - raster.columns.lowerBound])
  }
}
