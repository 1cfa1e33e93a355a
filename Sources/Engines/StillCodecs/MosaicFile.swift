internal import CoreVideo
internal import Foundation
internal import FoundationExtras

/// The mosaic of a DNG file's directory: its size, its parts, its active area.
struct MosaicFile {
  /// The active area's size.
  let width: Int
  let height: Int
  /// The bits of the numbers that come out.
  let valueBits: Int

  private let reader: TIFFReader
  private let format: OSType
  private let bits: Int
  private let compression: Int
  private let origin: (x: Int, y: Int)
  private let whole: (width: Int, height: Int)
  private let part: (width: Int, height: Int)
  private let offsets: [Int]
  private let counts: [Int]
  private let curve: [UInt16]

  private typealias Tag = DNGEncoder.Tag

  /// - Throws: ``StillCodecError``.
  init(_ reader: TIFFReader, _ directory: TIFFReader.Directory) throws {
    self.reader = reader
    func whole(_ tag: UInt16) -> [Int] { reader.wholes(tag, in: directory) }
    guard let columns = whole(Tag.width).first, let rows = whole(Tag.height).first, columns >= 2, rows >= 2,
      columns <= 65535, rows <= 65535, columns * rows <= DecodeLimit.pixels,
      // No coder needs less than a bit for a number.
      columns * rows <= 8 * reader.data.count
    else { throw DNGDecoder.damaged("its size is none") }
    self.whole = (columns, rows)
    bits = whole(Tag.bits).first ?? 1
    compression = whole(Tag.compression).first ?? 1
    guard (8...16).contains(bits), (whole(Tag.samples).first ?? 1) == 1, [1, 7].contains(compression),
      whole(Tag.patternSize) == [2, 2], let format = Self.formats[whole(Tag.pattern)],
      (whole(Tag.patternLayout).first ?? 1) == 1
    else { throw DNGDecoder.unsupported("it holds no mosaic of red, green and blue that is read here") }
    self.format = format
    let area = whole(Tag.activeArea)
    if area.count == 4, area[0] >= 0, area[1] >= 0, area[2] <= rows, area[3] <= columns,
      area[2] - area[0] >= 2,
      area[3] - area[1] >= 2
    {
      origin = (area[1], area[0])
      (width, height) = (area[3] - area[1], area[2] - area[0])
    } else {
      origin = (0, 0)
      (width, height) = (columns, rows)
    }
    if let tileWidth = whole(Tag.tileWidth).first, let tileHeight = whole(Tag.tileHeight).first {
      part = (tileWidth, tileHeight)
      (offsets, counts) = (whole(Tag.tiles), whole(Tag.tileBytes))
    } else {
      part = (columns, min(whole(Tag.rowsInStrip).first ?? rows, rows))
      (offsets, counts) = (whole(Tag.strips), whole(Tag.stripBytes))
    }
    let curve = whole(Tag.linearization).map { UInt16(clamping: $0) }
    self.curve = curve
    valueBits = curve.isEmpty ? bits : 16
    guard part.width > 0, part.height > 0, part.width <= 65536, part.height <= 65536,
      offsets.count == counts.count, offsets.count == partColumns * partRows
    else { throw DNGDecoder.damaged("its parts do not make up the mosaic") }
    guard zip(offsets, counts).allSatisfy({ isInside($0, $1) }) else {
      throw DNGDecoder.damaged("it ends before its numbers do")
    }
  }

  private func isInside(_ place: Int, _ count: Int) -> Bool {
    place >= 8 && count > 0 && count <= reader.data.count && place <= reader.data.count - count
  }

  private var partColumns: Int { (whole.width + part.width - 1) / part.width }
  private var partRows: Int { (whole.height + part.height - 1) / part.height }

  /// Patterns of the upper left four pixels: 0 red, 1 green, 2 blue.
  private static let formats: [[Int]: OSType] = [
    [0, 1, 1, 2]: kCVPixelFormatType_14Bayer_RGGB, [1, 0, 2, 1]: kCVPixelFormatType_14Bayer_GRBG,
    [1, 2, 0, 1]: kCVPixelFormatType_14Bayer_GBRG, [2, 1, 1, 0]: kCVPixelFormatType_14Bayer_BGGR,
  ]

  /// The numbers of the active area.
  ///
  /// - Throws: ``StillCodecError``, CoreVideo's errors.
  func mosaic() throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(format: format, width: width, height: height)
    for index in offsets.indices {
      let (left, top) = (index % partColumns * part.width, index / partColumns * part.height)
      // Tiles are whole beyond the edges; strips end with the picture.
      let rows = min(part.height, whole.height - top)
      let numbers = try numbers(index, rows: rows)
      store(numbers, left: left, top: top, rows: rows, in: buffer)
    }
    return buffer
  }

  /// A part's numbers, `part.width` in each row.
  private func numbers(_ index: Int, rows: Int) throws -> [UInt16] {
    let (at, count) = (offsets[index], counts[index])
    let bytes = reader.data[at..<at + count]
    guard compression == 1 else {
      return try LosslessJPEG.decode(bytes, columns: part.width, rows: rows)
    }
    let rowBytes = (part.width * bits + 7) / 8
    guard count >= rowBytes * rows else { throw DNGDecoder.damaged("a part is shorter than its rows") }
    var numbers = [UInt16](repeating: 0, count: part.width * rows)
    bytes.withUnsafeBytes { source in
      for row in 0..<rows {
        let line = UnsafeRawBufferPointer(rebasing: source[row * rowBytes..<(row + 1) * rowBytes])
        unpack(line, into: &numbers, at: row * part.width)
      }
    }
    return numbers
  }

  private func unpack(_ line: UnsafeRawBufferPointer, into numbers: inout [UInt16], at start: Int) {
    switch bits {
    case 8:
      for column in 0..<part.width { numbers[start + column] = UInt16(line[column]) }
    case 16:
      for column in 0..<part.width {
        let (low, high) = (UInt16(line[2 * column]), UInt16(line[2 * column + 1]))
        numbers[start + column] = reader.isLittleEndian ? high << 8 | low : low << 8 | high
      }
    default:
      // The highest bit first, whatever the file's order of bytes.
      var (rest, count, place): (UInt32, Int, Int) = (0, 0, 0)
      for column in 0..<part.width {
        while count < bits {
          rest = rest << 8 | UInt32(line[place])
          place += 1
          count += 8
        }
        count -= bits
        numbers[start + column] = UInt16(truncatingIfNeeded: rest >> UInt32(count)) & (1 << UInt16(bits) &- 1)
      }
    }
  }

  /// Puts what a part has of the active area into its place.
  private func store(_ numbers: [UInt16], left: Int, top: Int, rows: Int, in buffer: CVPixelBuffer) {
    let plane = buffer.planes[0]
    let columns = max(left, origin.x)..<max(min(left + part.width, origin.x + width), max(left, origin.x))
    for row in 0..<rows where (origin.y..<origin.y + height).contains(top + row) {
      let target = plane.row(top + row - origin.y).bindMemory(to: UInt16.self)
      for column in columns {
        let number = numbers[row * part.width + column - left]
        target[column - origin.x] = curve.isEmpty ? number : curve[min(Int(number), curve.count - 1)]
      }
    }
    withExtendedLifetime(buffer) {}
  }
}
