import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import StillCodecs
import Testing

@Suite("DNGDecoder", .serialized)
struct DNGDecoderTests {
  @Test(arguments: [8, 10, 12, 14, 16], DNGEncoder.Storage.allCases)
  func `every number that was written is read`(bits: Int, storage: DNGEncoder.Storage) throws {
    for format in [
      kCVPixelFormatType_14Bayer_RGGB, kCVPixelFormatType_14Bayer_GRBG, kCVPixelFormatType_14Bayer_GBRG,
      kCVPixelFormatType_14Bayer_BGGR,
    ] {
      let buffer = try CraftedDNG.random(38, 22, bits: bits, format)
      var options = CraftedDNG.options(bits: bits)
      options.storage = storage
      let picture = try DNGDecoder.decode(DNGEncoder.encode(buffer, options: options))
      #expect(
        picture.mosaic.format == format && CraftedDNG.numbers(picture.mosaic) == CraftedDNG.numbers(buffer))
      #expect(picture.facts.whiteLevel == 1 << bits - 1)
    }
  }

  @Test func `what the file says of its numbers is read`() throws {
    var options = CraftedDNG.options(bits: 12)
    options.blackLevels = [64, 65, 66, 67.5]
    options.whiteLevel = 4000
    options.orientation = 6
    options.noise = [
      DNGEncoder.Noise(shot: 0.001, read: 0.000_002), DNGEncoder.Noise(shot: 0.002, read: 0.000_003),
      DNGEncoder.Noise(shot: 0.003, read: 0.000_004),
    ]
    options.crop = (4, 6, 88, 52)
    options.colors.append(DNGEncoder.Colors(illuminant: 17, matrix: Array(repeating: 0.25, count: 9)))
    options.cameraModel = "Obscura Test"
    options.exif[ExifTag(.image, 0x010F)] = .text("Maker")
    options.exif[ExifTag(.image, 0x0110)] = .text("Model")
    options.exif[ExifTag(.exif, 0x829A)] = .rationals([ExifRational(1, 120)])
    options.preview = try JPEGEncoder.encode(testBuffer(48, 32))
    let file = try DNGEncoder.encode(CraftedDNG.random(96, 64, bits: 12), options: options)
    #expect(DNGDecoder.mayRead(file))
    let picture = try DNGDecoder.decode(file)
    let facts = picture.facts
    #expect(facts.blackLevels == [64, 65, 66, 67.5] && facts.whiteLevel == 4000 && facts.orientation == 6)
    #expect(facts.noise == options.noise && facts.colors == options.colors)
    #expect(facts.neutral == [0.5, 1, 0.75] && facts.cameraModel == "Obscura Test")
    #expect(facts.crop.map { [$0.x, $0.y, $0.width, $0.height] } == [4, 6, 88, 52])
    #expect(picture.preview == options.preview && picture.exif[ExifTag(.image, 0x010F)] == .text("Maker"))
    #expect(picture.exif[ExifTag(.image, 0x0110)] == .text("Model"))
    #expect(picture.exif[ExifTag(.exif, 0x829A)] == .rationals([ExifRational(1, 120)]))
    #expect(picture.baselineExposure == 0)
  }

  // MARK: Files of other programs

  @Test func `strips of another order of bytes are read, and the active area alone is shown`() throws {
    let rows = CraftedDNG.numbers(try CraftedDNG.random(12, 10, bits: 16))
    func strip(_ range: Range<Int>) -> [UInt8] {
      rows[range].flatMap { $0 }.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
    let tags: [(tag: UInt16, kind: Int, values: [Int])] =
      [
        (256, 4, [12]), (257, 4, [10]), (258, 3, [16]), (259, 3, [1]), (273, 4, [-1, -2, -3]), (278, 3, [4]),
        (279, 4, [96, 96, 48]),
      ] + CraftedDNG.plain + [(50706, 1, [1, 4, 0, 0]), (50829, 4, [1, 3, 9, 11])]
    let data = CraftedDNG.file(tags.sorted { $0.tag < $1.tag }, [strip(0..<4), strip(4..<8), strip(8..<10)])
    let picture = try DNGDecoder.decode(data)
    #expect(picture.mosaic.format == kCVPixelFormatType_14Bayer_BGGR)
    #expect(CraftedDNG.numbers(picture.mosaic) == rows[1..<9].map { Array($0[3..<11]) })
    #expect(picture.facts.blackLevels == [0] && picture.facts.neutral == nil && picture.facts.colors.isEmpty)
  }

  @Test(arguments: 1...7) func `tiles of lossless JPEG are read, whatever predicts their numbers`(
    predictor: Int
  ) throws {
    for bits in [10, 14, 16] {
      let rows = CraftedDNG.numbers(try CraftedDNG.random(32, 32, bits: bits, seed: UInt64(bits)))
      var blocks: [[UInt8]] = []
      for top in [0, 16] {
        for left in [0, 16] {
          blocks.append(
            CraftedDNG.lossless(
              rows[top..<top + 16].map { Array($0[left..<left + 16]) }, precision: bits, predictor: predictor)
          )
        }
      }
      // The picture ends within its lower and right tiles.
      let tags: [(tag: UInt16, kind: Int, values: [Int])] =
        [
          (256, 4, [30]), (257, 4, [28]), (258, 3, [bits]), (259, 3, [7]), (322, 4, [16]), (323, 4, [16]),
          (324, 4, [-1, -2, -3, -4]), (325, 4, blocks.map(\.count)),
        ] + CraftedDNG.plain + [(50706, 1, [1, 4, 0, 0]), (50717, 4, [1 << bits - 1])]
      let picture = try DNGDecoder.decode(CraftedDNG.file(tags.sorted { $0.tag < $1.tag }, blocks))
      #expect(CraftedDNG.numbers(picture.mosaic) == rows[..<28].map { Array($0[..<30]) })
    }
  }

  @Test func `other files are refused`() throws {
    #expect(!DNGDecoder.mayRead(try JPEGEncoder.encode(testBuffer(16, 16))))
    #expect(throws: StillCodecError.self) { try DNGDecoder.decode(Data("no picture".utf8)) }
    #expect(throws: StillCodecError.self) { try DNGDecoder.decode(JPEGEncoder.encode(testBuffer(16, 16))) }
    // A TIFF of a scanner is none.
    let scan = CraftedDNG.file([(256, 4, [4]), (257, 4, [4])], [])
    #expect(!DNGDecoder.mayRead(scan))
    #expect(throws: StillCodecError.self) { try DNGDecoder.decode(scan) }
  }
}
