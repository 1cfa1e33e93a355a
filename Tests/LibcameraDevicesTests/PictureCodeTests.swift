import CaptureDevice
import CoreVideo
import Foundation
import LibcameraDevices
import Testing

@Suite("Codes of libcamera's pictures")
struct PictureCodeTests {
  private static let header = "/usr/include/libcamera/libcamera/formats.h"
  private static let orders = [
    "BGGR": kCVPixelFormatType_14Bayer_BGGR, "GBRG": kCVPixelFormatType_14Bayer_GBRG,
    "GRBG": kCVPixelFormatType_14Bayer_GRBG, "RGGB": kCVPixelFormatType_14Bayer_RGGB,
  ]

  /// PISP_FORMAT_MOD_COMPRESS_MODE1.
  private static let compressed: UInt64 = 0x0C << 56 | 1

  @Test func `numbers that a maker compresses are not read`() {
    for letters in ["BYR2", "BG10"] as [StaticString] {
      let code = PictureCode(fourcc: PictureCode(letters).fourcc, modifier: Self.compressed)
      #expect(code.mosaic == nil && code.encoding(isFullRange: false) == nil)
      #expect(PictureCode(letters).mosaic != nil)
    }
  }

  @Test func `colours of sixteen bits are no numbers of a sensor`() {
    #expect(PictureCode("RG16").encoding(isFullRange: false) == nil)
    #expect(
      PictureCode("RGB6").mosaic == MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_RGGB, bits: 16))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: PictureCodeTests.header)))
  func `a sensor's numbers have the codes that the library's header gives them`() throws {
    let text = try String(contentsOfFile: Self.header, encoding: .utf8)
    let entry =
      /PixelFormat S(BGGR|GBRG|GRBG|RGGB)(\d+)(_\w+)?\{ __fourcc\('(.)', '(.)', '(.)', '(.)'\), __mod\((\d+), (\d+)\)/
    var count = 0
    for found in text.matches(of: entry) {
      let (_, order, bits, storage, first, second, third, fourth, vendor, number) = found.output
      let letters = [first, second, third, fourth].map { $0.utf8.first.map(UInt32.init) ?? 0 }
      let fourcc = letters.reversed().reduce(0) { $0 << 8 | $1 }
      let (maker, kind) = (try #require(UInt64(vendor)), try #require(UInt64(number)))
      let (format, depth) = (try #require(Self.orders[String(order)]), try #require(Int(bits)))
      let isRead = storage == nil || storage == "_CSI2P"
      #expect(
        PictureCode(fourcc: fourcc, modifier: maker << 56 | kind).mosaic
          == (isRead ? MosaicLayout(pixelFormat: format, bits: depth, isPacked: storage != nil) : nil),
        "\(found.output.0)")
      count += 1
    }
    #expect(count >= 16)
  }
}
