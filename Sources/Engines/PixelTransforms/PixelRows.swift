internal import CPixels

/// Loops over rows of pixels of four 32-bit numbers: what filters and blurs are made of.
///
/// A row is `count` pixels from a pointer on, changed in place unless a result is named. Pure, and the same bits on every processor:
/// each pixel depends on its own and its neighbours' numbers alone, so that a picture may be cut into parts in any way.
public enum PixelRows {
  /// The first of a row's pixels.
  public typealias Row = UnsafeMutablePointer<SIMD4<Float>>

  // MARK: Colours

  /// Multiplies each pixel by a matrix, given by its columns, and adds the fifth.
  public static func multiply(
    _ row: Row, _ count: Int,
    by matrix: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  ) {
    withUnsafeBytes(of: matrix) { matrix in
      guard let matrix = matrix.baseAddress else { return }
      pixels_affine(floats(row), count, matrix.assumingMemoryBound(to: Float.self))
    }
  }

  /// The least alpha that counts as 1: what weights that add up to 1 make of it.
  public static let opaque = PIXELS_OPAQUE

  /// Where a curve's lines meet, from 0 to 4, and as far below 0.
  ///
  /// They are as close as numbers are to each other, where light is dark and eyes are sharp: below 2⁻²⁰ lies one line, above it
  /// 128 lie up to twice a number.
  public static let curvePlaces: [Float] = (0...Int(PIXELS_CURVE_LINES)).map { place in
    place == 0
      ? 0 : Float(bitPattern: UInt32(place + Int(PIXELS_CURVE_FIRST)) << UInt32(PIXELS_CURVE_SHIFT))
  }

  /// A curve's table: of each line its value at 0, continued, and its slope.
  ///
  /// - Parameters:
  ///   - above: The curve's values at ``curvePlaces``.
  ///   - below: Its values as far below 0.
  public static func curveTable(above: [Float], below: [Float]) -> [SIMD2<Float>] {
    func lines(_ values: [Float], _ sign: Double) -> [SIMD2<Float>] {
      (1..<curvePlaces.count).map { index in
        let (start, end) = (sign * Double(curvePlaces[index - 1]), sign * Double(curvePlaces[index]))
        let slope = (Double(values[index]) - Double(values[index - 1])) / (end - start)
        return SIMD2(Float(Double(values[index - 1]) - slope * start), Float(slope))
      }
    }
    return lines(above, 1) + lines(below, -1)
  }

  /// Puts a curve for each colour in place of each value, by straight lines between ``curvePlaces``; alpha stays.
  ///
  /// - Parameters:
  ///   - tables: ``curveTable(above:below:)`` of red, green and blue, which may be one.
  /// - Returns: How many pixels were done before one with a value of 4 and more, up or down, or that is no number.
  public static func lookUp(
    _ row: Row, _ count: Int,
    in tables: (UnsafePointer<SIMD2<Float>>, UnsafePointer<SIMD2<Float>>, UnsafePointer<SIMD2<Float>>)
  ) -> Int {
    pixels_curves(floats(row), count, floats(tables.0), floats(tables.1), floats(tables.2))
  }

  /// Puts a curve in place of each value of gray pixels, whose colours are equal: one is looked up for all three.
  ///
  /// - Parameters:
  ///   - table: ``curveTable(above:below:)`` of every colour.
  /// - Returns: How many pixels were done before one with a value of 4 and more, up or down, or that is no number.
  public static func lookUp(ofGray row: Row, _ count: Int, in table: UnsafePointer<SIMD2<Float>>) -> Int {
    pixels_gray_curve(floats(row), count, floats(table))
  }

  /// Goes `share` of the way from each colour to the other row's; alpha stays.
  public static func move(_ row: Row, _ count: Int, towards other: Row, by share: Float) {
    pixels_towards(floats(row), floats(other), share, count)
  }

  /// Whether no pixel's alpha is below ``opaque``.
  public static func areOpaque(_ row: Row, _ count: Int) -> Bool {
    pixels_are_opaque(floats(row), count) != 0
  }

  /// Puts the colour of a table of three dimensions in place of each colour, linear between its places; alpha is multiplied.
  ///
  /// - Parameters:
  ///   - table: `dimension`³ colours for 0 to 1, red first.
  ///   - extrapolates: Whether colours beyond the table go on as its outermost cells do, instead of taking its edge.
  public static func lookUp(
    _ row: Row, _ count: Int, inCube table: UnsafePointer<SIMD4<Float>>, dimension: Int, extrapolates: Bool
  ) {
    pixels_cube(
      floats(row), count, UnsafeRawPointer(table).assumingMemoryBound(to: Float.self), Int32(dimension),
      extrapolates ? 1 : 0)
  }

  // MARK: Bytes

  /// Makes opaque pixels of four bytes each: red at `red` (0 or 2), green second, alpha last.
  ///
  /// - Parameters:
  ///   - ignoresAlpha: Whether all of them are opaque, whatever the fourth byte is.
  ///   - table: The number of each byte.
  /// - Returns: How many pixels were done before one that is not opaque.
  public static func read(
    _ bytes: UnsafePointer<UInt8>, red: Int, ignoresAlpha: Bool, by table: UnsafePointer<Float>,
    into row: Row, _ count: Int
  ) -> Int {
    pixels_read(bytes, Int32(red), ignoresAlpha ? 255 : 0, table, floats(row), count)
  }

  /// Makes four bytes of each opaque pixel.
  ///
  /// - Parameters:
  ///   - table: A byte for each 1/65535 of 0 to 1; values beyond take its ends.
  ///   - order: The places of red, green, blue and alpha.
  /// - Returns: How many pixels were done before one that is not opaque.
  public static func write(
    _ row: Row, _ count: Int, by table: UnsafePointer<UInt8>, order: SIMD4<Int32>,
    into bytes: UnsafeMutablePointer<UInt8>
  ) -> Int {
    withUnsafeBytes(of: order) { order in
      order.baseAddress.map {
        pixels_write(floats(row), table, $0.assumingMemoryBound(to: Int32.self), bytes, count)
      } ?? 0
    }
  }

  // MARK: Blurs

  // Half of a picture has pixel i where the whole has 2i and 2i + 1. Halving weighs four pixels by 1, 3, 3 and 1, and doubling takes
  // three quarters of the nearer pixel: binomial kernels of variance 3/4 each, which let patterns too fine for the smaller picture
  // through only where they hardly vary (Burt and Adelson 1983).

  /// The variance that halving and doubling a picture `times` times adds, in pixels of the whole picture.
  public static func variance(halvings times: Int) -> Double { 0.5 * Double((1 << (2 * times)) - 1) }

  /// One row of the half from four of the whole: those at 2y - 1 to 2y + 2.
  public static func halve(_ rows: (Row, Row, Row, Row), into result: Row, count: Int) {
    pixels_halve_rows(
      floats(rows.0), floats(rows.1), floats(rows.2), floats(rows.3), floats(result), count)
  }

  /// Pixels of a row of the half; `row` begins at 2x - 1 of the first of them.
  public static func halve(_ row: Row, into result: Row, count: Int) {
    pixels_halve(floats(row), floats(result), count)
  }

  /// One row between two, the first of which is nearer.
  public static func double(_ near: Row, _ far: Row, into result: Row, count: Int) {
    pixels_double_rows(floats(near), floats(far), floats(result), count)
  }

  /// `count` pairs of pixels of a row of the whole from pixels of the half, of which there is one more on each side.
  public static func double(_ row: Row, into result: Row, count: Int) {
    pixels_double(floats(row), floats(result), count)
  }

  /// The mean of each pixel's neighbourhood, by weights from the middle outwards.
  ///
  /// - Parameters:
  ///   - row: The first pixel's; neighbours lie before it and after the last.
  ///   - step: From one neighbour to the next, in pixels: 1 along a row, a row's length across rows.
  public static func mean(
    of row: Row, step: Int, weights: UnsafeBufferPointer<Float>, into result: Row, count: Int
  ) {
    guard let base = weights.baseAddress else { return }
    pixels_mean(floats(row), step, base, weights.count - 1, floats(result), count)
  }

  @inline(__always)
  private static func floats(_ row: Row) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(row).assumingMemoryBound(to: Float.self)
  }

  @inline(__always)
  private static func floats(_ table: UnsafePointer<SIMD2<Float>>) -> UnsafePointer<Float> {
    UnsafeRawPointer(table).assumingMemoryBound(to: Float.self)
  }
}
