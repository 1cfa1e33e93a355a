import CodeReading
import Foundation
import Testing

@Suite(
  "How codes hold what they say",
  .enabled(if: CodeKind.libraryVersion.hasPrefix("1."), "newer libraries keep it"))
struct CodeSymbolTests {
  private func symbol(_ kind: CodeKind, _ text: String, scale: Int = 4) throws -> (CodeSymbol, DrawnCode) {
    let code = try DrawnCode(kind, text)
    var picture = CodePicture(width: code.width * scale + 60, height: code.height * scale + 60)
    picture.paint(code, x: 30, y: 30, scale: scale)
    let read = try #require(
      try CodeReader(kinds: [kind]).codes(in: picture.buffer(), effort: .light).first)
    return (try #require(read.symbol), code)
  }

  /// Whether a mask turns a module, by its number.
  ///
  /// Source: ISO/IEC 18004, table 10.
  private static func turns(_ mask: Int, row: Int, column: Int) -> Bool {
    let product = row * column
    return switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: product % 2 + product % 3 == 0
    case 6: (product % 2 + product % 3) % 2 == 0
    default: ((row + column) % 2 + product % 3) % 2 == 0
    }
  }

  @Test(arguments: ["a", "hello", "https://e.org/1", "0123456789", "UPPER CASE", "mask", "other", "seventh"])
  func `a QR code's mask, taken off, leaves its first codewords where they belong`(text: String) throws {
    let (symbol, code) = try symbol(.qr, text)
    guard case .qr(let version, let mask, let level) = symbol.shape else {
      Issue.record("\(symbol.shape)")
      return
    }
    let side = code.width - 8
    #expect(version == (side - 17) / 4)
    #expect("LMQH".contains(level))
    // Upwards in the two columns at the right edge, from the lower right corner; without blocks of their own up to version 2.
    try #require(version <= 2)
    for index in 0..<3 {
      var byte = 0
      for bit in 0..<8 {
        let (row, column) = (side - 1 - 4 * index - bit / 2, side - 1 - bit % 2)
        let isDark = code.modules[(row + 4) * code.width + column + 4] == 0
        byte = byte << 1 | (isDark != Self.turns(mask, row: row, column: column) ? 1 : 0)
      }
      #expect(byte == Int(symbol.codewords[index]))
    }
  }

  @Test func `a QR code's codewords are mode, length, text and padding`() throws {
    let symbol = try symbol(.qr, "hello").0
    guard case .qr(version: 1, _, let level) = symbol.shape else {
      Issue.record("\(symbol.shape)")
      return
    }
    // As many codewords of the message as a code of version 1 has.
    #expect(symbol.codewords.count == ["L": 19, "M": 16, "Q": 13, "H": 9][level])
    #expect(symbol.codewords.starts(with: [0x40, 0x56, 0x86, 0x56, 0xC6, 0xC6, 0xF0]))
  }

  @Test(arguments: [
    ("A", 15, true), ("ticket 4711", 15, true), (String(repeating: "Aztec ", count: 10), 0, nil as Bool?),
    (String(repeating: "a longer message, ", count: 20), 0, false),
  ])
  func `an Aztec code says its layers, its core and its length`(text: String, side: Int, isCompact: Bool?)
    throws
  {
    let (symbol, code) = try symbol(.aztec, text)
    guard case .aztec(let isSmall, let layers, let codewords) = symbol.shape else {
      Issue.record("\(symbol.shape)")
      return
    }
    let modules = code.width - 8
    let bare = 14 + 4 * layers
    #expect(modules == (isSmall ? 11 + 4 * layers : bare + 1 + 2 * ((bare / 2 - 1) / 15)))
    if side > 0 { #expect(modules == side) }
    if let isCompact { #expect(isSmall == isCompact) }
    let wordSize = layers <= 2 ? 6 : layers <= 8 ? 8 : layers <= 22 ? 10 : 12
    // Codewords hold the message, and a bit more for each that would have been all dark or all light.
    #expect(codewords * wordSize >= symbol.codewords.count * 8 - 7)
    #expect((codewords - 3) * (wordSize - 1) <= symbol.codewords.count * 8)
  }

  @Test(arguments: [
    "a", "part 0815", "123456789012345678901234567890", String(repeating: "longer ", count: 15),
  ])
  func `a Data Matrix code says its size`(text: String) throws {
    let (symbol, code) = try symbol(.dataMatrix, text)
    #expect(symbol.shape == .dataMatrix(rows: code.height - 8, columns: code.width - 8))
    // Letters are their code plus one, pairs of digits 130 and more.
    if text == "a" { #expect(symbol.codewords.first == 98) }
    if text.hasPrefix("12") { #expect(symbol.codewords.first == 142) }
  }
}
