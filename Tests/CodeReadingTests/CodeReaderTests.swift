import CodeReading
import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms
import Testing

@Suite("Reading codes")
struct CodeReaderTests {
  static let everything = Set(CodeKind.allCases)

  static let samples: [(CodeKind, String, bars: Int?)] = [
    (.qr, "https://example.org/?q=1", nil), (.aztec, "ticket 4711", nil), (.dataMatrix, "part 0815", nil),
    (.pdf417, "boarding pass", nil), (.ean13, "4006381333931", 80), (.ean8, "96385074", 80),
    (.upcE, "01234565", 80), (.code39, "CODE 39", 80), (.code93, "CODE 93", 80), (.code128, "Code 128", 80),
    (.itf, "123456", 80), (.codabar, "A40156B", 80),
  ]

  @Test(arguments: samples)
  func `a code of each kind is read for what it is`(kind: CodeKind, text: String, bars: Int?) throws {
    let code = try DrawnCode(kind, text)
    var picture = CodePicture(width: code.width * 3 + 80, height: (bars ?? code.height * 3) + 80)
    picture.paint(code, x: 40, y: 40, scale: 3, barHeight: bars)
    let found = try CodeReader(kinds: Self.everything).codes(in: picture.buffer(), effort: .light)
    let read = try #require(found.first)
    #expect(found.count == 1)
    #expect(read.kind == kind)
    let expected = kind == .codabar ? "40156" : text
    #expect(read.text?.contains(expected) == true, "read \(read.text ?? "nothing")")
    #expect(read.bounds.minX >= 40 && read.bounds.maxX <= CGFloat(picture.width - 40))
  }

  @Test func `only the kinds that were asked for are read`() throws {
    let code = try DrawnCode(.qr, "hello")
    var picture = CodePicture(width: 200, height: 200)
    picture.paint(code, x: 20, y: 20, scale: 4)
    let pixels = try picture.buffer()
    #expect(try CodeReader(kinds: [.aztec, .ean13]).codes(in: pixels, effort: .thorough).isEmpty)
    #expect(try CodeReader(kinds: []).codes(in: pixels, effort: .thorough).isEmpty)
    #expect(try CodeReader(kinds: [.qr]).codes(in: pixels, effort: .light).map(\.text) == ["hello"])
  }

  @Test func `a UPC-A code is an EAN-13 with a leading zero`() throws {
    let code = try DrawnCode(format: "UPC-A", Array("012345678905".utf8), isBinary: false)
    var picture = CodePicture(width: code.width * 3 + 40, height: 120)
    picture.paint(code, x: 20, y: 20, scale: 3, barHeight: 80)
    let found = try CodeReader(kinds: [.ean13]).codes(in: picture.buffer(), effort: .light)
    #expect(found.map(\.kind) == [.ean13])
    #expect(found.map(\.text) == ["0012345678905"])
  }

  @Test(arguments: [3, 4, 7])
  func `corners are the symbol's own, clockwise from its top left, to the pixel`(scale: Int) throws {
    let code = try DrawnCode(.qr, "corners")
    var picture = CodePicture(width: code.width * scale + 61, height: code.height * scale + 47)
    picture.paint(code, x: 31, y: 17, scale: scale)
    let read = try #require(
      try CodeReader(kinds: [.qr]).codes(in: picture.buffer(), effort: .light).first)
    let left = CGFloat(31 + 4 * scale)
    let top = CGFloat(17 + 4 * scale)
    let side = CGFloat((code.width - 8) * scale)
    let expected = [
      CGPoint(x: left, y: top), CGPoint(x: left + side, y: top), CGPoint(x: left + side, y: top + side),
      CGPoint(x: left, y: top + side),
    ]
    for (corner, place) in zip(read.corners, expected) {
      #expect(abs(corner.x - place.x) <= 1 && abs(corner.y - place.y) <= 1, "\(corner) is not \(place)")
    }
  }

  // MARK: Parts

  @Test func `a part of a picture shows what lies inside, at its place in the whole`() throws {
    var picture = CodePicture(width: 640, height: 240)
    picture.paint(try DrawnCode(.qr, "left"), x: 40, y: 40, scale: 4)
    picture.paint(try DrawnCode(.qr, "right"), x: 400, y: 60, scale: 4)
    let pixels = try picture.buffer()
    let reader = CodeReader(kinds: [.qr])
    let whole = try reader.codes(in: pixels, effort: .light)
    #expect(Set(whole.map(\.text)) == ["left", "right"])
    let part = try reader.codes(
      in: pixels, part: PixelRect(x: 361, y: 11, width: 279, height: 229), effort: .light)
    #expect(part.map(\.text) == ["right"])
    let inWhole = try #require(whole.first { $0.text == "right" })
    for (corner, place) in zip(part[0].corners, inWhole.corners) {
      #expect(abs(corner.x - place.x) <= 1 && abs(corner.y - place.y) <= 1)
    }
  }

  @Test func `a part outside of the picture holds nothing`() throws {
    var picture = CodePicture(width: 160, height: 160)
    picture.paint(try DrawnCode(.qr, "x"), x: 20, y: 20, scale: 4)
    let pixels = try picture.buffer()
    let reader = CodeReader(kinds: [.qr])
    for part in [
      PixelRect(x: 160, y: 0, width: 10, height: 10), PixelRect(x: -50, y: -50, width: 50, height: 50),
      PixelRect(x: 3, y: 3, width: 0, height: 20), PixelRect(x: 0, y: 0, width: 3, height: 3),
    ] {
      #expect(try reader.codes(in: pixels, part: part, effort: .thorough).isEmpty)
    }
    #expect(
      try reader.codes(in: pixels, part: PixelRect(x: -9, y: -9, width: 999, height: 999), effort: .light)
        .map(\.text) == ["x"])
  }

  @Test(arguments: [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_OneComponent8,
  ])
  func `pictures with a plane of luma are read without a copy`(format: OSType) throws {
    var picture = CodePicture(width: 200, height: 160)
    picture.paint(try DrawnCode(.qr, "luma"), x: 20, y: 20, scale: 4)
    let pixels = try picture.buffer(format)
    let reader = CodeReader(kinds: [.qr])
    let found = try reader.codes(
      in: pixels, part: PixelRect(x: 10, y: 10, width: 180, height: 140), effort: .light)
    #expect(found.map(\.text) == ["luma"])
    #expect(reader.bytesCopied == 0)
  }

  @Test(arguments: [
    kCVPixelFormatType_32BGRA, kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8,
    kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_24RGB,
  ])
  func `of other pictures the luma of the part is made, and corners stay in place`(format: OSType) throws {
    var picture = CodePicture(width: 202, height: 162)
    picture.paint(try DrawnCode(.qr, "other"), x: 21, y: 23, scale: 4)
    let part = PixelRect(x: 11, y: 11, width: 181, height: 141)
    let reader = CodeReader(kinds: [.qr])
    let plain = try reader.codes(in: picture.buffer(), part: part, effort: .light)
    #expect(reader.bytesCopied == 0)
    let found = try reader.codes(in: picture.buffer(format), part: part, effort: .light)
    #expect(found.map(\.text) == ["other"])
    #expect(reader.bytesCopied > 0)
    for (corner, place) in zip(found.first?.corners ?? [], plain.first?.corners ?? []) {
      #expect(abs(corner.x - place.x) <= 1 && abs(corner.y - place.y) <= 1)
    }
  }

  // MARK: Harder looks

  @Test func `a light code on dark ground takes a harder look`() throws {
    var picture = CodePicture(width: 200, height: 200)
    picture.paint(try DrawnCode(.qr, "negative"), x: 20, y: 20, scale: 4)
    picture.pixels = picture.pixels.map { 255 - $0 }
    let pixels = try picture.buffer()
    let reader = CodeReader(kinds: [.qr])
    #expect(try reader.codes(in: pixels, effort: .light).isEmpty)
    #expect(try reader.codes(in: pixels, effort: .thorough).map(\.text) == ["negative"])
  }

  /// A change of a plain picture, after which a light search finds nothing in it.
  struct Trouble: Sendable, CustomTestStringConvertible {
    let name: String
    let scale: Int
    let change: @Sendable (_ level: UInt8, _ x: Int, _ y: Int) -> UInt8
    var testDescription: String { name }
  }

  static let troubles = [
    Trouble(name: "too little contrast for a neighbourhood", scale: 4) { level, _, _ in level / 16 + 100 },
    Trouble(name: "a grid over all of it", scale: 9) { level, x, y in x % 3 == 0 || y % 3 == 0 ? 187 : level
    },
  ]

  @Test(arguments: troubles)
  func `what a light look does not read, a thorough one does`(trouble: Trouble) throws {
    let code = try DrawnCode(.qr, "thorough")
    var picture = CodePicture(
      width: code.width * trouble.scale, height: code.height * trouble.scale, ground: 187)
    picture.paint(code, x: 0, y: 0, scale: trouble.scale)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let index = y * picture.width + x
        picture.pixels[index] = trouble.change(picture.pixels[index], x, y)
      }
    }
    let pixels = try picture.buffer()
    let reader = CodeReader(kinds: [.qr])
    #expect(try reader.codes(in: pixels, effort: .light).isEmpty)
    #expect(try reader.codes(in: pixels, effort: .thorough).map(\.text) == ["thorough"])
  }

  @Test func `codes of several sizes in one picture are all read, up to the limit`() throws {
    var picture = CodePicture(width: 640, height: 300)
    picture.paint(try DrawnCode(.qr, "small"), x: 10, y: 20, scale: 2)
    picture.paint(try DrawnCode(.qr, "middle"), x: 110, y: 60, scale: 4)
    picture.paint(try DrawnCode(.qr, "large"), x: 350, y: 10, scale: 9)
    let pixels = try picture.buffer()
    let reader = CodeReader(kinds: [.qr])
    #expect(Set(try reader.codes(in: pixels, effort: .light).map(\.text)) == ["small", "middle", "large"])
    reader.limit = 2
    #expect(try reader.codes(in: pixels, effort: .light).count == 2)
  }

  @Test func `rows of bars are read beside matrix codes, also light on dark`() throws {
    let bars = try DrawnCode(.code128, "Beside 128")
    var picture = CodePicture(width: bars.width * 2 + 40, height: 300)
    picture.paint(try DrawnCode(.qr, "above"), x: 20, y: 10, scale: 4)
    picture.paint(bars, x: 20, y: 200, scale: 2, barHeight: 70)
    let reader = CodeReader(kinds: Self.everything)
    #expect(Set(try reader.codes(in: picture.buffer(), effort: .light).map(\.kind)) == [.qr, .code128])
    var dark = CodePicture(width: bars.width * 2 + 40, height: 120)
    dark.paint(bars, x: 20, y: 20, scale: 2, barHeight: 70)
    dark.pixels = dark.pixels.map { 255 - $0 }
    #expect(try reader.codes(in: dark.buffer(), effort: .light).isEmpty)
    #expect(try reader.codes(in: dark.buffer(), effort: .thorough).map(\.text) == ["Beside 128"])
  }

  @Test func `one harder look follows the other from picture to picture`() throws {
    var picture = CodePicture(width: 200, height: 200)
    picture.paint(try DrawnCode(.qr, "in turn"), x: 20, y: 20, scale: 4)
    picture.pixels = picture.pixels.map { 255 - $0 }
    let pixels = try picture.buffer()
    let reader = CodeReader(kinds: [.qr])
    let looks = try (0..<8).map { _ in try reader.codes(in: pixels, effort: .next).first?.text }
    #expect(looks.contains("in turn"))
    #expect(looks.contains(nil))
  }

  @Test func `a live reader comes to harder looks, unless there is no time for them`() throws {
    var picture = CodePicture(width: 200, height: 200)
    picture.paint(try DrawnCode(.qr, "patience"), x: 20, y: 20, scale: 4)
    picture.pixels = picture.pixels.map { 255 - $0 }
    let pixels = try picture.buffer()
    func looks(budget: Int64) throws -> Int? {
      let reader = LiveCodeReader(kinds: [.qr], budgetNanoseconds: budget)
      return try (0..<400).first { _ in try !reader.codes(in: pixels, part: nil).isEmpty }
    }
    let first = try #require(try looks(budget: .max))
    #expect(first > 0)
    #expect(try looks(budget: 0) == nil)
  }

  @Test func `a live reader finds a plain code in the first picture`() throws {
    var picture = CodePicture(width: 200, height: 200)
    picture.paint(try DrawnCode(.qr, "now"), x: 20, y: 20, scale: 4)
    let reader = LiveCodeReader(kinds: [.qr], budgetNanoseconds: 0)
    #expect(try reader.codes(in: picture.buffer(), part: nil).map(\.text) == ["now"])
  }
}
