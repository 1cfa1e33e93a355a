internal import Foundation

/// Decodes JPEG's lossless mode, in which DNG compresses mosaics (ISO/IEC 10918-1, annex H).
///
/// Stateless and thread-safe.
enum LosslessJPEG {
  /// A table of Huffman codes: by their next 16 bits their length and category.
  private struct Codes {
    var lengths = [UInt8](repeating: 0, count: 65536)
    var categories = [UInt8](repeating: 0, count: 65536)

    init?(counts: [Int], values: ArraySlice<UInt8>) {
      var (code, place) = (0, values.startIndex)
      for length in 1...16 {
        for _ in 0..<counts[length - 1] {
          guard place < values.endIndex, code < 1 << length, values[place] <= 16 else { return nil }
          let first = code << (16 - length)
          for index in first..<first + 1 << (16 - length) {
            lengths[index] = UInt8(length)
            categories[index] = values[place]
          }
          code += 1
          place += 1
        }
        code <<= 1
      }
    }
  }

  /// The frame that a file's head describes.
  private struct Frame {
    var precision = 0
    var width = 0
    var height = 0
    var components = 0
    var tables: [Int: Codes] = [:]
    /// By component.
    var chosen: [Int] = []
    var predictor = 1
    var shift = 0
    var restartInterval = 0
    var scan = 0
  }

  /// The numbers of a file whose components lie side by side in each row.
  ///
  /// - Parameters:
  ///   - columns: Numbers in a row.
  ///   - rows: Rows that are wanted; the file may have more.
  /// - Throws: ``StillCodecError``: `damaged`, or `unsupported` for other modes.
  static func decode(_ data: Data, columns: Int, rows: Int) throws -> [UInt16] {
    let bytes = [UInt8](data)
    let frame = try head(bytes)
    guard frame.components > 0, frame.width * frame.components == columns, frame.height >= rows else {
      throw DNGDecoder.damaged("a compressed part has another size")
    }
    var codes: [Codes] = []
    for component in 0..<frame.components {
      guard component < frame.chosen.count, let table = frame.tables[frame.chosen[component]] else {
        throw DNGDecoder.damaged("a compressed part lacks its codes")
      }
      codes.append(table)
    }
    return try scan(bytes, frame, codes, columns: columns, rows: rows)
  }

  private static func head(_ bytes: [UInt8]) throws -> Frame {
    var frame = Frame()
    var at = 2
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else {
      throw DNGDecoder.damaged("a compressed part is no JPEG")
    }
    while at + 4 <= bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, at + 2 + length <= bytes.count else { break }
      let body = bytes[at + 4..<at + 2 + length]
      let start = body.startIndex
      switch marker {
      case 0xC3 where body.count >= 6:
        frame.precision = Int(body[start])
        frame.height = Int(body[start + 1]) << 8 | Int(body[start + 2])
        frame.width = Int(body[start + 3]) << 8 | Int(body[start + 4])
        frame.components = Int(body[start + 5])
      case 0xC0...0xC2, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        throw DNGDecoder.unsupported("its numbers are compressed with loss")
      case 0xC4: try readTables(body, into: &frame)
      case 0xDD where body.count >= 2: frame.restartInterval = Int(body[start]) << 8 | Int(body[start + 1])
      case 0xDA:
        guard let count = body.first.map(Int.init), body.count >= 1 + 2 * count + 3 else { break }
        frame.chosen = (0..<count).map { Int(body[start + 2 + 2 * $0] >> 4) }
        frame.predictor = Int(body[start + 1 + 2 * count])
        frame.shift = Int(body[start + 3 + 2 * count] & 15)
        frame.scan = at + 2 + length
        guard (2...16).contains(frame.precision), (1...7).contains(frame.predictor), frame.shift == 0,
          frame.restartInterval == 0
        else { throw DNGDecoder.unsupported("its numbers are compressed in a way that is not read here") }
        return frame
      default: break
      }
      at += 2 + length
    }
    throw DNGDecoder.damaged("a compressed part has no numbers")
  }

  private static func readTables(_ body: ArraySlice<UInt8>, into frame: inout Frame) throws {
    var at = body.startIndex
    while at + 17 <= body.endIndex {
      let counts = body[at + 1..<at + 17].map(Int.init)
      let total = counts.reduce(0, +)
      guard at + 17 + total <= body.endIndex,
        let codes = Codes(counts: counts, values: body[at + 17..<at + 17 + total])
      else { throw DNGDecoder.damaged("a compressed part's codes are none") }
      frame.tables[Int(body[at] & 15)] = codes
      at += 17 + total
    }
  }

  private static func scan(
    _ bytes: [UInt8], _ frame: Frame, _ codes: [Codes], columns: Int, rows: Int
  ) throws -> [UInt16] {
    var numbers = [UInt16](repeating: 0, count: columns * rows)
    var reader = Bits(at: frame.scan)
    let parts = frame.components
    try bytes.withUnsafeBufferPointer { bytes in
      for row in 0..<rows {
        for column in 0..<columns {
          let component = column % parts
          let ahead = Int(reader.peek(bytes))
          let length = Int(codes[component].lengths[ahead])
          guard length > 0, reader.at < bytes.count + 8 else {
            throw DNGDecoder.damaged("a compressed part is damaged")
          }
          reader.skip(length)
          let difference = reader.difference(Int(codes[component].categories[ahead]), bytes)
          let place = row * columns + column
          let predicted: Int
          if column < parts {
            // The first of a row is like the one above it, the first of all in the middle.
            predicted = row == 0 ? 1 << (frame.precision - 1) : Int(numbers[place - columns])
          } else if row == 0 {
            predicted = Int(numbers[place - parts])
          } else {
            let (left, above) = (Int(numbers[place - parts]), Int(numbers[place - columns]))
            let corner = Int(numbers[place - columns - parts])
            predicted =
              switch frame.predictor {
              case 1: left
              case 2: above
              case 3: corner
              case 4: left + above - corner
              case 5: left + (above - corner) >> 1
              case 6: above + (left - corner) >> 1
              default: (left + above) >> 1
              }
          }
          numbers[place] = UInt16(truncatingIfNeeded: predicted + difference)
        }
      }
    }
    return numbers
  }

  /// Bits of a scan, in which a byte of ones is followed by one of zeros; zeros behind the end.
  private struct Bits {
    var at: Int
    private var rest: UInt64 = 0
    private var count = 0

    init(at: Int) { self.at = at }

    private mutating func fill(_ bytes: UnsafeBufferPointer<UInt8>) {
      while count <= 48 {
        var byte: UInt8 = 0
        if at < bytes.count {
          byte = bytes[at]
          if byte == 0xFF { at += 1 }
        }
        at += 1
        rest = rest << 8 | UInt64(byte)
        count += 8
      }
    }

    /// The next 16 bits.
    mutating func peek(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt16 {
      if count < 32 { fill(bytes) }
      return UInt16(truncatingIfNeeded: rest >> UInt64(count - 16))
    }

    mutating func skip(_ bits: Int) { count -= bits }

    /// A difference of so many bits, of which the upper half are above 0.
    mutating func difference(_ category: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
      if category == 0 { return 0 }
      if category == 16 { return 32768 }
      if count < 32 { fill(bytes) }
      let value = Int(truncatingIfNeeded: rest >> UInt64(count - category)) & (1 << category - 1)
      count -= category
      return value < 1 << (category - 1) ? value - (1 << category) + 1 : value
    }
  }
}
