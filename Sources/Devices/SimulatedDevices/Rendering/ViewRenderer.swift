internal import CPainting
internal import CaptureDevice
internal import Dispatch
internal import Foundation

/// Makes the picture of a view out of layers that are painted already: cut out, bent, lit and blurred each by itself,
/// then laid over each other.
///
/// Between pixels the layers are interpolated, so that an enlarged picture has no more detail than the canvas. The blur is
/// a ``BoxBlur`` along x and one along y.
struct ViewRenderer: Sendable {
  /// One layer with its appearance.
  struct Part: Sendable {
    var raster: LayerRaster
    var appearance: LayerAppearance
    /// Coded values of red, of green and of blue from 0 to 255 in the layer's light; `nil` when it is unchanged.
    var tones: [Float]?
    var blur: BoxBlur

    init(_ raster: LayerRaster, _ appearance: LayerAppearance) {
      self.raster = raster
      self.appearance = appearance
      tones =
        appearance.light == .one
        ? nil
        : (0..<3).flatMap { color in
          let light = appearance.light[color]
          return (0..<256).map { min(SRGB.coded(SRGB.linear(Float($0) / 255) * light) * 255, 255) }
        }
      blur = BoxBlur(diameter: appearance.blur)
    }
  }

  let canvas: LayerCanvas
  let crop: Double
  let bending: Double
  /// Back to front; the first covers the frame.
  let parts: [Part]

  private var frame: FrameSize { canvas.frame }

  /// Rows painted at a time: the same on every machine, because sums that begin elsewhere round differently.
  private static let bandRows = 64

  /// The picture, computed on all cores.
  func picture(_ matrix: LumaMatrix) -> StaticPicture {
    let picture = StaticPicture(size: frame)
    let bands = (frame.height + Self.bandRows - 1) / Self.bandRows
    DispatchQueue.concurrentPerform(iterations: bands) { band in
      let rows = band * Self.bandRows..<min((band + 1) * Self.bandRows, frame.height)
      let stride = picture.stride
      let colors = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: rows.count * stride)
      defer { colors.deallocate() }
      memset(colors, 0, rows.count * stride * MemoryLayout<SIMD4<Float>>.stride)
      for part in parts { lay(part, rows: rows, over: colors, stride: stride) }
      for pair in rows.lowerBound / 2..<(rows.upperBound + 1) / 2 {
        let top = colors + (pair * 2 - rows.lowerBound) * stride
        let bottom = pair * 2 + 1 < rows.upperBound ? top + stride : top
        picture.convert(pair: pair, top: top, bottom: bottom, matrix: matrix)
      }
    }
    return picture
  }

  // MARK: Places

  /// Pixels of the canvas for one of the frame.
  private var step: Double { canvas.scale / crop }

  /// The place on the canvas of a column of the frame, without bending; a row likewise.
  private func column(_ x: Int) -> Double {
    (Double(x) + 0.5 - Double(frame.width) / 2) * step + canvas.width / 2 - 0.5
  }

  private func row(_ y: Int) -> Double {
    (Double(y) + 0.5 - Double(frame.height) / 2) * step + canvas.height / 2 - 0.5
  }

  /// The frame's columns or rows that may show a range of the canvas's.
  private func shown(_ range: Range<Int>, middle: Double, count: Int, canvasCount: Int) -> Range<Int> {
    if bending != 0 { return 0..<count }
    let low = (Double(range.lowerBound) - 1 + 0.5 - middle) / step + Double(count) / 2 - 1
    let high = (Double(range.upperBound) + 1 + 0.5 - middle) / step + Double(count) / 2 + 1
    // What touches the canvas's edge goes on beyond it.
    let first = range.lowerBound <= 0 ? 0 : min(max(low, 0), Double(count))
    let last = range.upperBound >= canvasCount ? Double(count) : min(max(high, first), Double(count))
    return Int(first)..<Int(last)
  }

  // MARK: Layers

  private func lay(
    _ part: Part, rows: Range<Int>, over colors: UnsafeMutablePointer<SIMD4<Float>>, stride: Int
  ) {
    let size = canvas.size
    let reach = part.blur.reach
    let own = shown(
      part.raster.columns, middle: canvas.width / 2, count: frame.width, canvasCount: size.width)
    let ownRows = shown(
      part.raster.rows, middle: canvas.height / 2, count: frame.height, canvasCount: size.height)
    let columns = max(own.lowerBound - reach, 0)..<min(own.upperBound + reach, frame.width)
    let touched =
      max(
        ownRows.lowerBound - reach, rows.lowerBound)..<max(
        min(ownRows.upperBound + reach, rows.upperBound), max(ownRows.lowerBound - reach, rows.lowerBound))
    guard !columns.isEmpty, !touched.isEmpty else { return }
    var sampler = LayerSampler(part: part, columns: columns, reach: reach, frame: frame)
    defer { sampler.free() }
    if reach == 0 {
      for y in touched {
        let line = sample(y, &sampler)
        painting_lay(line, colors + (y - rows.lowerBound) * stride + columns.lowerBound, columns.count)
      }
    } else {
      layBlurred(part, &sampler, columns: columns, touched: touched, reach: reach) { y, line in
        painting_lay(line, colors + (y - rows.lowerBound) * stride + columns.lowerBound, columns.count)
      }
    }
  }

  /// Blurs rows along x as they come, and sums them up along y.
  private func layBlurred(
    _ part: Part, _ sampler: inout LayerSampler, columns: Range<Int>, touched: Range<Int>, reach: Int,
    each: (Int, UnsafeMutablePointer<SIMD4<Float>>) -> Void
  ) {
    let count = columns.count
    let kept = 2 * reach + 1
    let lines = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: (kept + 2) * count)
    defer { lines.deallocate() }
    let sum = lines + kept * count
    let result = sum + count
    memset(sum, 0, count * MemoryLayout<SIMD4<Float>>.stride)
    let whole = part.blur.whole
    func line(_ y: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
      lines + ((y % kept + kept) % kept) * count
    }
    func fill(_ y: Int) {
      let source = sample(y, &sampler)
      part.blur.apply(source, count: count, into: line(y))
    }
    for y in touched.lowerBound - reach..<touched.lowerBound + reach { fill(y) }
    for y in touched.lowerBound - whole..<touched.lowerBound + whole { painting_add(sum, line(y), count) }
    for y in touched {
      fill(y + reach)
      painting_blur_rows(
        sum, line(y + whole), line(y - reach), line(y + reach), part.blur.part, part.blur.scale, result, count
      )
      each(y, result)
      painting_subtract(sum, line(y - whole), count)
    }
  }

  /// The layer's row `y` of the frame, from `reach` before the sampler's first column to `reach` after its last.
  private func sample(_ y: Int, _ sampler: inout LayerSampler) -> UnsafeMutablePointer<SIMD4<Float>> {
    let y = min(max(y, 0), frame.height - 1)
    if bending != 0 { return sampleBent(y, &sampler) }
    let first = column(sampler.columns.lowerBound)
    return sampler.line(row: row(y), firstColumn: first, step: step)
  }

  private func sampleBent(_ y: Int, _ sampler: inout LayerSampler) -> UnsafeMutablePointer<SIMD4<Float>> {
    let half = Double(frame.width) / 2
    let aspect = Double(frame.height) / Double(frame.width)
    let corner = 1 + bending * (1 + aspect * aspect)
    let dy = (Double(y) + 0.5 - Double(frame.height) / 2) / crop
    return sampler.line(
      painting_bend(
        half_width: half, dy: dy, crop: crop, bending: bending, corner: corner, scale: canvas.scale,
        canvas_width: canvas.width, canvas_height: canvas.height))
  }
}
