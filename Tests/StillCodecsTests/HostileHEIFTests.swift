import CoreVideo
import Foundation
import SeededNumbers
import StillCodecs
import Testing

func pictureFile(_ name: String) throws -> Data {
  try Data(contentsOf: #require(Bundle.module.url(forResource: "Pictures/\(name)", withExtension: nil)))
}

/// Files whose pictures are made of each other in ways that the decoding library does not survive.
@Suite("HEIF files made to harm")
struct HostileHEIFTests {
  static let structures: [(String, CraftedHEIF)] = [
    ("a grid of itself", CraftedHEIF(references: [("dimg", 1, [1])])),
    ("an identity of itself", CraftedHEIF(items: [(1, "iden")], references: [("dimg", 1, [1])])),
    ("an overlay of itself", CraftedHEIF(items: [(1, "iovl")], references: [("dimg", 1, [1])])),
    (
      "two of each other",
      CraftedHEIF(items: [(1, "iden"), (2, "grid")], references: [("dimg", 1, [2]), ("dimg", 2, [1])])
    ),
    (
      "three in a ring, not the primary one",
      CraftedHEIF(
        items: [(1, "hvc1"), (2, "iden"), (3, "iden"), (4, "iden")],
        references: [("dimg", 2, [3]), ("dimg", 3, [4]), ("dimg", 4, [2])])
    ),
    (
      "the alpha of its own part",
      CraftedHEIF(items: [(1, "grid"), (2, "iden")], references: [("dimg", 2, [1]), ("auxl", 2, [1])])
    ),
    ("its own alpha", CraftedHEIF(references: [("dimg", 1, [2]), ("auxl", 1, [1])])),
    ("its own thumbnail", CraftedHEIF(references: [("dimg", 1, [2]), ("thmb", 1, [1])])),
    ("a part that is not there", CraftedHEIF(references: [("dimg", 1, [9])])),
    (
      "a part that is no picture",
      CraftedHEIF(items: [(1, "iden"), (2, "Exif")], references: [("dimg", 1, [2])])
    ),
    (
      "a tile with alpha",
      CraftedHEIF(
        items: [(1, "grid"), (2, "hvc1"), (3, "hvc1")], references: [("dimg", 1, [2]), ("auxl", 3, [2])])
    ),
    (
      "twelve deep",
      CraftedHEIF(
        items: (1...12).map { ($0, "iden") } + [(13, "hvc1")],
        references: (1...12).map { ("dimg", $0, [$0 + 1]) })
    ),
    (
      "parts that multiply",
      CraftedHEIF(
        items: (1...5).map { ($0, "iovl") } + [(6, "hvc1")],
        references: (1...5).map { ("dimg", $0, Array(repeating: $0 + 1, count: 30)) },
        size: (8000, 8000))
    ),
    ("two items of one number", CraftedHEIF(items: [(1, "grid"), (2, "hvc1"), (2, "iden")])),
    (
      "bytes behind the boxes",
      CraftedHEIF(more: CraftedHEIF.number(4000, 4) + Data("iref".utf8) + Data(count: 20))
    ),
    (
      "references once more", CraftedHEIF(more: CraftedHEIF.box("iref", Data(count: 4)))
    ),
    ("a second meta box", CraftedHEIF(second: CraftedHEIF(references: [("dimg", 1, [1])]).meta)),
  ]

  @Test(arguments: structures.indices)
  func `a picture that is made of itself is refused by every reader with one sentence`(index: Int) throws {
    let (name, structure) = Self.structures[index]
    let file = structure.file
    for read in [
      { _ = try StillFacts(file) }, { _ = try HEICDecoder.decode(file) },
      { _ = try HEICDecoder.decodeThumbnail(file) },
    ] {
      let error = #expect(throws: StillCodecError.self, "\(name)") { try read() }
      #expect([.damaged, .tooLarge].contains(error?.code), "\(name): \(error?.description ?? "")")
      #expect(error?.description.hasSuffix(".") == true && error?.description.contains("\n") == false)
    }
  }

  @Test func `a grid of itself that ended programs is refused`() throws {
    let file = try pictureFile("grid-of-itself.heic")
    let error = #expect(throws: StillCodecError.self) { try StillFacts(file) }
    #expect(error?.description.contains("a part of itself") == true)
  }

  @Test func `a picture cut to a part has that part's size and pixels`() throws {
    let file = try pictureFile("clap-29x100.heic")
    let facts = try StillFacts(file)
    #expect(facts.width == 29 && facts.height == 100)
    for format in [kCVPixelFormatType_32RGBA, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange] {
      let picture = try HEICDecoder.decode(file, to: format)
      #expect(CVPixelBufferGetWidth(picture) == 29 && CVPixelBufferGetHeight(picture) == 100)
    }
  }

  @Test func `EXIF behind the pixels of a PNG is read`() throws {
    let facts = try StillFacts(pictureFile("exif-behind-pixels.png"))
    #expect(facts.orientation == 6)
    #expect(facts.exifBlock?[ExifTag(.image, 0x010F)] == .text("Acme"))
  }

  @Test(arguments: ["extra2.jpg", "extra4.jpg", "trail.jpg"])
  func `JPEGs with bytes and markers that libjpeg passes over are whole`(name: String) throws {
    let file = try pictureFile(name)
    #expect(JPEGCheck.verdict(on: file) == .whole(length: file.count))
  }
}
