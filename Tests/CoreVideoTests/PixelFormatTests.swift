import CoreVideo
import Foundation
import FoundationExtras
import Testing

@Suite("Pixel formats")
struct PixelFormatTests {
  /// The expected planes of a picture of 7 by 5 pixels: width, height, fewest bytes in a row.
  struct Expectation: Sendable {
    var code: String
    var planes: [[Int]]

    init(_ code: String, _ planes: [[Int]]) {
      self.code = code
      self.planes = planes
    }
  }

  static let expectations: [Expectation] = [
    Expectation("420v", [[7, 5, 7], [4, 3, 8]]), Expectation("420f", [[7, 5, 7], [4, 3, 8]]),
    Expectation("422v", [[7, 5, 7], [4, 5, 8]]), Expectation("422f", [[7, 5, 7], [4, 5, 8]]),
    Expectation("444v", [[7, 5, 7], [7, 5, 14]]), Expectation("444f", [[7, 5, 7], [7, 5, 14]]),
    Expectation("x420", [[7, 5, 14], [4, 3, 16]]), Expectation("xf20", [[7, 5, 14], [4, 3, 16]]),
    Expectation("x422", [[7, 5, 14], [4, 5, 16]]), Expectation("xf22", [[7, 5, 14], [4, 5, 16]]),
    Expectation("x444", [[7, 5, 14], [7, 5, 28]]), Expectation("xf44", [[7, 5, 14], [7, 5, 28]]),
    Expectation("sv22", [[7, 5, 14], [4, 5, 16]]), Expectation("sv44", [[7, 5, 14], [7, 5, 28]]),
    Expectation("y420", [[7, 5, 7], [4, 3, 4], [4, 3, 4]]),
    Expectation("f420", [[7, 5, 7], [4, 3, 4], [4, 3, 4]]),
    Expectation("v0a8", [[7, 5, 7], [4, 3, 8], [7, 5, 7]]),
    Expectation("s4as", [[7, 5, 14], [7, 5, 28], [7, 5, 14]]),
    Expectation("a2vy", [[7, 5, 16], [7, 5, 7]]),
    Expectation("yuvs", [[7, 5, 16]]), Expectation("2vuy", [[7, 5, 16]]), Expectation("yuvf", [[7, 5, 16]]),
    Expectation("v216", [[7, 5, 32]]), Expectation("v210", [[7, 5, 128]]), Expectation("v308", [[7, 5, 21]]),
    Expectation("v408", [[7, 5, 28]]), Expectation("r408", [[7, 5, 28]]), Expectation("y408", [[7, 5, 28]]),
    Expectation("v410", [[7, 5, 28]]), Expectation("y416", [[7, 5, 56]]), Expectation("r4fl", [[7, 5, 112]]),
    Expectation("BGRA", [[7, 5, 28]]), Expectation("RGBA", [[7, 5, 28]]), Expectation("ABGR", [[7, 5, 28]]),
    Expectation("24BG", [[7, 5, 21]]), Expectation("B565", [[7, 5, 14]]), Expectation("L565", [[7, 5, 14]]),
    Expectation("L555", [[7, 5, 14]]), Expectation("5551", [[7, 5, 14]]), Expectation("b48r", [[7, 5, 42]]),
    Expectation("b64a", [[7, 5, 56]]), Expectation("l64r", [[7, 5, 56]]), Expectation("R10k", [[7, 5, 28]]),
    Expectation("r210", [[7, 5, 28]]), Expectation("w30r", [[7, 5, 28]]), Expectation("l10r", [[7, 5, 28]]),
    Expectation("w40a", [[7, 5, 56]]), Expectation("w40m", [[7, 5, 56]]), Expectation("RGhA", [[7, 5, 56]]),
    Expectation("RGfA", [[7, 5, 112]]), Expectation("L008", [[7, 5, 7]]), Expectation("L010", [[7, 5, 14]]),
    Expectation("L012", [[7, 5, 14]]), Expectation("L016", [[7, 5, 14]]), Expectation("L00h", [[7, 5, 14]]),
    Expectation("L00f", [[7, 5, 28]]), Expectation("2C08", [[7, 5, 14]]), Expectation("2C16", [[7, 5, 28]]),
    Expectation("2C0h", [[7, 5, 28]]), Expectation("2C0f", [[7, 5, 56]]), Expectation("b16g", [[7, 5, 14]]),
    Expectation("b32a", [[7, 5, 28]]), Expectation("hdis", [[7, 5, 14]]), Expectation("fdis", [[7, 5, 28]]),
    Expectation("hdep", [[7, 5, 14]]), Expectation("fdep", [[7, 5, 28]]), Expectation("grb4", [[7, 5, 14]]),
    Expectation("rgg4", [[7, 5, 14]]), Expectation("bgg4", [[7, 5, 14]]), Expectation("gbr4", [[7, 5, 14]]),
  ]

  @Test(arguments: expectations)
  func `an odd-sized picture has planes that hold every pixel`(expected: Expectation) throws {
    let code = try #require(FourCharacterCode(expected.code)).rawValue
    let layout = try #require(PixelFormatLayout.layout(of: code))
    let planes = layout.planes.map { plane in
      let width = plane.width(ofPicture: 7)
      return [width, plane.height(ofPicture: 5), plane.minimumBytesPerRow(planeWidth: width)]
    }
    #expect(planes == expected.planes)
  }

  @Test func `every format of the table is in the test above or has a plain number for a code`() {
    let tested = Set(Self.expectations.compactMap { FourCharacterCode($0.code)?.rawValue })
    let untested = PixelFormatLayout.all.map(\.code).filter { !tested.contains($0) }
    #expect(
      Set(untested) == [
        kCVPixelFormatType_24RGB, kCVPixelFormatType_32ARGB, kCVPixelFormatType_16BE555,
      ])
    #expect(PixelFormatLayout.layout(of: kCVPixelFormatType_24RGB)?.planes[0].bitsPerBlock == 24)
    #expect(PixelFormatLayout.layout(of: kCVPixelFormatType_32ARGB)?.planes[0].bitsPerBlock == 32)
    #expect(PixelFormatLayout.layout(of: kCVPixelFormatType_16BE555)?.planes[0].bitsPerBlock == 16)
  }

  /// Sizes 1 to 4 reach every rounding; 66 reaches beyond one step of the row alignment.
  @Test(arguments: PixelFormatLayout.all.map(\.code), [1, 2, 3, 4, 66])
  func `a buffer can be made, and its planes neither overlap nor leave the memory`(format: OSType, size: Int)
    throws
  {
    let geometry = try PixelBufferGeometry(format: format, width: size, height: size)
    var end = 0
    for (plane, layout) in zip(geometry.planes, geometry.layout.planes) {
      #expect(plane.offset >= end)
      #expect(plane.offset % 64 == 0)
      #expect(plane.bytesPerRow % 64 == 0)
      #expect(plane.bytesPerRow >= layout.minimumBytesPerRow(planeWidth: plane.width))
      end = plane.offset + plane.bytesPerRow * plane.height
    }
    #expect(end == geometry.byteCount)

    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferCreate(kCFAllocatorDefault, size, size, format, nil, &buffer) == kCVReturnSuccess)
    let made = try #require(buffer)
    for plane in made.planes { plane.bytes.initializeMemory(as: UInt8.self, repeating: 0xA5) }
    #expect(CVPixelBufferGetPixelFormatType(made) == format)
    #expect(CVPixelBufferGetDataSize(made) == geometry.byteCount)
  }

  @Test func `a table of planes says what Apple's functions do`() throws {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, 1919, 1079, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &buffer)
    let planar = try #require(buffer)
    #expect(CVPixelBufferIsPlanar(planar))
    #expect(CVPixelBufferGetPlaneCount(planar) == 2)
    #expect(CVPixelBufferGetWidthOfPlane(planar, 1) == 960)
    #expect(CVPixelBufferGetHeightOfPlane(planar, 1) == 540)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(planar, 0) == 1920)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(planar, 1) == 1920)
    #expect(CVPixelBufferGetBytesPerRow(planar) == 1920)
    #expect(CVPixelBufferGetWidthOfPlane(planar, 2) == 0)
    #expect(CVPixelBufferGetHeightOfPlane(planar, -1) == 0)

    CVPixelBufferCreate(nil, 100, 10, kCVPixelFormatType_32BGRA, nil, &buffer)
    let packed = try #require(buffer)
    #expect(!CVPixelBufferIsPlanar(packed))
    #expect(CVPixelBufferGetPlaneCount(packed) == 0)
    #expect(CVPixelBufferGetBytesPerRow(packed) == 448)
    #expect(CVPixelBufferGetWidth(packed) == 100)
    #expect(CVPixelBufferGetHeight(packed) == 10)
  }

  @Test func `a known code without a layout is refused`() {
    var buffer: CVPixelBuffer?
    let codes: [OSType] = [
      kCVPixelFormatType_1Monochrome, kCVPixelFormatType_Lossless_32BGRA, kCVPixelFormatType_16VersatileBayer,
      0,
    ]
    for code in codes {
      #expect(CVPixelBufferCreate(nil, 8, 8, code, nil, &buffer) == kCVReturnInvalidPixelFormat)
      #expect(buffer == nil)
      #expect(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, code) == nil)
    }
  }

  @Test func `descriptions say what the table does`() throws {
    let description = try #require(
      CVPixelFormatDescriptionCreateWithPixelFormatType(
        nil, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange))
    #expect(description[kCVPixelFormatContainsYCbCr] as? Bool == true)
    #expect(description[kCVPixelFormatContainsRGB] as? Bool == false)
    #expect(description[kCVPixelFormatComponentRange] as? String == kCVPixelFormatComponentRange_VideoRange)
    #expect(description[kCVPixelFormatBitsPerComponent] as? Int == 10)
    let planes = try #require(description[kCVPixelFormatPlanes] as? [[String: Any]])
    #expect(planes.count == 2)
    #expect(planes[1][kCVPixelFormatHorizontalSubsampling] as? Int == 2)
    #expect(planes[1][kCVPixelFormatBitsPerBlock] as? Int == 32)

    let all = try #require(CVPixelFormatDescriptionArrayCreateWithAllPixelFormatTypes(nil))
    #expect(all.count == PixelFormatLayout.all.count)
    for value in all {
      let code = try #require(LooseNumber.code(value))
      #expect(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, code) != nil)
    }
    #expect(CVPixelFormatTypeCopyFourCharCodeString(kCVPixelFormatType_32BGRA) == "BGRA")
    #expect(!CVIsCompressedPixelFormatAvailable(kCVPixelFormatType_Lossless_32BGRA))
  }
}
