import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import StillCodecs
import Testing

@Suite("DNGDecoder", .serialized)
struct DNGDecoderTests {
  private func random(
    _ width: Int, _ height: Int, bits: Int, _ format: OSType = kCVPixelFormatType_14Bayer_RGGB,
    seed: UInt64 = 4
  ) throws -> CVPixelBuffer {
    var dice = SeededGenerator(seed: seed)
    let buffer = try CVPixelBuffer(format: format, width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        buffer.planes[0].row(y).storeBytes(
          of: UInt16(truncatingIfNeeded: Int.random(in: 0..<1 << bits, using: &dice)), toByteOffset: 2 * x,
          as: UInt16.self)
      }
    }
    return buffer
  }

  private func numbers(_ buffer: CVPixelBuffer) -> [[UInt16]] {
    (0..<buffer.height).map { y in
      (0..<buffer.width).map { buffer.planes[0].row(y).load(fromByteOffset: 2 * $0, as: UInt16.self) }
    }
  }

  private func options(bits: Int) -> DNGEncoder.Options {
    var options = DNGEncoder.Options()
    options.bits = bits
    options.colors = [DNGEncoder.Colors(matrix: [0.8, -0.2, -0.1, -0.4, 1.2, 0.2, -0.1, 0.2, 0.6])]
    options.neutral = [0.5, 1, 0.75]
    return options
  }

  @Test(arguments: [8, 10, 12, 14, 16], DNGEncoder.Storage.allCases)
  func `every number that was written is read`(bits: Int, storage: DNGEncoder.Storage) throws {
    for format in [
      kCVPixelFormatType_14Bayer_RGGB, kCVPixelFormatType_14Bayer_GRBG, kCVPixelFormatType_14Bayer_GBRG,
      kCVPixelFormatType_14Bayer_BGGR,
    ] {
      let buffer = try random(38, 22, bits: bits, format)
      var options = options(bits: bits)
      options.storage = storage
      let picture = try DNGDecoder.decode(DNGEncoder.encode(buffer, options: options))
      #expect(picture.mosaic.format == format && numbers(picture.mosaic) == numbers(buffer))
      #expect(picture.facts.whiteLevel == 1 << bits - 1)
    }
  }

  @Test func `what the file says of its numbers is read`() throws {
    var options = options(bits: 12)
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
    let file = try DNGEncoder.encode(random(96, 64, bits: 12), options: options)
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

  /// A big-endian file of one directory, whose values are whole numbers, with blocks of bytes behind it.
  private func file(_ tags: [(tag: UInt16, kind: Int, values: [Int])], _ blocks: [[UInt8]]) -> Data {
    func big(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }
    let size = [1: 1, 3: 2, 4: 4]
    let head = 8 + 2 + 12 * tags.count + 4
    let room = tags.reduce(0) { $0 + max($1.values.count * (size[$1.kind] ?? 1), 4) }
    var starts: [Int] = []
    var next = head + room
    for block in blocks {
      starts.append(next)
      next += block.count
    }
    var entries = big(tags.count, 2)
    var values: [UInt8] = []
    for tag in tags {
      // -1, -2 … stand for the blocks' places.
      let bytes = tag.values.flatMap { big($0 < 0 ? starts[-$0 - 1] : $0, size[tag.kind] ?? 1) }
      entries += big(Int(tag.tag), 2) + big(tag.kind, 2) + big(tag.values.count, 4)
      if bytes.count <= 4 {
        entries += bytes + Array(repeating: 0, count: 4 - bytes.count)
        values += [0, 0, 0, 0]
      } else {
        entries += big(head + values.count, 4)
        values += bytes
      }
    }
    return Data([0x4D, 0x4D, 0, 42] + big(8, 4) + entries + [0, 0, 0, 0] + values + blocks.flatMap { $0 })
  }

  /// A lossless JPEG file of two numbers a pixel, whose codes are all five bits long.
  private func lossless(_ rows: [[UInt16]], precision: Int, predictor: Int) -> [UInt8] {
    let (width, height) = (rows[0].count / 2, rows.count)
    var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC3, 0, 14, UInt8(precision)]
    file += [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 2]
    file += [0, 0x11, 0, 1, 0x11, 0]
    file +=
      [0xFF, 0xC4, 0, 19 + 17, 0, 0, 0, 0, 0, 17] + Array(repeating: 0, count: 11)
      + (0...16).map { UInt8($0) }
    file += [0xFF, 0xDA, 0, 10, 2, 0, 0, 1, 0, UInt8(predictor), 0, 0]
    var (rest, count) = (0, 0)
    func put(_ value: Int, _ bits: Int) {
      for bit in (0..<bits).reversed() {
        rest = rest << 1 | (value >> bit & 1)
        count += 1
        if count == 8 {
          file.append(UInt8(rest))
          if rest == 255 { file.append(0) }
          (rest, count) = (0, 0)
        }
      }
    }
    for (y, row) in rows.enumerated() {
      for x in row.indices {
        let (left, above) = (x < 2 ? 0 : Int(row[x - 2]), y == 0 ? 0 : Int(rows[y - 1][x]))
        let corner = x < 2 || y == 0 ? 0 : Int(rows[y - 1][x - 2])
        let chosen = [
          left, above, corner, left + above - corner, left + (above - corner) >> 1,
          above + (left - corner) >> 1, (left + above) >> 1,
        ]
        let predicted =
          x < 2 ? (y == 0 ? 1 << (precision - 1) : above) : y == 0 ? left : chosen[predictor - 1]
        var difference = Int(Int16(truncatingIfNeeded: Int(row[x]) - predicted))
        if difference == -32768 { difference = 32768 }
        let category = difference == 0 ? 0 : Int.bitWidth - abs(difference).leadingZeroBitCount
        put(category, 5)
        if (1..<16).contains(category) {
          put(difference < 0 ? difference + 1 << category - 1 : difference, category)
        }
      }
    }
    while count != 0 { put(1, 1) }
    return file + [0xFF, 0xD9]
  }

  private let plain: [(tag: UInt16, kind: Int, values: [Int])] = [
    (262, 3, [32803]), (277, 3, [1]), (33421, 3, [2, 2]), (33422, 1, [2, 1, 1, 0]),
  ]

  @Test func `strips of another order of bytes are read, and the active area alone is shown`() throws {
    let rows = numbers(try random(12, 10, bits: 16))
    func strip(_ range: Range<Int>) -> [UInt8] {
      rows[range].flatMap { $0 }.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
    let tags: [(tag: UInt16, kind: Int, values: [Int])] =
      [
        (256, 4, [12]), (257, 4, [10]), (258, 3, [16]), (259, 3, [1]), (273, 4, [-1, -2, -3]), (278, 3, [4]),
        (279, 4, [96, 96, 48]),
      ] + plain + [(50706, 1, [1, 4, 0, 0]), (50829, 4, [1, 3, 9, 11])]
    let data = file(tags.sorted { $0.tag < $1.tag }, [strip(0..<4), strip(4..<8), strip(8..<10)])
    let picture = try DNGDecoder.decode(data)
    #expect(picture.mosaic.format == kCVPixelFormatType_14Bayer_BGGR)
    #expect(numbers(picture.mosaic) == rows[1..<9].map { Array($0[3..<11]) })
    #expect(picture.facts.blackLevels == [0] && picture.facts.neutral == nil && picture.facts.colors.isEmpty)
  }

  @Test(arguments: 1...7) func `tiles of lossless JPEG are read, whatever predicts their numbers`(
    predictor: Int
  ) throws {
    for bits in [10, 14, 16] {
      let rows = numbers(try random(32, 32, bits: bits, seed: UInt64(bits)))
      var blocks: [[UInt8]] = []
      for top in [0, 16] {
        for left in [0, 16] {
          blocks.append(
            lossless(
              rows[top..<top + 16].map { Array($0[left..<left + 16]) }, precision: bits, predictor: predictor)
          )
        }
      }
      // The picture ends within its lower and right tiles.
      let tags: [(tag: UInt16, kind: Int, values: [Int])] =
        [
          (256, 4, [30]), (257, 4, [28]), (258, 3, [bits]), (259, 3, [7]), (322, 4, [16]), (323, 4, [16]),
          (324, 4, [-1, -2, -3, -4]), (325, 4, blocks.map(\.count)),
        ] + plain + [(50706, 1, [1, 4, 0, 0]), (50717, 4, [1 << bits - 1])]
      let picture = try DNGDecoder.decode(file(tags.sorted { $0.tag < $1.tag }, blocks))
      #expect(numbers(picture.mosaic) == rows[..<28].map { Array($0[..<30]) })
    }
  }

  @Test func `other files are refused`() throws {
    #expect(!DNGDecoder.mayRead(try JPEGEncoder.encode(testBuffer(16, 16))))
    #expect(throws: StillCodecError.self) { try DNGDecoder.decode(Data("no picture".utf8)) }
    #expect(throws: StillCodecError.self) { try DNGDecoder.decode(JPEGEncoder.encode(testBuffer(16, 16))) }
    // A TIFF of a scanner is none.
    let scan = file([(256, 4, [4]), (257, 4, [4])], [])
    #expect(!DNGDecoder.mayRead(scan))
    #expect(throws: StillCodecError.self) { try DNGDecoder.decode(scan) }
  }

  @Test func `a damaged file is an error or a picture, never a crash`() throws {
    var options = options(bits: 12)
    options.storage = .packed
    options.preview = try JPEGEncoder.encode(testBuffer(16, 16))
    let whole = try DNGEncoder.encode(random(24, 20, bits: 12), options: options)
    let rows = numbers(try random(16, 16, bits: 12))
    let part = lossless(rows, precision: 12, predictor: 6)
    let tags: [(tag: UInt16, kind: Int, values: [Int])] =
      [
        (256, 4, [16]), (257, 4, [16]), (258, 3, [12]), (259, 3, [7]), (273, 4, [-1]), (278, 3, [16]),
        (279, 4, [part.count]),
      ] + plain + [(50706, 1, [1, 4, 0, 0])]
    let compressed = file(tags.sorted { $0.tag < $1.tag }, [part])
    var dice = SeededGenerator(seed: 11)
    let count = FuzzCount(usual: 400, all: 100_000).value
    for data in [whole, compressed] {
      for _ in 0..<count {
        var damaged = data
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
          damaged[Int.random(in: 0..<data.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
        if Bool.random(using: &dice) { damaged.removeLast(Int.random(in: 0..<data.count, using: &dice)) }
        if let picture = try? DNGDecoder.decode(damaged) {
          #expect(picture.mosaic.width >= 2 && picture.mosaic.height >= 2)
        }
      }
    }
  }
}
