public import CoreVideo
internal import FoundationExtras

/// A rectangle that need not lie on whole pixels; the origin is the top left corner, a pixel's middle is at its half.
public struct PixelPlace: Sendable, Hashable {
  /// The left edge, in pixels.
  public var x: Double
  /// The upper edge, in pixels.
  public var y: Double
  /// Pixels from left to right.
  public var width: Double
  /// Pixels from top to bottom.
  public var height: Double

  /// The rectangle with its top left corner at (`x`, `y`).
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension PixelTransformer {
  /// Draws `source`, turned and then mirrored, so that it covers `place` of `target`; the rest of the target becomes black.
  ///
  /// Exact to a fraction of a pixel, unlike ``ScalingRule``, whose cuts and bars lie on whole pixels. The place may reach beyond
  /// the target. Shrinks by the exact box, enlarges between neighbours.
  ///
  /// Cost: a pass over the source as BGRA, and one over the target; where the place is the whole of a smaller target, a pass over
  /// the source as it is, and two over the target.
  /// - Parameter target: BGRA.
  /// - Throws: ``PixelTransformError``; `destinationUnsuitable` when `target` is not BGRA, or `place` has no size.
  public func draw(
    _ source: CVPixelBuffer, rotation: QuarterTurn = .none, isMirrored: Bool = false, over place: PixelPlace,
    of target: CVPixelBuffer
  ) throws {
    let format = CVPixelBufferGetPixelFormatType(source)
    guard let layout = PixelLayout(format) else { throw PixelTransformError.formatUnsupported(format) }
    guard CVPixelBufferGetPixelFormatType(target) == kCVPixelFormatType_32BGRA, place.width > 0,
      place.height > 0, target !== source, let targetLayout = PixelLayout(kCVPixelFormatType_32BGRA)
    else { throw PixelTransformError.destinationUnsuitable }
    try withLockedViews(source, layout, target, targetLayout) { view, canvas in
      let size = rotation.isTransposing ? view.size.transposed : view.size
      let matrix = layout.isYCbCr ? YCbCrMatrix(of: source) : .bt601
      let turning = FrameTransform(rotation: rotation, isMirrored: isMirrored)
      return try draw(
        view, encoding: YCbCrEncoding(matrix: matrix, isFullRange: layout.isFullRange), turning, size: size,
        over: place, of: canvas)
    }
  }

  private func draw(
    _ source: PixelView, encoding: YCbCrEncoding, _ turning: FrameTransform, size: PixelSize,
    over place: PixelPlace, of canvas: PixelView
  ) throws -> Int {
    if place == PixelPlace(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height)),
      size.width >= canvas.width, size.height >= canvas.height
    {
      // Before it is converted a picture has fewer bytes to be scaled, and after that fewer pixels to be converted.
      return try run(
        turning, sourceEncoding: encoding,
        targetEncoding: YCbCrEncoding(matrix: encoding.matrix, isFullRange: true)
      ).write(source, to: canvas)
    }
    let columns = DrawnRange(source: size.width, start: place.x, length: place.width, target: canvas.width)
    let rows = DrawnRange(source: size.height, start: place.y, length: place.height, target: canvas.height)
    let kind = PixelLayout.Kind.rgb32(.bgra)
    return try lend(PixelView.bytes(kind, size: size)) { memory in
      let turned = PixelView(kind, isFullRange: true, size: size, memory: memory)
      let bytes = try run(
        turning, sourceEncoding: encoding,
        targetEncoding: YCbCrEncoding(matrix: encoding.matrix, isFullRange: true)
      ).write(source, to: turned)
      PictureGeometry.scale(
        turned, to: canvas, columns: columns.filter(sum: 16384, multiple: 4), rows: rows.filter(sum: 256),
        threads: threads)
      canvas.blacken(outside: columns.covered, rows.covered)
      return bytes + canvas.byteCount
    }
  }
}

/// One axis of a picture that is drawn over a range of a target.
private struct DrawnRange {
  let source: Int
  let target: Int
  /// The source position of the target's first edge.
  let origin: Double
  /// Source samples for each target pixel.
  let step: Double

  init(source: Int, start: Double, length: Double, target: Int) {
    self.source = source
    self.target = target
    step = Double(source) / length
    origin = -start * step
  }

  /// The target pixels whose middles the picture covers.
  var covered: Range<Int> {
    let first = (-origin / step - 0.5).rounded(.up)
    let end = ((Double(source) - origin) / step - 0.5).rounded(.up)
    let lower = Int(min(max(first, 0), Double(target)))
    return lower..<max(lower, Int(min(max(end, 0), Double(target))))
  }

  func filter(sum: Int, multiple: Int = 1) -> FilterTable {
    FilterTable(from: source, to: target, origin: origin, step: step, sum: sum, multiple: multiple)
  }
}

extension PixelView {
  /// Makes every BGRA pixel outside of the given columns and rows black.
  fileprivate func blacken(outside columns: Range<Int>, _ rows: Range<Int>) {
    let black: UInt32 = 0xFF00_0000
    for y in 0..<height {
      let row = UnsafeMutableRawPointer(plane0.base + y * plane0.stride)
        .assumingMemoryBound(to: UInt32.self)
      if rows.contains(y) {
        row.update(repeating: black.littleEndian, count: columns.lowerBound)
        (row + columns.upperBound).update(repeating: black.littleEndian, count: width - columns.upperBound)
      } else {
        row.update(repeating: black.littleEndian, count: width)
      }
    }
  }
}
