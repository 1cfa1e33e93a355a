import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import StillCodecs
import Testing

@Suite("JPEGDecoder")
struct JPEGDecoderTests {
  private func file(
    _ width: Int = 90, _ height: Int = 70, _ change: (inout JPEGEncoder.Options) -> Void = { _ in }
  )
    throws -> Data
  {
    var options = JPEGEncoder.Options()
    options.quality = 0.95
    change(&options)
    return try JPEGEncoder.encode(
      testBuffer(width, height, format: kCVPixelFormatType_32BGRA), options: options)
  }

  @Test(arguments: JPEGEncoder.ChromaSubsampling.allCases, [(90, 70), (33, 17), (1, 1), (2, 3)])
  func `every subsampling becomes 4 2 0`(chroma: JPEGEncoder.ChromaSubsampling, size: (Int, Int)) throws {
    let data = try file(size.0, size.1) { $0.chroma = chroma }
    let back = try JPEGDecoder.decode(data, isStrict: true)
    let reference = try testBuffer(size.0, size.1)
    #expect(psnr(plane(reference, 0), plane(back, 0)) > 36)
    #expect(psnr(plane(reference, 1, step: 2), plane(back, 1, step: 2)) > 32)
  }

  @Test(arguments: StillScale.allCases)
  func `a scaled picture has the announced size and the same colours`(scale: StillScale) throws {
    let data = try file(161, 119)
    let expected = scale.size(width: 161, height: 119)
    for format in [
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_32BGRA,
      kCVPixelFormatType_OneComponent8,
    ] {
      let back = try JPEGDecoder.decode(data, to: format, scale: scale)
      #expect(
        CVPixelBufferGetWidth(back) == expected.width && CVPixelBufferGetHeight(back) == expected.height)
      let mean =
        plane(back, 0, step: format == kCVPixelFormatType_32BGRA ? 4 : 1).reduce(0.0) { $0 + Double($1) }
        / Double(expected.width * expected.height * (format == kCVPixelFormatType_32BGRA ? 4 : 1))
      #expect(mean > 80 && mean < 190)
    }
  }

  @Test(arguments: [JPEGEncoder.ChromaSubsampling.half420, .half422], [(0, 8), (9, 0), (15, 15)])
  func `columns and rows beyond the buffer are left out when they are few`(
    chroma: JPEGEncoder.ChromaSubsampling, more: (right: Int, below: Int)
  ) throws {
    let data = try file(112, 80) { $0.chroma = chroma }
    let whole = try JPEGDecoder.decode(data, isStrict: true)
    let (width, height) = (112 - more.right, 80 - more.below)
    let part = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: width, height: height)
    try JPEGDecoder.decode(data, into: part, isStrict: true, surplus: 15)
    for (plane, rows) in [(0, height), (1, height / 2)] {
      for y in 0..<rows {
        let (left, right) = (part.planes[plane].row(y), whole.planes[plane].row(y))
        // An odd last row or column has no neighbour to be averaged with.
        #expect((0..<width / 2 * 2).allSatisfy { left[$0] == right[$0] }, "plane \(plane), row \(y)")
      }
    }
    #expect(throws: StillCodecError.self) {
      try JPEGDecoder.decode(data, into: part, isStrict: true, surplus: max(more.right, more.below) - 1)
    }
  }

  @Test func `a frame without Huffman tables is decoded with the standard ones`() throws {
    let whole = try file()
    var frame = Data()
    var position = 0
    for segment in JPEGSegments(whole) where segment.marker == 0xC4 {
      frame.append(whole[position..<segment.start])
      position = segment.body.upperBound
    }
    frame.append(whole[position...])
    #expect(frame.count < whole.count - 300)
    let (a, b) = try (JPEGDecoder.decode(whole, isStrict: true), JPEGDecoder.decode(frame, isStrict: true))
    #expect(plane(a, 0) == plane(b, 0))
  }

  @Test func `padding behind the end does no harm`() throws {
    let data = try file() + Data(count: 1000)
    _ = try JPEGDecoder.decode(data, isStrict: true)
  }

  @Test func `a cut-off frame is an error when strict and a picture otherwise`() throws {
    let data = try file(160, 120)
    let cut = data.prefix(data.count * 2 / 3)
    #expect(throws: StillCodecError.self) { try JPEGDecoder.decode(Data(cut), isStrict: true) }
    let back = try JPEGDecoder.decode(Data(cut))
    #expect(CVPixelBufferGetWidth(back) == 160)
    #expect(throws: StillCodecError.self) {
      try JPEGDecoder.decode(Data(cut) + Data([0xFF, 0xD9]), isStrict: true)
    }
  }

  @Test func `bytes that are no picture are an error`() {
    for data in [
      Data(), Data([0xFF]), Data([0xFF, 0xD8]), Data("hello, this is text".utf8), Data(count: 5000),
    ] {
      #expect(throws: StillCodecError.self) { try JPEGDecoder.decode(data) }
    }
  }

  @Test func `a small file that claims a giant picture is refused`() throws {
    var data = try file(16, 16)
    let frame = try #require(JPEGSegments(data).first { $0.marker == 0xC0 })
    data.replaceSubrange(
      frame.body.lowerBound + 1..<frame.body.lowerBound + 5, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect { try JPEGDecoder.decode(data) } throws: { ($0 as? StillCodecError)?.code == .tooLarge }
  }

  @Test func `a buffer of the wrong size is refused`() throws {
    let buffer = try testBuffer(64, 64)
    #expect(throws: StillCodecError.self) { try JPEGDecoder.decode(file(65, 64), into: buffer) }
    try JPEGDecoder.decode(file(64, 64), into: buffer)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `thousands of damaged files never crash`(round: Int) throws {
    var dice = SeededGenerator(seed: UInt64(round))
    let files = try [
      file(48, 40), file(48, 40) { $0.isProgressive = true }, file(49, 41) { $0.chroma = .full444 },
      file(50, 30) { $0.chroma = .half422 },
    ]
    var decoded = 0
    for _ in 0..<700 {
      var data = files[round]
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        let at = Int.random(in: 2..<data.count, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: data[at] = UInt8.random(in: 0...255, using: &dice)
        case 1: data[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 2: data.removeSubrange(at..<min(data.count, at + Int.random(in: 1...20, using: &dice)))
        default: data.insert(contentsOf: [0xFF, UInt8.random(in: 0xC0...0xFE, using: &dice)], at: at)
        }
        if data.count < 8 { break }
      }
      for format in [kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_32BGRA] {
        if (try? JPEGDecoder.decode(data, to: format)) != nil { decoded += 1 }
      }
    }
    #expect(decoded > 0)
  }
}
