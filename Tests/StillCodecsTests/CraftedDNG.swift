import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import StillCodecs

/// The numbers of sensors, and raw files made by hand.
enum CraftedDNG {
  /// Random numbers of a sensor.
  static func random(
    _ width: Int, _ height: Int, bits: Int, _ format: OSType = kCVPixelFormatType_14Bayer_RGGB,
    seed: UInt64 = 4
  ) throws -> CVPixelBuffer {
    var dice = SeededGenerator(seed: seed)
    let buffer = try CVPixelBuffer(format: format, width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        buffer.planes[0].row(y).storeBytes(
          of: UInt16(truncatingIfNeeded: Int.random(in: 0..<1 << bits, using: &dice)), toByteOffset: 2 * x,
          as: UInt16.self)
      }
    }
    return buffer
  }

  /// The numbers of a buffer.
  static func numbers(_ buffer: CVPixelBuffer) -> [[UInt16]] {
    (0..<buffer.height).map { y in
      (0..<buffer.width).map { buffer.planes[0].row(y).load(fromByteOffset: 2 * $0, as: UInt16.self) }
    }
  }

  /// What a file says of such numbers.
  static func options(bits: Int) -> DNGEncoder.Options {
    var options = DNGEncoder.Options()
    options.bits = bits
    options.colors = [DNGEncoder.Colors(matrix: [0.8, -0.2, -0.1, -0.4, 1.2, 0.2, -0.1, 0.2, 0.6])]
    options.neutral = [0.5, 1, 0.75]
    return options
  }

  /// A big-endian file of one directory, whose values are whole numbers, with blocks of bytes behind it.
  static func file(_ tags: [(tag: UInt16, kind: Int, values: [Int])], _ blocks: [[UInt8]]) -> Data {
    func big(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }
    let size = [1: 1, 3: 2, 4: 4]
    let head = 8 + 2 + 12 * tags.count + 4
    let room = tags.reduce(0) { $0 + max($1.values.count * (size[$1.kind] ?? 1), 4) }
    var starts: [Int] = []
    var next = head + room
    for block in blocks {
      starts.append(next)
      next += block.count
    }
    var entries = big(tags.count, 2)
    var values: [UInt8] = []
    for tag in tags {
      // -1, -2 … stand for the blocks' places.
      let bytes = tag.values.flatMap { big($0 < 0 ? starts[-$0 - 1] : $0, size[tag.kind] ?? 1) }
      entries += big(Int(tag.tag), 2) + big(tag.kind, 2) + big(tag.values.count, 4)
      if bytes.count <= 4 {
        entries += bytes + Array(repeating: 0, count: 4 - bytes.count)
        values += [0, 0, 0, 0]
      } else {
        entries += big(head + values.count, 4)
        values += bytes
      }
    }
    return Data([0x4D, 0x4D, 0, 42] + big(8, 4) + entries + [0, 0, 0, 0] + values + blocks.flatMap { $0 })
  }

  /// A lossless JPEG file of two numbers a pixel, whose codes are all five bits long.
  static func lossless(_ rows: [[UInt16]], precision: Int, predictor: Int) -> [UInt8] {
    let (width, height) = (rows[0].count / 2, rows.count)
    var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC3, 0, 14, UInt8(precision)]
    file += [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 2]
    file += [0, 0x11, 0, 1, 0x11, 0]
    file +=
      [0xFF, 0xC4, 0, 19 + 17, 0, 0, 0, 0, 0, 17] + Array(repeating: 0, count: 11)
      + (0...16).map { UInt8($0) }
    file += [0xFF, 0xDA, 0, 10, 2, 0, 0, 1, 0, UInt8(predictor), 0, 0]
    var (rest, count) = (0, 0)
    func put(_ value: Int, _ bits: Int) {
      for bit in (0..<bits).reversed() {
        rest = rest << 1 | (value >> bit & 1)
        count += 1
        if count == 8 {
          file.append(UInt8(rest))
          if rest == 255 { file.append(0) }
          (rest, count) = (0, 0)
        }
      }
    }
    for (y, row) in rows.enumerated() {
      for x in row.indices {
        let (left, above) = (x < 2 ? 0 : Int(row[x - 2]), y == 0 ? 0 : Int(rows[y - 1][x]))
        let corner = x < 2 || y == 0 ? 0 : Int(rows[y - 1][x - 2])
        let chosen = [
          left, above, corner, left + above - corner, left + (above - corner) >> 1,
          above + (left - corner) >> 1, (left + above) >> 1,
        ]
        let predicted =
          x < 2 ? (y == 0 ? 1 << (precision - 1) : above) : y == 0 ? left : chosen[predictor - 1]
        var difference = Int(Int16(truncatingIfNeeded: Int(row[x]) - predicted))
        if difference == -32768 { difference = 32768 }
        let category = difference == 0 ? 0 : Int.bitWidth - abs(difference).leadingZeroBitCount
        put(category, 5)
        if (1..<16).contains(category) {
          put(difference < 0 ? difference + 1 << category - 1 : difference, category)
        }
      }
    }
    while count != 0 { put(1, 1) }
    return file + [0xFF, 0xD9]
  }

  /// What every such file says.
  static let plain: [(tag: UInt16, kind: Int, values: [Int])] = [
    (262, 3, [32803]), (277, 3, [1]), (33421, 3, [2, 2]), (33422, 1, [2, 1, 1, 0]),
  ]
}
