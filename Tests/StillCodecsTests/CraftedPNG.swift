import Foundation

/// PNG files made by hand, black, of any size, without the memory for their pixels.
struct CraftedPNG {
  private var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  /// A file of gray pixels of one bit.
  ///
  /// - Parameter chunks: Put before the pixels.
  static func black(
    width: Int, height: Int, isInterlaced: Bool = false, chunks: [(String, Data)] = [], hasPixels: Bool = true
  ) -> Data {
    var png = CraftedPNG()
    png.add("IHDR", bytes(width) + bytes(height) + Data([1, 0, 0, 0, isInterlaced ? 1 : 0]))
    for (type, body) in chunks { png.add(type, body) }
    png.add("IDAT", zeros(hasPixels ? packedBytes(width, height, isInterlaced) : 100))
    png.add("IEND", Data())
    return png.file
  }

  /// The bytes of all rows and their filters: of the picture, or of the seven passes of an interlaced one.
  private static func packedBytes(_ width: Int, _ height: Int, _ isInterlaced: Bool) -> Int {
    func bytes(_ columns: Int, _ rows: Int) -> Int { columns == 0 ? 0 : (1 + (columns + 7) / 8) * rows }
    guard isInterlaced else { return bytes(width, height) }
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
    return passes.reduce(0) { sum, pass in
      let (x, y, right, down) = pass
      return sum + bytes((width - x + right - 1) / right, (height - y + down - 1) / down)
    }
  }

  /// So many zeros as zlib packs them: a literal and matches of 258 in the fixed code (RFC 1951, 3.2.6).
  static func zeros(_ count: Int) -> Data {
    var packed = Data([0x78, 0x01])
    var (bits, filled) = (UInt64(0), UInt64(0))
    func put(_ value: UInt64, _ width: UInt64) {
      bits |= value << filled
      filled += width
      while filled >= 8 {
        packed.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        filled -= 8
      }
    }
    put(0b011, 3)
    // The code of a literal 0 is 00110000, that of length 258 11000101, both sent from the top; distance 1 is 00000.
    let literal = UInt64(0b0000_1100)
    var rest = count
    put(literal, 8)
    rest -= 1
    while rest >= 258 {
      put(0b1010_0011, 8)
      put(0, 5)
      rest -= 258
    }
    for _ in 0..<rest { put(literal, 8) }
    put(0, 7)
    put(0, (8 - filled) % 8)
    let checksum = (count % 65521) << 16 | 1
    return packed + bytes(checksum)
  }

  /// The file with the checksum of each chunk that is whole made right.
  static func withChecksums(_ file: Data) -> Data {
    var file = file
    var at = 8
    while at + 12 <= file.count {
      let length = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard at + 12 + length <= file.count else { break }
      file.replaceSubrange(
        at + 8 + length..<at + 12 + length, with: bytes(Int(checksum(file[at + 4..<at + 8 + length]))))
      at += 12 + length
    }
    return file
  }

  private mutating func add(_ type: String, _ body: Data) {
    let content = Data(type.utf8) + body
    file += Self.bytes(body.count) + content + Self.bytes(Int(Self.checksum(content)))
  }

  static func bytes(_ number: Int) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  private static func checksum(_ data: Data) -> UInt32 {
    ~data.reduce(UInt32.max) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
  }
}
