internal import CoreVideo
internal import FoundationExtras

/// Finds where the camera is swung, as when a phone goes to a pocket or a hand lets it sink; a plain value.
///
/// The brightness of each picture is summed along columns and rows of a coarse grid; the shift at which the sums fit those of the picture
/// before is how far the whole view has moved. What moves in front of the camera shifts a part of the sums, and is no swing. Costs some
/// twelve thousand reads for each picture.
struct CameraSwing {
  /// Widths of the view in a second from which on it is a swing.
  static let limit = 1.0
  private static let columns = 128
  private static let rows = 96
  /// Half of the view is the farthest shift that is looked for, of a quarter on either side.
  private static let farthest = 0.25
  /// Levels of 256 by which sums differ that show something else.
  private static let strange: Float = 12
  /// Levels below which there is nothing to follow.
  private static let still: Float = 1.5

  private struct Sums {
    var columns: [Float]
    var rows: [Float]
  }

  private var last: (sums: Sums, time: Int64)?
  private var wasFast = false

  /// Notes the next picture.
  ///
  /// - Returns: Whether the camera is swung: fast for the second time in a row, for light that changes looks fast once. `false` for pixel
  ///   formats that are not looked into.
  mutating func note(_ picture: CVPixelBuffer, at time: Int64) -> Bool {
    guard let sums = Self.sums(of: picture) else { return false }
    defer { last = (sums, time) }
    guard let last, time > last.time else { return false }
    let seconds = Double(time - last.time) / 1e9
    let x = Self.shift(from: last.sums.columns, to: sums.columns)
    let y = Self.shift(from: last.sums.rows, to: sums.rows)
    let isFast: Bool
    if let x, let y {
      isFast = (x * x + y * y).squareRoot() / seconds > Self.limit
    } else {
      isFast = true
    }
    defer { wasFast = isFast }
    return isFast && wasFast
  }

  /// The shares of a side by which the second sums are shifted against the first; `nil` when they do not fit anywhere.
  private static func shift(from first: [Float], to second: [Float]) -> Double? {
    let count = first.count
    let farthest = Int(Double(count) * farthest)
    func difference(_ shift: Int) -> Float {
      var sum: Float = 0
      for index in max(0, -shift)..<min(count, count - shift) {
        sum += abs(first[index] - second[index + shift])
      }
      return sum / Float(count - abs(shift))
    }
    let unmoved = difference(0)
    if unmoved < still { return 0 }
    var best = (shift: 0, difference: unmoved)
    for distance in 1...farthest {
      for shift in [distance, -distance] {
        let found = difference(shift)
        if found < best.difference { best = (shift, found) }
      }
    }
    if best.difference > strange { return nil }
    // A fit that is hardly better is chance.
    return best.difference < unmoved * 0.8 ? Double(best.shift) / Double(count) : 0
  }

  /// The sums of a picture, each an average without that of the whole: light that changes everywhere alike is no motion.
  private static func sums(of picture: CVPixelBuffer) -> Sums? {
    guard let place = luma(CVPixelBufferGetPixelFormatType(picture)) else { return nil }
    let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
    guard width >= columns, height >= rows else { return nil }
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    let plane = picture.planes[0]
    var sums = Sums(
      columns: Array(repeating: 0, count: columns), rows: Array(repeating: 0, count: rows))
    for y in 0..<rows {
      let row = plane.row((2 * y + 1) * height / (2 * rows))
      for x in 0..<columns {
        let level = Float(row[(2 * x + 1) * width / (2 * columns) * place.step + place.offset])
        sums.columns[x] += level
        sums.rows[y] += level
      }
    }
    let mean = sums.rows.reduce(0, +) / Float(columns * rows)
    for x in 0..<columns { sums.columns[x] = sums.columns[x] / Float(rows) - mean }
    for y in 0..<rows { sums.rows[y] = sums.rows[y] / Float(columns) - mean }
    return sums
  }

  /// The place of brightness, or of green, in the first plane: bytes from one pixel to the next, and to it.
  private static func luma(_ format: OSType) -> (step: Int, offset: Int)? {
    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
      kCVPixelFormatType_OneComponent8:
      (1, 0)
    case kCVPixelFormatType_422YpCbCr8_yuvs: (2, 0)
    case kCVPixelFormatType_422YpCbCr8: (2, 1)
    case kCVPixelFormatType_32BGRA: (4, 1)
    default: nil
    }
  }
}
