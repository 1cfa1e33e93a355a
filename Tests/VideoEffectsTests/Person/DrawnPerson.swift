import CoreVideo
import FoundationExtras
import SeededNumbers
import VideoEffects

/// A colour in levels.
struct YCbCr: Hashable {
  var y: UInt8
  var cb: UInt8
  var cr: UInt8

  static let gray = YCbCr(y: 120, cb: 128, cr: 128)
  static let red = YCbCr(y: 80, cb: 90, cr: 220)
  static let green = YCbCr(y: 140, cb: 60, cr: 50)
  static let blue = YCbCr(y: 60, cb: 220, cr: 100)
}

/// A head and shoulders with a hard edge, whose mask is known exactly.
struct DrawnPerson {
  var width = 640
  var height = 360
  var format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  var person = YCbCr.red
  var background = YCbCr.gray
  /// Pixels that the person has moved to the right.
  var shift = 0

  /// The columns of a row that are the person.
  func span(_ y: Int) -> Range<Int>? {
    let (middle, tall) = (Double(width) / 2 + Double(shift), Double(height))
    let down = (Double(y) + 0.5) / tall
    let head = (down - 0.42) / 0.26
    var half = head * head < 1 ? 0.19 * tall * (1 - head * head).squareRoot() : 0
    if down > 0.62 { half = max(half, min(0.55, 0.12 + 2 * (down - 0.62)) * tall) }
    guard half >= 1 else { return nil }
    return max(0, Int(middle - half))..<min(width, Int(middle + half))
  }

  func isPerson(_ x: Int, _ y: Int) -> Bool { span(y)?.contains(x) ?? false }

  /// The picture; noise as even as a camera's is not, of up to so many levels either way.
  func picture(noise: Int = 0, _ numbers: inout SeededGenerator) throws -> CVPixelBuffer {
    let pixels = try picture()
    guard noise > 0 else { return pixels }
    CVPixelBufferLockBaseAddress(pixels, [])
    defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
    for plane in pixels.planes {
      for y in 0..<plane.height {
        let row = plane.row(y)
        numbers.add(
          noise, to: UnsafeMutableRawBufferPointer(rebasing: row[..<min(row.count, 2 * ((width + 1) / 2))]))
      }
    }
    return pixels
  }

  func picture() throws -> CVPixelBuffer {
    let pixels = try CVPixelBuffer(format: format, width: width, height: height, attributes: [:])
    CVPixelBufferLockBaseAddress(pixels, [])
    defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
    for y in 0..<height {
      let row = pixels.planes[0].row(y)
      UnsafeMutableRawBufferPointer(rebasing: row[..<width]).initializeMemory(
        as: UInt8.self, repeating: background.y)
      if let span = span(y) {
        UnsafeMutableRawBufferPointer(rebasing: row[span]).initializeMemory(
          as: UInt8.self, repeating: person.y)
      }
    }
    for y in 0..<(height + 1) / 2 {
      let row = pixels.planes[1].row(y)
      let span = span(2 * y) ?? 0..<0
      for x in 0..<(width + 1) / 2 {
        let color = span.contains(2 * x) ? person : background
        (row[2 * x], row[2 * x + 1]) = (color.cb, color.cr)
      }
    }
    return pixels
  }

  /// What a model would say: few pixels, and a soft edge.
  func coarse(width columns: Int = 128, height rows: Int = 72) -> PersonMask {
    var exact = [Double](repeating: 0, count: columns * rows)
    for y in 0..<rows {
      for x in 0..<columns {
        exact[y * columns + x] =
          isPerson((2 * x + 1) * width / (2 * columns), (2 * y + 1) * height / (2 * rows)) ? 1 : 0
      }
    }
    let soft = (0..<columns * rows).map { place -> UInt8 in
      var (sum, count) = (0.0, 0.0)
      for y in max(0, place / columns - 1)...min(rows - 1, place / columns + 1) {
        for x in max(0, place % columns - 1)...min(columns - 1, place % columns + 1) {
          (sum, count) = (sum + exact[y * columns + x], count + 1)
        }
      }
      return UInt8(sum / count * 255)
    }
    return PersonMask(width: columns, height: rows, alpha: soft)
  }

  /// The exact mask.
  func exact() -> PersonMask {
    var alpha = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height { for x in span(y) ?? 0..<0 { alpha[y * width + x] = 255 } }
    return PersonMask(width: width, height: height, alpha: alpha)
  }

  /// The exact mask, for effects.
  func refined() -> RefinedMask { RefinedMask(exact(), width: width, height: height) }

  /// An empty picture of the same kind.
  func target() throws -> CVPixelBuffer {
    try CVPixelBuffer(format: format, width: width, height: height, attributes: [:])
  }
}

extension SeededGenerator {
  fileprivate mutating func add(_ most: Int, to bytes: UnsafeMutableRawBufferPointer) {
    for index in bytes.indices {
      // The sum of two even numbers: most are small.
      let number = next()
      let noise = Int(number % UInt64(most + 1)) + Int((number >> 32) % UInt64(most + 1)) - most
      bytes[index] = UInt8(min(255, max(0, Int(bytes[index]) + noise)))
    }
  }
}

/// The pixels of a 420 picture.
struct Pixels: Hashable {
  let width: Int
  let height: Int
  let luma: [UInt8]
  let chroma: [UInt8]

  init(_ pixels: CVPixelBuffer) {
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
    (self.width, self.height) = (width, height)
    luma = (0..<height).flatMap { Array(pixels.planes[0].row($0)[..<width]) }
    chroma = (0..<(height + 1) / 2).flatMap { Array(pixels.planes[1].row($0)[..<((width + 1) / 2 * 2)]) }
  }

  subscript(_ x: Int, _ y: Int) -> YCbCr {
    let pair = (y / 2) * ((width + 1) / 2) + x / 2
    return YCbCr(y: luma[y * width + x], cb: chroma[2 * pair], cr: chroma[2 * pair + 1])
  }
}
