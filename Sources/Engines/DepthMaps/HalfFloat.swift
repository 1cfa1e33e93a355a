/// 16-bit floats of distances, converted by whole numbers alone, so that the compiler can do several at once.
///
/// x86-64 has no instruction for it that every machine has: Swift's own conversion is a call for each number, six times as slow.
/// Source: IEEE 754-2008, binary16; rounding to the nearest, ties to even.
package enum HalfFloat {
  /// The number for unknown values.
  private static let unknown: UInt16 = 0x7E00

  /// The bits of a distance; NaN for what is none, and for what is too large.
  @inline(__always)
  package static func bits(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    // The exponent counts from 15 instead of 127, and 13 bits of the fraction go.
    let normal = (bits &- 112 << 23 &+ 0xFFF &+ (bits >> 13 & 1)) >> 13
    // Below 2⁻¹⁴ the last bit of a half is 2⁻²⁴, which is the last bit of a single from a half to one: adding a half rounds.
    let small = (value + 0.5).bitPattern &- Float(0.5).bitPattern
    let half = value < 0x1p-14 ? small : normal
    return value > 0 && value < 65520 ? UInt16(truncatingIfNeeded: half) : unknown
  }

  /// Writes a row of distances as halves; see ``bits(_:)``.
  package static func write(_ row: UnsafeBufferPointer<Float>, to target: UnsafeMutablePointer<UInt16>) {
    for index in row.indices { target[index] = bits(row[index]).littleEndian }
  }

  /// The distance that bits stand for; NaN for what is none.
  @inline(__always)
  package static func value(_ bits: UInt16) -> Float {
    // The same bits as a single are too small by 2¹¹²; multiplying also sets right those below 2⁻¹⁴.
    let value = Float(bitPattern: UInt32(bits) << 13) * 0x1p112
    // Negative numbers, infinity and NaN have greater bits than any distance; zero is none either.
    return bits &- 1 < 0x7BFF ? value : .nan
  }
}
