internal import Glibc

/// The checksum that names thumbnails (RFC 1321); it protects nothing.
package enum MD5 {
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  /// The whole part of 2³² · |sin(i + 1)|.
  private static let table: [UInt32] = (0..<64).map { index in
    UInt32(truncatingIfNeeded: Int64((sin(Double(index + 1)).magnitude * 0x1p32).rounded(.down)))
  }

  /// The checksum in 32 hexadecimal digits.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    String(decoding: digits(of: Array(bytes)), as: UTF8.self)
  }

  /// The checksum in 32 hexadecimal digits.
  static func digits(of bytes: [UInt8]) -> [UInt8] {
    var message = bytes
    let bits = UInt64(message.count) * 8
    message.reserveCapacity(message.count + 72)
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    for byte in 0..<8 { message.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(byte)))) }
    var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
    message.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 64) {
        mix(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 64]), &state)
      }
    }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(32)
    for word in [state.0, state.1, state.2, state.3] {
      for byte in 0..<4 {
        let value = Int(word >> (8 * UInt32(byte)) & 0xFF)
        text.append(digits[value >> 4])
        text.append(digits[value & 15])
      }
    }
    return text
  }

  private static func mix(_ block: UnsafeRawBufferPointer, _ state: inout (UInt32, UInt32, UInt32, UInt32)) {
    var (a, b, c, d) = state
    // The tables lie in memory that is checked once for the block, not at each of its steps.
    shifts.withUnsafeBufferPointer { shifts in
      table.withUnsafeBufferPointer { table in
        for index in 0..<64 {
          let (value, word): (UInt32, Int) =
            switch index >> 4 {
            case 0: ((b & c) | (~b & d), index)
            case 1: ((d & b) | (~d & c), (5 * index + 1) & 15)
            case 2: (b ^ c ^ d, (3 * index + 5) & 15)
            default: (c ^ (b | ~d), (7 * index) & 15)
            }
          let sum =
            a &+ value &+ table[index]
            &+ UInt32(littleEndian: block.loadUnaligned(fromByteOffset: 4 * word, as: UInt32.self))
          let shift = shifts[(index >> 4) * 4 + (index & 3)]
          (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
      }
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }
}
