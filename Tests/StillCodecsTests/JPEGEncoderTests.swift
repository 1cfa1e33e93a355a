import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms
import StillCodecs
import Testing

@Suite("JPEGEncoder")
struct JPEGEncoderTests {
  private func encode(_ buffer: CVPixelBuffer, _ change: (inout JPEGEncoder.Options) -> Void = { _ in })
    throws -> Data
  {
    var options = JPEGEncoder.Options()
    change(&options)
    return try JPEGEncoder.encode(buffer, options: options)
  }

  @Test(arguments: [(64, 48), (67, 43), (16, 16), (1, 1), (17, 1), (33, 31), (130, 95)])
  func `a picture of any size comes back`(width: Int, height: Int) throws {
    let buffer = try testBuffer(width, height)
    let back = try JPEGDecoder.decode(encode(buffer) { $0.quality = 1 }, isStrict: true)
    #expect(CVPixelBufferGetWidth(back) == width && CVPixelBufferGetHeight(back) == height)
    #expect(psnr(plane(buffer, 0), plane(back, 0)) > 45)
    #expect(psnr(plane(buffer, 1, step: 2), plane(back, 1, step: 2)) > 42)
  }

  @Test(arguments: [
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, YCbCrMatrix.bt601),
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .bt709),
    (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .bt709),
    (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .bt2020),
    (kCVPixelFormatType_420YpCbCr8PlanarFullRange, .bt601),
    (kCVPixelFormatType_32BGRA, .bt601), (kCVPixelFormatType_32RGBA, .bt601),
  ])
  func `every kind of input gives the same colours`(format: OSType, matrix: YCbCrMatrix) throws {
    let (width, height) = (71, 53)
    let reference = try testBuffer(width, height)
    let input = try testBuffer(width, height, format: format, matrix: matrix)
    let back = try JPEGDecoder.decode(encode(input) { $0.quality = 1 })
    // Mean errors show a wrong matrix or range, which noise of quantisation does not.
    #expect(psnr(plane(reference, 0), plane(back, 0)) > 41)
    #expect(psnr(plane(reference, 1, step: 2), plane(back, 1, step: 2)) > 38)
    for index in 0..<2 {
      let (a, b) = (plane(reference, index, step: index + 1), plane(back, index, step: index + 1))
      let drift = zip(a, b).reduce(0) { $0 + Int($1.0) - Int($1.1) }
      #expect(abs(Double(drift) / Double(a.count)) < 0.35)
    }
  }

  @Test(arguments: [2, 3, 5, 8])
  func `strips of several threads decode to the same pixels as one`(threads: Int) throws {
    let buffer = try testBuffer(700, 1043)
    let one = try JPEGDecoder.decode(encode(buffer), isStrict: true)
    let data = try encode(buffer) { $0.threads = threads }
    let many = try JPEGDecoder.decode(data, isStrict: true)
    #expect(plane(one, 0) == plane(many, 0))
    #expect(plane(one, 1, step: 2) == plane(many, 1, step: 2))
    #expect(JPEGSegments(data).contains { $0.marker == 0xDD })
    #expect(try data == encode(buffer) { $0.threads = threads })
  }

  @Test func `a picture too large for one restart interval gets more strips`() throws {
    // 8200 × 2100 pixels in 8×8 MCUs of gray are 269 575 MCUs, more than four intervals hold.
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_OneComponent8, width: 8200, height: 2100)
    for y in stride(from: 0, to: 2100, by: 7) {
      buffer.planes[0].row(y).assumingMemoryBound(to: UInt8.self)[y] = 200
    }
    let one = try encode(buffer)
    let two = try encode(buffer) { $0.threads = 2 }
    let format = kCVPixelFormatType_OneComponent8
    #expect(
      try plane(JPEGDecoder.decode(one, to: format), 0) == plane(JPEGDecoder.decode(two, to: format), 0))
  }

  @Test func `quality trades bytes for likeness`() throws {
    let buffer = try testBuffer(160, 120) { x, y, width, height in
      testColor(x, y, width, height) + SIMD3(repeating: Double((x * 7919 + y * 104_729) % 23))
    }
    var last = 0
    for quality in [0.0, 0.25, 0.5, 0.75, 0.9, 1.0] {
      let size = try encode(buffer) { $0.quality = quality }.count
      #expect(size > last)
      last = size
    }
  }

  @Test func `a progressive file and a plain one after it are both audio`() throws {
    let buffer = try testBuffer(96, 80)
    let plain = try encode(buffer)
    let progressive = try encode(buffer) { $0.isProgressive = true }
    #expect(JPEGSegments(progressive).contains { $0.marker == 0xC2 })
    #expect(try encode(buffer) == plain)
    let (a, b) = try (
      JPEGDecoder.decode(plain, isStrict: true), JPEGDecoder.decode(progressive, isStrict: true)
    )
    #expect(plane(a, 0) == plane(b, 0))
  }

  @Test func `metadata stands where the standards want it`() throws {
    let buffer = try testBuffer(32, 32)
    let profile = Data((0..<150_000).map { UInt8($0 % 251) })
    let data = try encode(buffer) {
      $0.exif = Data("MM\0*".utf8)
      $0.xmp = Data("<x/>".utf8)
      $0.profile = profile
    }
    let markers = JPEGSegments(data).map(\.marker)
    #expect(Array(markers.prefix(5)) == [0xE1, 0xE1, 0xE2, 0xE2, 0xE2])
    #expect(!markers.contains(0xE0))
    let parts = JPEGSegments(data).filter { $0.marker == 0xE2 }.map { data[$0.body].dropFirst(14) }
    #expect(Data(parts.joined()) == profile)
    #expect(try JPEGSegments(encode(buffer)).first { _ in true }?.marker == 0xE0)
  }

  @Test func `too long a block is refused with a reason`() throws {
    let buffer = try testBuffer(16, 16)
    #expect(throws: StillCodecError.self) { try encode(buffer) { $0.exif = Data(count: 65528) } }
    _ = try encode(buffer) { $0.exif = Data(count: 65527) }
  }

  @Test(arguments: JPEGEncoder.ChromaSubsampling.allCases)
  func `packed pixels keep the chroma that was asked for`(chroma: JPEGEncoder.ChromaSubsampling) throws {
    let buffer = try testBuffer(70, 50, format: kCVPixelFormatType_32BGRA)
    let data = try encode(buffer) {
      $0.chroma = chroma
      $0.quality = 1
    }
    let frame = try #require(JPEGSegments(data).first { $0.marker == 0xC0 })
    let sampling = data[frame.body.lowerBound + 7]
    #expect(sampling == [.half420: 0x22, .half422: 0x21, .full444: 0x11][chroma])
    let back = try JPEGDecoder.decode(data, to: kCVPixelFormatType_32BGRA)
    #expect(psnr(plane(buffer, 0, step: 4), plane(back, 0, step: 4)) > (chroma == .full444 ? 45 : 28))
  }
}
