import CodeReading
import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms
import SeededNumbers
import Testing

@Suite("Payloads and malformed pictures")
struct PayloadTests {
  private func read(_ code: DrawnCode, _ kind: CodeKind, scale: Int = 3) throws -> RecognizedCode? {
    var picture = CodePicture(width: code.width * scale + 20, height: code.height * scale + 20)
    picture.paint(code, x: 10, y: 10, scale: scale)
    return try CodeReader(kinds: [kind]).codes(in: picture.buffer(), effort: .thorough).first
  }

  @Test(arguments: [CodeKind.qr, .aztec, .dataMatrix])
  func `bytes come back as they are`(kind: CodeKind) throws {
    let bytes: [UInt8] = [0x00, 0xFF, 0x80, 0x01, 0xC3, 0x28, 0xFE, 0x07, 0x1B, 0x9C]
    let code = try #require(try read(DrawnCode(kind, bytes: bytes), kind))
    #expect(code.bytes == bytes)
    if let text = code.text { #expect(!text.contains("\u{FFFD}")) }
  }

  @Test func `every text that comes back is valid, whatever the bytes`() throws {
    let payloads: [[UInt8]] = [
      [0xC3, 0x28], [0xE2, 0x82], [0xF0, 0x9F, 0x92], [0xED, 0xA0, 0x80], [0xFF, 0xFE, 0xFD], [0x00],
      Array(0...255),
    ]
    for payload in payloads {
      let code = try #require(try read(DrawnCode(.qr, bytes: payload), .qr))
      #expect(code.bytes == payload)
    }
  }

  @Test func `text of all the world is text`() throws {
    let text = "Grüße, 世界, مرحبا, 🎥"
    let code = try #require(try read(DrawnCode(.qr, text), .qr))
    #expect(code.text == text)
  }

  @Test func `a payload of seven thousand digits is read`() throws {
    let text = String((0..<7000).map { Character(String($0 * 7 % 10)) })
    let code = try #require(try read(DrawnCode(.qr, text), .qr))
    #expect(code.text == text)
  }

  /// The smallest QR code with a payload of no bytes at all, which the writing library refuses: a row of modules each, dark is 1.
  private static let emptyRows: [UInt32] = [
    0x1FC57F, 0x104141, 0x17545D, 0x17415D, 0x174B5D, 0x104E41, 0x1FD57F, 0x001400, 0x1DF5C4, 0x1496AA,
    0x054AEE,
    0x09AFBB, 0x1BEEEE, 0x001C46, 0x1FD111, 0x105C46, 0x175155, 0x174AAA, 0x1756ED, 0x105BBA, 0x1FDAEF,
  ]

  @Test func `a code without a payload is a code, of no bytes and an empty text`() throws {
    var picture = CodePicture(width: 124, height: 124)
    for y in 0..<84 {
      for x in 0..<84 where Self.emptyRows[y / 4] >> (20 - x / 4) & 1 == 1 {
        picture.pixels[(20 + y) * 124 + 20 + x] = 60
      }
    }
    let found = try CodeReader(kinds: [.qr]).codes(in: picture.buffer(), effort: .light)
    #expect(found.map(\.bytes) == [[]])
    #expect(found.map(\.text) == [""])
  }

  @Test func `noise and mutated codes never crash, and give no text of their own`() throws {
    var numbers = SeededGenerator(seed: 1)
    let reader = CodeReader(kinds: Set(CodeKind.allCases))
    let drawn = try [
      DrawnCode(.qr, "mutated"), DrawnCode(.aztec, "mutated"), DrawnCode(.dataMatrix, "mutated"),
      DrawnCode(.pdf417, "mutated"),
    ]
    // More where mutations are asked for, as for a run under AddressSanitizer.
    let rounds = ProcessInfo.processInfo.environment["OBSCURA_MUTATIONS"] == nil ? 60 : 500
    for round in 0..<rounds {
      let width = 1 + Int(numbers.next() % 150)
      let height = 1 + Int(numbers.next() % 120)
      var picture = CodePicture(width: width, height: height)
      if round % 3 == 0 {
        picture.pixels = picture.pixels.map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
      } else {
        picture.paint(
          drawn[round % 4], x: Int(numbers.next() % 20) - 8, y: Int(numbers.next() % 20) - 8, scale: 2)
        for _ in 0..<Int(numbers.next() % 2000) {
          picture.pixels[Int(numbers.next() % UInt64(width * height))] = UInt8(
            truncatingIfNeeded: numbers.next())
        }
      }
      for code in try reader.codes(in: picture.buffer(), effort: .thorough) where round % 3 != 0 {
        #expect(code.isLinearGuess || code.text == "mutated")
      }
    }
  }
}

extension RecognizedCode {
  /// Rows of bars without check characters can be seen in anything.
  fileprivate var isLinearGuess: Bool { kind.isLinear }
}
