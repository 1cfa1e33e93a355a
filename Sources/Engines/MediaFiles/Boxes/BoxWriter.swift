internal import Foundation
internal import FoundationExtras

/// Writes the boxes of ISO base media files and QuickTime movies (ISO/IEC 14496-12).
///
/// Numbers are big-endian.
package struct BoxWriter {
  /// What was written.
  package private(set) var bytes: [UInt8] = []

  /// Without a byte.
  package init() {}

  /// The number of bytes.
  package var count: Int { bytes.count }

  /// A byte.
  package mutating func u8(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }
  /// Two bytes.
  package mutating func u16(_ value: Int) { number(value, 2) }
  /// Three bytes.
  package mutating func u24(_ value: Int) { number(value, 3) }
  /// Four bytes.
  package mutating func u32(_ value: Int) { number(value, 4) }
  /// Eight bytes.
  package mutating func u64(_ value: Int) { number(value, 8) }
  /// So many zeros.
  package mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
  /// Bytes as they are.
  package mutating func add(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Four characters; shorter texts are filled up with spaces.
  package mutating func code(_ text: String) {
    let four = Array(text.utf8.prefix(4))
    bytes.append(contentsOf: four + Array(repeating: 0x20, count: 4 - four.count))
  }

  private mutating func number(_ value: Int, _ size: Int) {
    for byte in stride(from: 8 * (size - 1), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> byte))
    }
  }

  /// A box whose size is known when `body` has written it.
  package mutating func box(_ type: String, _ body: (inout BoxWriter) -> Void) {
    begin(type, body) { $0.code(type) }
  }

  /// A box whose type is a number, as the items of QuickTime's metadata have.
  mutating func box(number: Int, _ body: (inout BoxWriter) -> Void) {
    begin("", body) { $0.u32(number) }
  }

  /// A box with a type of four bytes that are not all ASCII, such as `©nam`.
  mutating func box(code: FourCharCode, _ body: (inout BoxWriter) -> Void) {
    begin("", body) { $0.u32(Int(code)) }
  }

  /// A box with version and flags.
  package mutating func fullBox(
    _ type: String, version: Int = 0, flags: Int = 0, _ body: (inout BoxWriter) -> Void
  ) {
    box(type) {
      $0.u8(version)
      $0.u24(flags)
      body(&$0)
    }
  }

  private mutating func begin(
    _ type: String, _ body: (inout BoxWriter) -> Void, name: (inout BoxWriter) -> Void
  ) {
    let start = bytes.count
    u32(0)
    name(&self)
    body(&self)
    patch32(start, bytes.count - start)
  }

  /// Overwrites four bytes.
  package mutating func patch32(_ at: Int, _ value: Int) {
    for byte in 0..<4 { bytes[at + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte)) }
  }
}
