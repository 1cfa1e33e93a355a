import CoreVideo
import Foundation
import StillCodecs
import Testing

@Suite("HEICMetadata: other metadata for a file, without touching its picture")
struct HEICMetadataTests {
  private func file() throws -> Data {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 96, 64, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
    let pixels = try #require(made)
    for plane in pixels.planes {
      for row in 0..<plane.height {
        let bytes = plane.row(row)
        for column in bytes.indices { bytes[column] = UInt8(truncatingIfNeeded: row * 5 + column * 3) }
      }
    }
    var options = HEICEncoder.Options()
    var block = ExifBlock()
    block[ExifTag(.image, 0x010E)] = .text("A secret place")
    options.exif = try block.data()
    options.orientation = 6
    return try HEICEncoder.encode(pixels, options: options)
  }

  private func picture(_ file: Data) throws -> [UInt8] {
    let pixels = try HEICDecoder.decode(file)
    return withExtendedLifetime(pixels) {
      pixels.planes.flatMap { plane in
        (0..<plane.height).flatMap { Array(plane.row($0).prefix(plane.width)) }
      }
    }
  }

  @Test func `the new block is read, the old one is gone, and the picture is the same`() throws {
    let old = try file()
    var block = ExifBlock()
    block[ExifTag(.image, 0x010F)] = .text(String(repeating: "A long maker ", count: 40))
    let new = try HEICMetadata.replace(in: old, with: block)
    let facts = try StillFacts(new)
    #expect(facts.exifBlock?[ExifTag(.image, 0x010F)] == block[ExifTag(.image, 0x010F)])
    #expect(facts.exifBlock?[ExifTag(.image, 0x010E)] == nil)
    #expect(facts.orientation == 6 && facts.width == 96)
    #expect(old.range(of: Data("A secret place".utf8)) != nil)
    #expect(new.range(of: Data("A secret place".utf8)) == nil)
    #expect(try picture(new) == picture(old))
    // Once more, over what stands at the end.
    var third = ExifBlock()
    third[ExifTag(.image, 0x010F)] = .text("B")
    let again = try StillFacts(HEICMetadata.replace(in: new, with: third))
    #expect(again.exifBlock?[ExifTag(.image, 0x010F)] == .text("B"))
  }

  @Test func `a damaged file is an error, wherever it breaks`() throws {
    let whole = try file()
    for length in stride(from: 0, to: whole.count, by: 7) {
      // Either an error, or a file that is as damaged as before.
      _ = try? HEICMetadata.replace(in: whole.prefix(length), with: ExifBlock())
    }
    var damaged = whole
    for at in 0..<min(600, whole.count) {
      damaged[at] ^= 0xFF
      _ = try? HEICMetadata.replace(in: damaged, with: ExifBlock())
      damaged[at] ^= 0xFF
    }
    #expect(throws: StillCodecError.self) { try HEICMetadata.replace(in: Data(), with: ExifBlock()) }
  }
}
