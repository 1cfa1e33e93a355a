import CodeReading
import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import Testing

@Suite("Several codes in view")
struct ManyCodesTests {
  static let bars: [(CodeKind, String)] = [
    (.ean13, "4006381333931"), (.ean8, "96385074"), (.upcE, "01234565"), (.code39, "CODE 39"),
    (.code93, "CODE 93"),
    (.code128, "Code 128"), (.itf, "123456"), (.codabar, "A40156B"),
  ]

  private func count(_ kind: CodeKind, in picture: CodePicture, _ effort: CodeReader.Effort) throws -> Int {
    let found = try CodeReader(kinds: Set(CodeKind.allCases)).codes(in: picture.buffer(), effort: effort)
    #expect(found.allSatisfy { $0.kind == kind })
    return found.count
  }

  /// Places of the second code, of its own size and the picture's.
  enum Neighbour: CaseIterable { case beside, below, belowAndAside, farBelow }

  @Test(arguments: bars, Neighbour.allCases)
  func `two equal rows of bars are two`(bars: (CodeKind, String), place: Neighbour) throws {
    let code = try DrawnCode(bars.0, bars.1)
    let (width, height) = (code.width * 2, 40)
    let (x, y) =
      switch place {
      case .beside: (width + 12, 0)
      case .below: (0, height + 8)
      case .belowAndAside: (width / 4, height + 8)
      case .farBelow: (0, 3 * height)
      }
    var picture = CodePicture(width: width * 2 + 40, height: 5 * height)
    picture.paint(code, x: 10, y: 20, scale: 2, barHeight: height)
    picture.paint(code, x: 10 + x, y: 20 + y, scale: 2, barHeight: height)
    #expect(try count(bars.0, in: picture, .thorough) == 2)
    if place != .farBelow { #expect(try count(bars.0, in: picture, .light) >= 1) }
    #expect(try count(bars.0, in: picture.turned(), .thorough) == 2)
    #expect(try count(bars.0, in: picture.turned().turned(), .thorough) == 2)
  }

  @Test(arguments: bars)
  func `a scratch across a code does not make it two`(bars: (CodeKind, String)) throws {
    let code = try DrawnCode(bars.0, bars.1)
    var picture = CodePicture(width: code.width * 3 + 40, height: 120)
    picture.paint(code, x: 20, y: 20, scale: 3, barHeight: 80)
    for x in 0..<picture.width { picture.pixels[58 * picture.width + x] = 190 }
    #expect(try count(bars.0, in: picture, .thorough) == 1)
  }

  @Test func `corners of a code that stands on its head are its own`() throws {
    let code = try DrawnCode(.code128, "Code 128")
    var picture = CodePicture(width: code.width * 2 + 40, height: 100)
    picture.paint(code, x: 20, y: 20, scale: 2, barHeight: 60)
    let pixels = try picture.turned().turned().buffer()
    let read = try #require(try CodeReader(kinds: [.code128]).codes(in: pixels, effort: .thorough).first)
    #expect(read.corners[0].x > read.corners[1].x + 100)
    #expect(read.corners[0].y > read.corners[3].y + 30)
  }

  /// A picture with a QR code in its middle, so that something is found at once, and a PDF417 code below it.
  private func pair() throws -> CodePicture {
    var picture = CodePicture(width: 340, height: 340)
    picture.paint(try DrawnCode(.qr, "beside"), x: 140, y: 130, scale: 2)
    picture.paint(try DrawnCode(.pdf417, "6037"), x: 20, y: 240, scale: 2)
    return picture
  }

  private func kinds(in picture: CodePicture) throws -> [String] {
    try CodeReader(kinds: Set(CodeKind.allCases)).codes(in: picture.buffer(), effort: .thorough)
      .map(\.kind.rawValue).sorted()
  }

  @Test(arguments: 0..<4)
  func `a PDF417 code is read beside what looks like the beginning of one, however it lies`(turns: Int) throws
  {
    var picture = try pair()
    for _ in 0..<turns { picture = picture.turned() }
    // Bars as they begin such a code, read from left to right, where there is room in each picture.
    var x = 10
    for (index, modules) in [8, 1, 1, 1, 1, 1, 1, 3, 2].enumerated() {
      for y in 150..<190 where index % 2 == 0 {
        for column in x..<x + 2 * modules { picture.pixels[y * picture.width + column] = 60 }
      }
      x += 2 * modules
    }
    #expect(try kinds(in: picture) == ["PDF417", "QR"])
  }

  @Test(arguments: 0..<4)
  func `a PDF417 code that cannot be read hides no other`(turns: Int) throws {
    var picture = try pair().turned().turned()
    picture.paint(try DrawnCode(.pdf417, "6037"), x: 20, y: 240, scale: 2)
    // Something lies over most of it.
    for y in 230..<340 {
      for x in 90..<200 { picture.pixels[y * picture.width + x] = 60 }
    }
    for _ in 0..<turns { picture = picture.turned() }
    #expect(try kinds(in: picture) == ["PDF417", "QR"])
  }

  @Test(arguments: [("two-ean13", CodeKind.ean13, 2), ("databar-expanded-stacked", .dataBarExpanded, 1)])
  func `pictures that ended the process are read`(name: String, kind: CodeKind, count: Int) throws {
    let picture = try CodePicture(named: name)
    let reader = CodeReader(kinds: Set(CodeKind.allCases.filter(\.isLinear)))
    let pixels = try picture.buffer(kCVPixelFormatType_OneComponent8)
    #expect(try reader.codes(in: pixels, effort: .light).count <= count)
    #expect(
      try reader.codes(in: pixels, effort: .thorough).map(\.kind) == Array(repeating: kind, count: count))
    // One above the other, and beside each other, with everything twice.
    for isBeside in [false, true] {
      let twice = picture.twice(isBeside: isBeside)
      let found = try reader.codes(in: twice.buffer(kCVPixelFormatType_OneComponent8), effort: .thorough)
      #expect(found.map(\.kind) == Array(repeating: kind, count: 2 * count))
    }
  }
}

@Suite("Crowds of codes under stress")
struct ManyCodesStressTests {
  /// 10 000 pictures with `OBSCURA_STRESS=1`; see `FuzzCount`.
  @Test func `what is read of a code alone is read among others, and no picture ends the process`() throws {
    let count = FuzzCount(usual: 40, all: 10_000).value
    var random = SeededGenerator(usual: 31)
    let reader = CodeReader(kinds: Set(CodeKind.allCases))
    var (codes, missed) = (0, 0)
    for round in 0..<count {
      let crowd = try CodeCrowd(of: .random(in: 2...5, using: &random), &random)
      var found = try reader.codes(
        in: crowd.picture.buffer(kCVPixelFormatType_OneComponent8), effort: .thorough)
      for member in crowd.members {
        guard
          let alone = try reader.codes(
            in: member.alone.buffer(kCVPixelFormatType_OneComponent8), effort: .plain
          ).first
        else { continue }
        codes += 1
        if let index = found.firstIndex(where: { $0.kind == alone.kind && $0.bytes == alone.bytes }) {
          found.remove(at: index)
        } else {
          missed += 1
          Issue.record(
            "round \(round), seed \(random.seed): \(alone.kind) \(alone.text ?? "") was not read among others"
          )
        }
      }
    }
    #expect(codes > count)
  }
}
