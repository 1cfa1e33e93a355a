import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import PixelTransforms
import SeededNumbers
import StillCodecs
import Testing

@Suite("HEIC", .serialized)
struct HEICTests {
  private func encode(_ buffer: CVPixelBuffer, _ change: (inout HEICEncoder.Options) -> Void = { _ in })
    throws -> Data
  {
    var options = HEICEncoder.Options()
    change(&options)
    return try HEICEncoder.encode(buffer, options: options)
  }

  @Test(arguments: [(128, 96), (131, 97), (64, 64)])
  func `a picture of any size comes back`(width: Int, height: Int) throws {
    let buffer = try testBuffer(width, height)
    let back = try HEICDecoder.decode(encode(buffer))
    #expect(CVPixelBufferGetWidth(back) == width && CVPixelBufferGetHeight(back) == height)
    #expect(psnr(plane(buffer, 0), plane(back, 0)) > 38)
    #expect(psnr(plane(buffer, 1, step: 2), plane(back, 1, step: 2)) > 36)
  }

  @Test(arguments: [
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, YCbCrMatrix.bt709),
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .bt601),
    (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .bt709),
    (kCVPixelFormatType_32BGRA, .bt601),
  ])
  func `every kind of input gives the same colours`(format: OSType, matrix: YCbCrMatrix) throws {
    let (width, height) = (128, 96)
    let input = try testBuffer(width, height, format: format, matrix: matrix)
    let back = try HEICDecoder.decode(encode(input) { $0.quality = 1 }, to: kCVPixelFormatType_32BGRA)
    let reference = try testBuffer(width, height, format: kCVPixelFormatType_32BGRA)
    let (a, b) = (plane(reference, 0, step: 4), plane(back, 0, step: 4))
    for component in 0..<3 {
      let drift = stride(from: component, to: a.count, by: 4).reduce(0) { $0 + Int(a[$1]) - Int(b[$1]) }
      #expect(abs(Double(drift) / Double(width * height)) < 1.2)
    }
    #expect(psnr(a, b) > 27)
  }

  @Test(arguments: 1...8, [(96, 64), (97, 65)])
  func `orientation is the container's and leaves the pixels alone`(orientation: Int, size: (Int, Int)) throws
  {
    let buffer = try testBuffer(size.0, size.1)
    let file = try encode(buffer) { $0.orientation = orientation }
    let facts = try StillFacts(file)
    #expect(facts.orientation == orientation)
    #expect(facts.width == size.0 && facts.height == size.1)
    let back = try HEICDecoder.decode(file)
    #expect(psnr(plane(buffer, 0), plane(back, 0)) > 36)
  }

  @Test func `metadata, profile and thumbnail are kept`() throws {
    let buffer = try testBuffer(200, 120)
    let small = try testBuffer(80, 48)
    var block = ExifBlock()
    block[ExifTag(.image, 0x010F)] = .text("Maker")
    block[ExifTag(.exif, 0x829A)] = .rationals([ExifRational(1, 120)])
    let exif = try block.data()
    let profile = Data((0..<700).map { UInt8($0 % 256) })
    let file = try encode(buffer) {
      $0.exif = exif
      $0.xmp = Data("<x:xmpmeta/>".utf8)
      $0.profile = profile
      $0.thumbnail = small
      $0.orientation = 6
    }
    let facts = try StillFacts(file)
    #expect(facts.format == .heic && facts.hasThumbnail)
    #expect(facts.exifBlock == block)
    #expect(facts.xmp == Data("<x:xmpmeta/>".utf8))
    #expect(facts.profile == profile)
    let thumbnail = try #require(try HEICDecoder.decodeThumbnail(file))
    #expect(CVPixelBufferGetWidth(thumbnail) == 80)
    #expect(psnr(plane(small, 0), plane(thumbnail, 0)) > 34)
    #expect(try HEICDecoder.decodeThumbnail(encode(buffer)) == nil)
  }

  @Test func `the best quality is very near the picture`() throws {
    let buffer = try testBuffer(96, 64)
    let back = try HEICDecoder.decode(encode(buffer) { $0.quality = 1 })
    #expect(psnr(plane(buffer, 0), plane(back, 0)) > 44)
    #expect(psnr(plane(buffer, 1, step: 2), plane(back, 1, step: 2)) > 38)
  }

  @Test func `wide colours are named without a profile too`() throws {
    let buffer = try testBuffer(64, 64)
    CVBufferSetAttachment(
      buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_P3_D65, .shouldPropagate)
    let file = try encode(buffer)
    #expect(try StillFacts(file).colorSpace.name == "kCGColorSpaceDisplayP3")
    let back = try HEICDecoder.decode(file)
    #expect(
      CVBufferCopyAttachment(back, kCVImageBufferColorPrimariesKey, nil) as? String
        == kCVImageBufferColorPrimaries_P3_D65)
  }

  @Test func `quality trades bytes for likeness`() throws {
    let buffer = try testBuffer(160, 128) { x, y, width, height in
      testColor(x, y, width, height) + SIMD3(repeating: Double((x * 7919 + y * 104_729) % 23))
    }
    var last = 0
    for quality in [0.0, 0.3, 0.6, 0.9, 1.0] {
      let size = try encode(buffer) { $0.quality = quality }.count
      #expect(size > last)
      last = size
    }
  }

  @Test func `cut-off and damaged files never crash`() throws {
    let file = try encode(testBuffer(64, 64))
    for count in stride(from: 0, to: file.count - 1, by: 61) {
      #expect(throws: (any Error).self) { try HEICDecoder.decode(Data(file.prefix(count))) }
    }
    var dice = SeededGenerator(seed: 9)
    for _ in 0..<300 {
      var data = file
      for _ in 0..<Int.random(in: 1...4, using: &dice) {
        data[Int.random(in: 0..<min(data.count, 700), using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      _ = try? StillFacts(data)
      _ = try? HEICDecoder.decode(data)
    }
  }
}
