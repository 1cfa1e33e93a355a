public import CoreVideo
internal import Foundation

/// The frame number that a stamped scene writes into every picture.
///
/// Along the top edge of the sensor image runs a strip, 1/40 of the height, of 40 equal cells, white (luma 235) for 1
/// and black (luma 16) for 0: `1010`, the 32 bits of the sequence number, most significant first, and the XOR of its
/// eight nibbles. It is drawn after noise, before rotation, mirroring and compression.
public enum FrameStamp {
  /// Cells along the strip.
  static let cellCount = 40
  private static let mark: UInt64 = 0b1010

  /// The strip's height in a picture of `height` rows.
  static func rows(height: Int) -> Int { max((height + 20) / 40, 1) }

  /// The 40 cells of a number, the leftmost in the highest bit.
  static func cells(of number: UInt32) -> UInt64 {
    mark << 36 | UInt64(number) << 4 | UInt64(check(number))
  }

  private static func check(_ number: UInt32) -> UInt32 {
    stride(from: 0, to: 32, by: 4).reduce(0) { $0 ^ (number >> UInt32($1) & 0xF) }
  }

  /// Reads the number out of a picture in sensor orientation: upright for the strip, at the top edge.
  ///
  /// Takes the mean luma of each cell's middle, so compression, scaling and noise do no harm; the level between black
  /// and white follows from the picture. Reads a few thousand bytes.
  ///
  /// - Parameter picture: In any format with a plane of 8-bit luma first, or 8-bit BGRA, ARGB, RGBA, `yuvs` or `2vuy`.
  /// - Returns: `nil` when there is no stamp: no mark, a cell neither black nor white, or a wrong check.
  public static func read(from picture: CVPixelBuffer) -> UInt32? {
    guard let luma = LumaReader(picture) else { return nil }
    let width = picture.width
    let height = picture.height
    guard width >= cellCount, height >= 2 else { return nil }
    let strip = Double(height) / 40
    let firstRow = Int(strip * 0.25)
    let lastRow = max(Int(strip * 0.75), firstRow + 1)
    let means = (0..<cellCount).map { cell -> Double in
      let left = Double(cell * width) / Double(cellCount)
      let cellWidth = Double(width) / Double(cellCount)
      let first = Int(left + cellWidth * 0.3)
      let last = max(Int(left + cellWidth * 0.7), first + 1)
      var sum = 0
      for row in firstRow..<min(lastRow, height) {
        for column in first..<min(last, width) { sum += luma.value(column, row) }
      }
      return Double(sum) / Double((min(lastRow, height) - firstRow) * (min(last, width) - first))
    }
    // The mark has both levels, so it shows what black and white became.
    let white = (means[0] + means[2]) / 2
    let black = (means[1] + means[3]) / 2
    let contrast = white - black
    guard contrast > 60 else { return nil }
    var bits: UInt64 = 0
    for mean in means {
      let level = (mean - black) / contrast
      guard abs(level - 0.5) > 0.15 else { return nil }
      bits = bits << 1 | (level > 0.5 ? 1 : 0)
    }
    let number = UInt32(truncatingIfNeeded: bits >> 4)
    return bits == cells(of: number) ? number : nil
  }

  /// Draws the strip over the top rows of a 420v or 420f picture.
  static func draw(_ number: UInt32, into picture: CVPixelBuffer) {
    let luma = picture.planes[0]
    let chroma = picture.planes[1]
    let rows = rows(height: luma.height)
    let cells = cells(of: number)
    for cell in 0..<cellCount {
      let value: UInt8 = cells >> UInt64(cellCount - 1 - cell) & 1 == 1 ? 235 : 16
      let start = cell * luma.width / cellCount
      let end = (cell + 1) * luma.width / cellCount
      memset(luma.baseAddress + start, Int32(value), end - start)
    }
    for row in 1..<max(rows, 1) where row < luma.height {
      luma.row(row).copyMemory(from: UnsafeRawBufferPointer(luma.row(0)))
    }
    for row in 0..<min((rows + 1) / 2, chroma.height) {
      memset(chroma.baseAddress + row * chroma.bytesPerRow, 128, chroma.width * 2)
    }
  }
}

/// Luma at a place, in whatever format the picture is.
private struct LumaReader {
  private enum Layout {
    case luma(stride: Int, offset: Int)
    case colors(red: Int, green: Int, blue: Int)
  }

  private let plane: PixelPlane
  private let layout: Layout

  init?(_ picture: CVPixelBuffer) {
    plane = picture.planes[0]
    switch picture.format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
      kCVPixelFormatType_OneComponent8:
      layout = .luma(stride: 1, offset: 0)
    case kCVPixelFormatType_422YpCbCr8_yuvs: layout = .luma(stride: 2, offset: 0)
    case kCVPixelFormatType_422YpCbCr8: layout = .luma(stride: 2, offset: 1)
    case kCVPixelFormatType_32BGRA: layout = .colors(red: 2, green: 1, blue: 0)
    case kCVPixelFormatType_32RGBA: layout = .colors(red: 0, green: 1, blue: 2)
    case kCVPixelFormatType_32ARGB: layout = .colors(red: 1, green: 2, blue: 3)
    default: return nil
    }
  }

  func value(_ column: Int, _ row: Int) -> Int {
    let bytes = plane.row(row)
    switch layout {
    case .luma(let stride, let offset): return Int(bytes[column * stride + offset])
    case .colors(let red, let green, let blue):
      let pixel = column * 4
      return (77 * Int(bytes[pixel + red]) + 150 * Int(bytes[pixel + green]) + 29 * Int(bytes[pixel + blue]))
        >> 8
    }
  }
}
