internal import Foundation
internal import FoundationExtras

/// Writes what a movie or track says about itself.
///
/// Sources: Apple's QuickTime File Format (user data, metadata), the layout of iTunes' list.
struct MetadataBoxes {
  let container: MovieContainer

  func write(_ items: [MovieMetadata], to out: inout BoxWriter) {
    let named = items.filter { $0.keySpace == .quickTimeMetadata }
    let listed = items.filter { $0.keySpace == .iTunes }
    let user = items.filter { $0.keySpace == .quickTimeUserData || $0.keySpace == .isoUserData }
    if !user.isEmpty || !listed.isEmpty {
      out.box("udta") { out in
        for item in user { writeUserData(item, to: &out) }
        if !listed.isEmpty { writeList(listed, to: &out) }
      }
    }
    if !named.isEmpty { writeNamed(named, to: &out) }
  }

  /// QuickTime's metadata: a table of names, and values by their numbers.
  private func writeNamed(_ items: [MovieMetadata], to out: inout BoxWriter) {
    out.box("meta") { out in
      // In MP4 the box has version and flags.
      if container != .quickTime { out.u32(0) }
      writeHandler("mdta", to: &out)
      out.fullBox("keys") { out in
        out.u32(items.count)
        for item in items {
          out.box("mdta") { $0.add(item.key.utf8) }
        }
      }
      out.box("ilst") { out in
        for (index, item) in items.enumerated() {
          out.box(number: index + 1) { writeValue(item.value, to: &$0) }
        }
      }
    }
  }

  private func writeList(_ items: [MovieMetadata], to out: inout BoxWriter) {
    out.fullBox("meta") { out in
      writeHandler("mdir", to: &out)
      out.box("ilst") { out in
        for item in items {
          guard let code = Self.code(item.key) else { continue }
          out.box(code: code) { writeValue(item.value, to: &$0) }
        }
      }
    }
  }

  private func writeHandler(_ type: String, to out: inout BoxWriter) {
    out.fullBox("hdlr") { out in
      out.u32(0)
      out.code(type)
      if type == "mdir" { out.code("appl") } else { out.u32(0) }
      out.zeros(9)
    }
  }

  private func writeValue(_ value: MovieMetadata.Value, to out: inout BoxWriter) {
    out.box("data") { out in
      switch value {
      case .text(let text):
        out.u32(1)
        out.u32(0)
        out.add(text.utf8)
      case .integer(let number):
        out.u32(21)
        out.u32(0)
        if Int(Int32(truncatingIfNeeded: number)) == number { out.u32(number) } else { out.u64(number) }
      case .number(let number):
        out.u32(24)
        out.u32(0)
        out.u64(Int(truncatingIfNeeded: number.bitPattern))
      case .data(let data):
        out.u32(0)
        out.u32(0)
        out.add(data)
      }
    }
  }

  private func writeUserData(_ item: MovieMetadata, to out: inout BoxWriter) {
    guard let code = Self.code(item.key) else { return }
    out.box(code: code) { out in
      switch item.value {
      case .text(let text) where code >> 24 == 0xA9:
        let bytes = Array(text.utf8.prefix(0xFFFF))
        out.u16(bytes.count)
        // Undetermined language: what follows is UTF-8.
        out.u16(0x55C4)
        out.add(bytes)
      case .text(let text): out.add(text.utf8)
      case .data(let data): out.add(data)
      case .integer(let number): out.u32(number)
      case .number(let number): out.add("\(number)".utf8)
      }
    }
  }

  /// Four characters of Mac Roman, in which only © is not ASCII here.
  static func code(_ key: String) -> FourCharCode? {
    let bytes = key.unicodeScalars.map { $0 == "\u{A9}" ? 0xA9 : $0.value }
    guard bytes.count == 4, bytes.allSatisfy({ $0 < 0x100 }) else { return nil }
    return bytes.reduce(0) { $0 << 8 | $1 }
  }

  /// The text of such a code.
  static func key(_ code: FourCharCode) -> String {
    String(
      String.UnicodeScalarView(
        (0..<4).map { Unicode.Scalar(UInt8(truncatingIfNeeded: code >> (24 - 8 * $0))) })
    )
  }
}
