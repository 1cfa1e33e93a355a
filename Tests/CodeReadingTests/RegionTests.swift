import CodeReading
import CoreVideo
import Foundation
import PixelTransforms
import Testing

@Suite("Codes that touch a region")
struct RegionTests {
  private static let size = PixelSize(width: 960, height: 540)
  private static let region = CGRect(x: 300, y: 180, width: 240, height: 160)
  private static let code = Result { try DrawnCode(.qr, "region") }

  /// A picture with a code, its quiet zone's top left corner at (`x`, `y`).
  private func picture(x: Int, y: Int, scale: Int) throws -> CVPixelBuffer {
    var picture = CodePicture(width: Self.size.width, height: Self.size.height)
    picture.paint(try Self.code.get(), x: x, y: y, scale: scale)
    return try picture.buffer(kCVPixelFormatType_OneComponent8)
  }

  private func wholeSearch(_ picture: CVPixelBuffer) throws -> [RecognizedCode] {
    try CodeReader(kinds: [.qr]).codes(in: picture, effort: .light)
      .filter { $0.bounds.intersects(Self.region) }
  }

  private func reader() -> LiveCodeReader {
    LiveCodeReader(kinds: [.qr], budgetNanoseconds: 0)
  }

  /// Places all over the region and around it, for codes of a scale.
  private static let places: [(x: Int, y: Int)] = [
    (310, 190), (420, 220), (250, 150), (480, 290), (200, 200), (530, 130), (360, 60), (400, 330), (600, 400),
    (20, 20),
  ]

  @Test(arguments: [2, 4, 7])
  func `a still picture gives what a search of the whole gives, in every frame`(scale: Int) throws {
    for place in Self.places {
      let picture = try picture(x: place.x, y: place.y, scale: scale)
      let whole = try wholeSearch(picture)
      let reader = reader()
      for number in 0..<8 {
        let found = try reader.codes(in: picture, touching: Self.region)
        #expect(found.map(\.text) == whole.map(\.text), "\(place), picture \(number)")
        for (one, other) in zip(found, whole) {
          for (corner, same) in zip(one.corners, other.corners) {
            #expect(hypot(corner.x - same.x, corner.y - same.y) < 1.5)
          }
        }
      }
    }
  }

  @Test func `a code that comes in is found at once where it hardly sticks out, else some pictures later`()
    throws
  {
    for (x, y, scale, latest) in [(320, 200, 3, 0), (282, 166, 4, 0), (200, 120, 7, RegionWatch.period - 1)] {
      let reader = reader()
      let empty = try CodePicture(width: Self.size.width, height: Self.size.height)
        .buffer(kCVPixelFormatType_OneComponent8)
      for _ in 0..<2 { #expect(try reader.codes(in: empty, touching: Self.region).isEmpty) }
      let picture = try picture(x: x, y: y, scale: scale)
      #expect(try wholeSearch(picture).count == 1)
      let first = try (0..<RegionWatch.period).first { _ in
        try !reader.codes(in: picture, touching: Self.region).isEmpty
      }
      #expect(try #require(first) <= latest)
    }
  }

  @Test func `a large code that moves across the region stays in view`() throws {
    let reader = reader()
    for x in stride(from: 180, through: 500, by: 12) {
      let picture = try picture(x: x, y: 100, scale: 7)
      #expect(
        try reader.codes(in: picture, touching: Self.region).map(\.text) == wholeSearch(picture).map(\.text),
        "at \(x)")
    }
  }

  @Test func `five of six pictures are searched in the region and a margin alone`() throws {
    var watch = RegionWatch()
    let margin = Int(RegionWatch.marginShare * Double(Self.size.width))
    for number in 0..<14 {
      let part = watch.part(touching: Self.region, of: Self.size)
      #expect((part == nil) == (number % RegionWatch.period == 0))
      if let part {
        #expect(part.x == 300 - margin && part.width == 240 + 2 * margin)
        #expect(part.y == 180 - margin && part.height == 160 + 2 * margin)
      }
      _ = watch.touching([], of: Self.size, isWhole: part == nil)
    }
    #expect(
      watch.part(touching: CGRect(x: 0, y: 0, width: 960, height: 540), of: Self.size) == nil)
    _ = watch.part(touching: Self.region, of: Self.size)
    #expect(watch.part(touching: Self.region, of: Self.size) != nil, "the first of a region is whole")
  }
}
