import CoreVideo
import Foundation
import StillCodecs
import Testing

@Suite("DNG files as pictures")
struct DNGPictureTests {
  /// A sensor's picture of one colour, in linear sRGB, in a light of which it sees `neutral` as white.
  private func file(
    _ color: [Double], neutral: [Double] = [0.5, 1, 0.75], width: Int = 64, height: Int = 48,
    _ change: (inout DNGEncoder.Options) -> Void = { _ in }
  ) throws -> Data {
    let mosaic = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_GBRG, width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let channel = [1, 2, 0, 1][y % 2 * 2 + x % 2]
        mosaic.planes[0].row(y).storeBytes(
          of: UInt16(256 + (4095 - 256) * color[channel] * neutral[channel]), toByteOffset: 2 * x,
          as: UInt16.self)
      }
    }
    var options = DNGEncoder.Options()
    options.bits = 12
    options.blackLevels = [256]
    options.whiteLevel = 4095
    // It sees as sRGB does.
    options.colors = [
      DNGEncoder.Colors(matrix: [
        3.240_969_942, -1.537_383_178, -0.498_610_760, -0.969_243_636, 1.875_967_502, 0.041_555_057,
        0.055_630_080, -0.203_976_959, 1.056_971_514,
      ])
    ]
    options.neutral = neutral
    change(&options)
    return try DNGEncoder.encode(mosaic, options: options)
  }

  private func middle(_ buffer: CVPixelBuffer) -> [Int] {
    let row = buffer.planes[0].row(buffer.height / 2)
    return (0..<4).map { Int(row[4 * (buffer.width / 2) + $0]) }
  }

  @Test(arguments: StillScale.allCases)
  func `a file is developed in its own light, in every scale`(scale: StillScale) throws {
    for (color, code) in [([0.2, 0.2, 0.2], [124, 124, 124]), ([0.6, 0.2, 0.1], [203, 124, 89])] {
      let data = try file(color)
      let facts = try StillFacts(data)
      #expect(facts.format == .dng && facts.width == 60 && facts.height == 44)
      let picture = try facts.decode(data, scale: scale)
      let size = scale.size(width: 60, height: 44)
      #expect(picture.width == size.width && picture.height == size.height)
      let found = middle(picture)
      #expect(found[3] == 255)
      for index in 0..<3 { #expect(abs(found[index] - code[index]) <= 3, "\(found) \(code)") }
    }
  }

  @Test func `an active area and a crop show what they say, also with odd edges`() throws {
    let data = try file([0.3, 0.3, 0.3]) { $0.crop = (3, 5, 31, 21) }
    let facts = try StillFacts(data)
    #expect(facts.width == 31 && facts.height == 21)
    for scale in StillScale.allCases {
      let picture = try facts.decode(data, scale: scale)
      let size = scale.size(width: 31, height: 21)
      #expect(picture.width == size.width && picture.height == size.height)
    }
  }

  @Test func `a file that is cut off is damaged wherever it is cut`() throws {
    let data = try file([0.3, 0.3, 0.3]) { options in
      options.exif[ExifTag(.exif, 0x9003)] = .text("2026:11:28 12:00:00")
    }
    _ = try StillFacts(data)
    for count in stride(from: 1, to: data.count, by: 7) {
      #expect(throws: StillCodecError.self) { try StillFacts(data.prefix(count)) }
    }
  }

  @Test func `a TIFF that is no DNG is refused by a sentence that says so`() throws {
    let scan = CraftedDNG.file([(256, 4, [4]), (257, 4, [4])], [])
    let error = #expect(throws: StillCodecError.self) { try StillFacts(scan) }
    #expect(error?.code == .unsupported && error?.description.contains("only DNG is read") == true)
  }

  @Test(arguments: [330, 274, 50778, 34665, 273, 50719, 50720] as [UInt16])
  func `a number that is none does no harm`(tag: UInt16) throws {
    // Not a number, and infinity, in the tags that name places and kinds.
    for bits in [0x7FC0_0000, 0x7F80_0000, 0xFF80_0000] {
      var tags: [(tag: UInt16, kind: Int, values: [Int])] =
        [(256, 4, [16]), (257, 4, [16]), (258, 3, [16]), (259, 3, [1]), (278, 3, [16]), (279, 4, [512])]
        + CraftedDNG.plain + [(50706, 1, [1, 4, 0, 0]), (50721, 4, Array(repeating: 1, count: 9))]
      if tag != 273 { tags.append((273, 4, [-1])) }
      tags.append((tag, 4, [bits]))
      let block = [UInt8](repeating: 40, count: 512)
      var data = CraftedDNG.file(tags.sorted { $0.tag < $1.tag }, [block])
      // As a float: kind 11.
      let entry = try #require(data.range(of: Data([UInt8(tag >> 8), UInt8(tag & 255), 0, 4])))
      data[entry.lowerBound + 3] = 11
      guard let facts = try? StillFacts(data) else { continue }
      for scale in StillScale.allCases { _ = try? facts.decode(data, scale: scale) }
      #expect(facts.width >= 1)
    }
  }

  @Test func `levels and colours without sense give a picture, not a crash`() throws {
    for change: (inout DNGEncoder.Options) -> Void in [
      { $0.whiteLevel = 0 }, { $0.blackLevels = [65535] }, { $0.neutral = [1e-6, 1, 1e-6] },
      { $0.colors = [DNGEncoder.Colors(matrix: Array(repeating: 0, count: 9))] }, { $0.colors = [] },
      { $0.neutral = nil },
    ] {
      let data = try file([0.3, 0.3, 0.3], change)
      for scale in [StillScale.full, .quarter] {
        #expect(try StillFacts(data).decode(data, scale: scale).width > 0)
      }
    }
  }
}
