import Foundation

/// GIF files made byte by byte, of four colours: black, red, green and blue.
struct CraftedGIF {
  struct Frame {
    var x = 0, y = 0
    var width: Int, height: Int
    /// Of all pixels, or row by row.
    var indices: [UInt8]
    var disposal: UInt8 = 0
    var transparent: UInt8?
    var hundredths = 0
    var isInterlaced = false
    /// Colours of its own: red, green and blue of four.
    var colors: [UInt8]?
  }

  var width: Int, height: Int
  var frames: [Frame]
  var loops: Int?
  var hasTrailer = true

  static let colors: [[UInt8]] = [[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]]

  var data: Data {
    func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
    var bytes = Array("GIF89a".utf8) + word(width) + word(height) + [0x81, 0, 0] + Self.colors.flatMap { $0 }
    if let loops { bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + word(loops) + [0] }
    for frame in frames {
      bytes += [0x21, 0xF9, 4, frame.disposal << 2 | (frame.transparent == nil ? 0 : 1)]
      bytes += word(frame.hundredths) + [frame.transparent ?? 0, 0]
      bytes += [0x2C] + word(frame.x) + word(frame.y) + word(frame.width) + word(frame.height)
      bytes += [(frame.colors == nil ? 0 : 0x81) | (frame.isInterlaced ? 0x40 : 0)] + (frame.colors ?? [])
      bytes += codes(frame.indices)
    }
    return Data(bytes + (hasTrailer ? [0x3B] : []))
  }

  /// Codes of three bits, begun anew before they would have to grow.
  private func codes(_ indices: [UInt8]) -> [UInt8] {
    var codes: [UInt8] = []
    for (place, index) in indices.enumerated() {
      if place % 2 == 0 { codes.append(4) }
      codes.append(index)
    }
    codes.append(5)
    var (packed, held, count): ([UInt8], Int, Int) = ([], 0, 0)
    for code in codes {
      held |= Int(code) << count
      count += 3
      while count >= 8 {
        packed.append(UInt8(held & 255))
        held >>= 8
        count -= 8
      }
    }
    if count > 0 { packed.append(UInt8(held & 255)) }
    var blocks: [UInt8] = [2]
    for begin in stride(from: 0, to: packed.count, by: 255) {
      let block = packed[begin..<min(begin + 255, packed.count)]
      blocks += [UInt8(block.count)] + block
    }
    return blocks + [0]
  }
}
