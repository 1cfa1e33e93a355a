internal import Glibc

/// The checksum that names thumbnails (RFC 1321); it protects nothing.
package struct MD5 {
  /// The whole part of 2³² · |sin(i + 1)|.
  private static let table: [UInt32] = (0..<64).map { index in
    UInt32(truncatingIfNeeded: Int64((sin(Double(index + 1)).magnitude * 0x1p32).rounded(.down)))
  }

  private var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
  /// The bytes of the whole blocks that are in the state.
  private let count: Int

  /// Begins with bytes that many texts share, so that they are looked at once; leaves those in `bytes` that fill no block.
  init(_ bytes: inout [UInt8]) {
    count = bytes.count & ~63
    mix(bytes, upTo: count)
    bytes.removeFirst(count)
  }

  /// The checksum in 32 hexadecimal digits.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var (rest, text) = (Array(bytes), [UInt8]())
    MD5(&rest).appendDigits(behind: &rest, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the checksum in 32 hexadecimal digits.
  ///
  /// - Parameter rest: What the text has behind the whole blocks that it began with; is filled up to whole blocks.
  consuming func appendDigits(behind rest: inout [UInt8], to text: inout [UInt8]) {
    let bits = UInt64(count + rest.count) * 8
    rest.append(0x80)
    // So many zeros that the length ends a block.
    rest.append(contentsOf: repeatElement(0, count: (120 - rest.count & 63) & 63))
    withUnsafeBytes(of: bits.littleEndian) { rest.append(contentsOf: $0) }
    mix(rest, upTo: rest.count)
    for word in [state.0, state.1, state.2, state.3] {
      for byte in 0..<4 {
        let value = UInt8(truncatingIfNeeded: word >> (8 * UInt32(byte)))
        text.append(Self.digit(value >> 4))
        text.append(Self.digit(value & 15))
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  /// Takes whole blocks into the state.
  private mutating func mix(_ bytes: [UInt8], upTo end: Int) {
    var state = state
    bytes.withUnsafeBytes { bytes in
      // The table lies in memory that is checked once, not at each step.
      Self.table.withUnsafeBufferPointer { table in
        for start in stride(from: 0, to: end, by: 64) {
          Self.mix(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 64]), &state, table)
        }
      }
    }
    self.state = state
  }

  private static func mix(
    _ block: UnsafeRawBufferPointer, _ state: inout (UInt32, UInt32, UInt32, UInt32),
    _ table: UnsafeBufferPointer<UInt32>
  ) {
    var (a, b, c, d) = state
    @inline(__always) func step(_ value: UInt32, _ word: Int, _ index: Int, _ shift: UInt32) {
      let sum =
        a &+ value &+ table[index]
        &+ UInt32(littleEndian: block.loadUnaligned(fromByteOffset: 4 * word, as: UInt32.self))
      (a, d, c, b) = (d, c, b, b &+ (sum &<< shift | sum &>> (32 &- shift)))
    }
    // Four steps at a time: after them the words stand where they stood, and the shifts are constants.
    for index in stride(from: 0, to: 16, by: 4) {
      step((b & c) | (~b & d), index, index, 7)
      step((b & c) | (~b & d), index &+ 1, index &+ 1, 12)
      step((b & c) | (~b & d), index &+ 2, index &+ 2, 17)
      step((b & c) | (~b & d), index &+ 3, index &+ 3, 22)
    }
    for index in stride(from: 16, to: 32, by: 4) {
      step((d & b) | (~d & c), (5 &* index &+ 1) & 15, index, 5)
      step((d & b) | (~d & c), (5 &* index &+ 6) & 15, index &+ 1, 9)
      step((d & b) | (~d & c), (5 &* index &+ 11) & 15, index &+ 2, 14)
      step((d & b) | (~d & c), (5 &* index &+ 16) & 15, index &+ 3, 20)
    }
    for index in stride(from: 32, to: 48, by: 4) {
      step(b ^ c ^ d, (3 &* index &+ 5) & 15, index, 4)
      step(b ^ c ^ d, (3 &* index &+ 8) & 15, index &+ 1, 11)
      step(b ^ c ^ d, (3 &* index &+ 11) & 15, index &+ 2, 16)
      step(b ^ c ^ d, (3 &* index &+ 14) & 15, index &+ 3, 23)
    }
    for index in stride(from: 48, to: 64, by: 4) {
      step(c ^ (b | ~d), (7 &* index) & 15, index, 6)
      step(c ^ (b | ~d), (7 &* index &+ 7) & 15, index &+ 1, 10)
      step(c ^ (b | ~d), (7 &* index &+ 14) & 15, index &+ 2, 15)
      step(c ^ (b | ~d), (7 &* index &+ 21) & 15, index &+ 3, 21)
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }
}
