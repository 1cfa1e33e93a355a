internal import Glibc

/// The checksum that names thumbnails (RFC 1321); it protects nothing.
package struct MD5 {
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  /// The whole part of 2³² · |sin(i + 1)|.
  private static let table: [UInt32] = (0..<64).map { index in
    UInt32(truncatingIfNeeded: Int64((sin(Double(index + 1)).magnitude * 0x1p32).rounded(.down)))
  }

  private var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
  /// What does not fill a block yet.
  private var rest: [UInt8] = []
  private var count = 0

  /// Begins with bytes that many texts share, so that they are looked at once.
  init(_ bytes: [UInt8]) {
    add(bytes)
  }

  /// Adds what stands behind.
  mutating func add(_ bytes: [UInt8]) {
    rest.reserveCapacity(rest.count + bytes.count + 72)
    rest += bytes
    count += bytes.count
    let whole = rest.count & ~63
    guard whole > 0 else { return }
    mix(upTo: whole)
    rest.removeFirst(whole)
  }

  /// The checksum in 32 hexadecimal digits.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    MD5(Array(bytes)).appendDigits(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the checksum in 32 hexadecimal digits.
  consuming func appendDigits(to text: inout [UInt8]) {
    let bits = UInt64(count) * 8
    rest.append(0x80)
    while rest.count & 63 != 56 { rest.append(0) }
    for byte in 0..<8 { rest.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(byte)))) }
    mix(upTo: rest.count)
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
  private mutating func mix(upTo end: Int) {
    var state = state
    rest.withUnsafeBytes { bytes in
      // The tables lie in memory that is checked once, not at each step.
      Self.shifts.withUnsafeBufferPointer { shifts in
        Self.table.withUnsafeBufferPointer { table in
          for start in stride(from: 0, to: end, by: 64) {
            Self.mix(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 64]), &state, shifts, table)
          }
        }
      }
    }
    self.state = state
  }

  private static func mix(
    _ block: UnsafeRawBufferPointer, _ state: inout (UInt32, UInt32, UInt32, UInt32),
    _ shifts: UnsafeBufferPointer<UInt32>, _ table: UnsafeBufferPointer<UInt32>
  ) {
    var (a, b, c, d) = state
    @inline(__always) func step(_ value: UInt32, _ word: Int, _ index: Int) {
      let sum =
        a &+ value &+ table[index]
        &+ UInt32(littleEndian: block.loadUnaligned(fromByteOffset: 4 * word, as: UInt32.self))
      let shift = shifts[(index >> 4) * 4 + (index & 3)]
      (a, d, c, b) = (d, c, b, b &+ (sum &<< shift | sum &>> (32 &- shift)))
    }
    for index in 0..<16 { step((b & c) | (~b & d), index, index) }
    for index in 16..<32 { step((d & b) | (~d & c), (5 &* index &+ 1) & 15, index) }
    for index in 32..<48 { step(b ^ c ^ d, (3 &* index &+ 5) & 15, index) }
    for index in 48..<64 { step(c ^ (b | ~d), (7 &* index) & 15, index) }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }
}
