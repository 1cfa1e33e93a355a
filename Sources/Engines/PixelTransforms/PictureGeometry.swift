internal import CYUV

/// Turning, mirroring and scaling within one layout.
enum PictureGeometry {
  /// One plane of both pictures: samples of `bytes` bytes, each of `channels` numbers.
  private struct PlanePair: @unchecked Sendable {  // Safe as ``PixelView`` is: one strip, one thread.
    var source: PixelView.Plane
    var target: PixelView.Plane
    var sourceSize: PixelSize
    var targetSize: PixelSize
    var bytes: Int
    var channels: Int
  }

  private static func planes(_ source: PixelView, _ target: PixelView) -> [PlanePair] {
    let sourceChroma = PixelSize(width: source.chromaWidth, height: source.chromaHeight)
    let targetChroma = PixelSize(width: target.chromaWidth, height: target.chromaHeight)
    func pair(_ bytes: Int, _ channels: Int) -> PlanePair {
      PlanePair(
        source: source.plane0, target: target.plane0, sourceSize: source.size, targetSize: target.size,
        bytes: bytes, channels: channels)
    }
    func chroma(_ bytes: Int) -> PlanePair {
      PlanePair(
        source: source.plane1, target: target.plane1, sourceSize: sourceChroma, targetSize: targetChroma,
        bytes: bytes, channels: 2)
    }
    switch source.layout.kind {
    case .biplanar420: return [pair(1, 1), chroma(2)]
    case .biplanar420Deep: return [pair(2, 1), chroma(4)]
    case .rgb32: return [pair(4, 4)]
    case .gray: return [pair(1, 1)]
    case .grayDeep: return [pair(2, 1)]
    case .planar420, .packed422, .rgb24: return []
    }
  }

  /// Turns `source` into `target`, then mirrors; the target has the turned size.
  ///
  /// Lossless.
  ///
  /// With odd sizes the halved chroma planes are turned as they lie, so colour may shift by half a chroma sample.
  static func turn(
    _ source: PixelView, to target: PixelView, rotation: QuarterTurn, isMirrored: Bool, threads: Int
  ) {
    for plane in planes(source, target) {
      // Strips of target rows; for quarter turns they are strips of source columns.
      Tiles.forEachStrip(
        rows: plane.targetSize.height, pixels: target.width * target.height, multipleOf: 8, threads: threads
      ) { rows in
        turn(plane, rows: rows, rotation: rotation, isMirrored: isMirrored)
      }
    }
  }

  private static func turn(_ plane: PlanePair, rows: Range<Int>, rotation: QuarterTurn, isMirrored: Bool) {
    let target = plane.target.base + rows.lowerBound * plane.target.stride
    var base = plane.source.base
    var stride = plane.source.stride
    let width = plane.sourceSize.width
    let height = plane.sourceSize.height
    let bytes = Int32(plane.bytes)

    switch rotation {
    case .none, .half:
      // Half a turn is upside down and mirrored; either alone is a walk of the rows in one direction or the other.
      let isFlipped = rotation == .half
      let first = isFlipped ? height - 1 - rows.lowerBound : rows.lowerBound
      base += first * stride
      if isFlipped { stride = -stride }
      if isMirrored != isFlipped {
        for row in 0..<rows.count {
          _ = cam_libyuv_mirror(
            base + row * stride, plane.source.stride, target + row * plane.target.stride, plane.target.stride,
            Int32(width), 1, bytes)
        }
      } else {
        for row in 0..<rows.count {
          (target + row * plane.target.stride).update(from: base + row * stride, count: width * plane.bytes)
        }
      }
    case .clockwise90, .clockwise270:
      let isBack = rotation == .clockwise270
      let firstColumn = isBack ? width - rows.upperBound : rows.lowerBound
      base += firstColumn * plane.bytes
      if isMirrored {
        // A turned mirror image is the turn of the picture upside down.
        base += (height - 1) * stride
        stride = -stride
      }
      _ = cam_libyuv_rotate(
        base, stride, target, plane.target.stride, Int32(rows.count), Int32(height), bytes,
        Int32(rotation.rawValue))
    }
  }

  /// Scales `source` to the size of `target`: down by the exact box, up between neighbours; centres stay centres.
  static func scale(_ source: PixelView, to target: PixelView, threads: Int) {
    for plane in planes(source, target) {
      let columns = FilterTable(
        from: plane.sourceSize.width, to: plane.targetSize.width, sum: 16384, multiple: 4)
      let rows = FilterTable(from: plane.sourceSize.height, to: plane.targetSize.height, sum: 256)
      Tiles.forEachStrip(
        rows: plane.targetSize.height,
        pixels: max(source.width * source.height, target.width * target.height),
        multipleOf: 1, threads: threads
      ) { strip in
        scale(plane, rows: strip, columnTable: columns, rowTable: rows)
      }
    }
  }

  /// Scales `source` by filters of its own into `target`; layouts of one plane only.
  static func scale(
    _ source: PixelView, to target: PixelView, columns: FilterTable, rows: FilterTable, threads: Int
  ) {
    for plane in planes(source, target) {
      Tiles.forEachStrip(
        rows: plane.targetSize.height, pixels: target.width * target.height, multipleOf: 1, threads: threads
      ) { strip in
        scale(plane, rows: strip, columnTable: columns, rowTable: rows)
      }
    }
  }

  /// Whether pictures of this layout are scaled plane by plane.
  static func scales(_ kind: PixelLayout.Kind) -> Bool {
    switch kind {
    case .biplanar420, .biplanar420Deep, .rgb32, .gray, .grayDeep: true
    case .planar420, .packed422, .rgb24: false
    }
  }

  /// Scales a part of `source`, which need not lie on whole pixels, to the size of `target`; for layouts that ``scales(_:)`` names.
  static func show(_ part: PixelPlace, of source: PixelView, in target: PixelView, threads: Int) {
    let across = part.width / Double(target.width), down = part.height / Double(target.height)
    for plane in planes(source, target) {
      // Samples of chroma are twice as wide, and there are half as many: a step is as many of them.
      let share = plane.source.base == source.plane0.base ? 1.0 : 0.5
      let columns = FilterTable.showing(
        plane.sourceSize.width, in: plane.targetSize.width, origin: part.x * share, step: across,
        sum: 16384, multiple: 4)
      let rows = FilterTable.showing(
        plane.sourceSize.height, in: plane.targetSize.height, origin: part.y * share, step: down,
        sum: 256)
      Tiles.forEachStrip(
        rows: plane.targetSize.height, pixels: target.width * target.height, multipleOf: 1, threads: threads
      ) { strip in
        scale(plane, rows: strip, columnTable: columns, rowTable: rows)
      }
    }
  }

  private static func scale(
    _ plane: PlanePair, rows: Range<Int>, columnTable: FilterTable, rowTable: FilterTable
  ) {
    let count = (plane.sourceSize.width + 4) * plane.channels
    let isDeep = plane.bytes == 2 * plane.channels
    withUnsafeTemporaryAllocation(byteCount: count * 4 + 64, alignment: 64) { scratch in
      guard let sums = scratch.baseAddress else { return }
      if isDeep {
        cam_scale_rows_16(
          UnsafeRawPointer(plane.source.base).assumingMemoryBound(to: UInt16.self), plane.source.stride,
          Int32(plane.sourceSize.width),
          UnsafeMutableRawPointer(plane.target.base).assumingMemoryBound(to: UInt16.self),
          plane.target.stride,
          Int32(plane.targetSize.width), Int32(rows.lowerBound), Int32(rows.upperBound),
          Int32(plane.channels),
          columnTable.taps, columnTable.weights, rowTable.taps, rowTable.weights,
          sums.assumingMemoryBound(to: UInt32.self))
      } else {
        cam_scale_rows_8(
          plane.source.base, plane.source.stride, Int32(plane.sourceSize.width), plane.target.base,
          plane.target.stride, Int32(plane.targetSize.width), Int32(rows.lowerBound), Int32(rows.upperBound),
          Int32(plane.channels), columnTable.taps, columnTable.weights, rowTable.taps, rowTable.weights,
          sums.assumingMemoryBound(to: UInt16.self))
      }
    }
  }
}

/// For each sample of the output, the samples of the input it is made of and their weights.
struct FilterTable: @unchecked Sendable {  // Safe because C's tap is a plain value and nothing changes.
  let taps: [cam_filter_tap]
  let weights: [UInt16]

  /// The filter from `source` samples to `target`; each output's weights sum to exactly `sum`.
  ///
  /// - Parameter multiple: What the number of taps of each output is a multiple of; the last ones then weigh nothing
  ///   and may lie past the end.
  init(from source: Int, to target: Int, sum: Int, multiple: Int = 1) {
    self.init(to: target, sum: sum, multiple: multiple) { index in
      target < source
        ? FilterTable.box(index, from: source, to: target)
        : FilterTable.between((Double(index) + 0.5) * Double(source) / Double(target) - 0.5, from: source)
    }
  }

  /// The filter to `target` samples of which each is `step` source samples wide, the first from `origin` on.
  ///
  /// Beyond its ends the source goes on as it ends.
  init(from source: Int, to target: Int, origin: Double, step: Double, sum: Int, multiple: Int = 1) {
    self.init(to: target, sum: sum, multiple: multiple) { index in
      let start = origin + Double(index) * step
      return step > 1
        ? FilterTable.box(from: start, to: start + step, of: source)
        : FilterTable.between(start + step / 2 - 0.5, from: source)
    }
  }

  /// The same; where the source is enlarged made without memory for each sample, for tables that are new for every picture.
  static func showing(
    _ source: Int, in target: Int, origin: Double, step: Double, sum: Int, multiple: Int = 1
  ) -> FilterTable {
    guard step <= 1, source > 1 else {
      return FilterTable(
        from: source, to: target, origin: origin, step: step, sum: sum, multiple: multiple)
    }
    let count = (2 + multiple - 1) / multiple * multiple
    var taps: [cam_filter_tap] = []
    var weights = [UInt16](repeating: 0, count: count * target)
    taps.reserveCapacity(target)
    for index in 0..<target {
      let center = min(max(origin + (Double(index) + 0.5) * step - 0.5, 0), Double(source - 1))
      let first = min(Int(center), source - 2)
      let second = UInt16(((center - Double(first)) * Double(sum)).rounded())
      taps.append(cam_filter_tap(first: Int32(first), count: Int32(count), offset: Int32(count * index)))
      weights[count * index] = UInt16(sum) - second
      weights[count * index + 1] = second
    }
    return FilterTable(taps: taps, weights: weights)
  }

  private init(taps: [cam_filter_tap], weights: [UInt16]) {
    self.taps = taps
    self.weights = weights
  }

  private init(to target: Int, sum: Int, multiple: Int, _ sharesOf: (Int) -> (Int, [Double])) {
    var taps: [cam_filter_tap] = []
    var weights: [UInt16] = []
    taps.reserveCapacity(target)
    for index in 0..<target {
      let (first, shares) = sharesOf(index)
      let count = (shares.count + multiple - 1) / multiple * multiple
      taps.append(cam_filter_tap(first: Int32(first), count: Int32(count), offset: Int32(weights.count)))
      weights.append(contentsOf: FilterTable.quantized(shares, sum: sum))
      weights.append(contentsOf: repeatElement(0, count: count - shares.count))
    }
    self.taps = taps
    self.weights = weights
  }

  /// The share of each input sample in the output's interval.
  private static func box(_ index: Int, from source: Int, to target: Int) -> (Int, [Double]) {
    // In units of 1/target input samples everything is whole, so equal tiles get equal weights.
    let start = index * source
    let end = start + source
    let first = start / target
    let last = (end - 1) / target
    let shares = (first...last).map { sample in
      Double(min(end, (sample + 1) * target) - max(start, sample * target)) / Double(source)
    }
    return (first, shares)
  }

  /// The share of each input sample in an interval that need not begin or end with one.
  private static func box(from start: Double, to end: Double, of source: Int) -> (Int, [Double]) {
    let start = max(start, 0), end = min(end, Double(source))
    guard end - start > 1e-9 else { return (start <= 0 ? 0 : source - 1, [1]) }
    let first = min(Int(start), source - 1), last = min(Int(end.rounded(.up)) - 1, source - 1)
    let shares = (first...max(first, last)).map { sample in
      max(0, min(end, Double(sample + 1)) - max(start, Double(sample))) / (end - start)
    }
    return (first, shares)
  }

  /// The two inputs around the output's centre; at the edges the outermost one alone.
  private static func between(_ center: Double, from source: Int) -> (Int, [Double]) {
    let lower = center.rounded(.down)
    let share = center - lower
    if lower < 0 { return (0, [1]) }
    guard lower < Double(source) else { return (source - 1, [1]) }
    let first = Int(lower)
    if first >= source - 1 || share == 0 { return (min(first, source - 1), [1]) }
    return (first, [1 - share, share])
  }

  /// Whole weights whose running sum is never off by more than a half.
  private static func quantized(_ shares: [Double], sum: Int) -> [UInt16] {
    var done = 0
    var exact = 0.0
    return shares.enumerated().map { index, share in
      exact += share * Double(sum)
      let upTo = index == shares.count - 1 ? sum : Int(exact.rounded())
      defer { done = upTo }
      return UInt16(upTo - done)
    }
  }
}
