import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import StillCodecs
import Testing

/// Pictures whose profiles are tables: one exchanges red and blue, in one cyan ink looks red.
@Suite("Colour profiles of tables and inks")
struct ProfileColorTests {
  /// Red, green and blue in the middle of a picture file.
  private func middle(_ name: String) throws -> (color: [Int], space: CGColorSpace?) {
    let file = try pictureFile(name)
    let picture = try StillFacts(file).decode(file)
    let space = CVBufferCopyAttachment(picture, kCVImageBufferCGColorSpaceKey, nil) as? CGColorSpace
    let all = plane(picture, 0, step: 4)
    let at = (8 * CVPixelBufferGetWidth(picture) + 8) * 4
    return (all[at..<at + 3].map { Int($0) }, space)
  }

  private func isNear(_ color: [Int], _ wanted: [Int]) -> Bool {
    zip(color, wanted).allSatisfy { abs($0 - $1) <= 6 }
  }

  @Test(arguments: ["table-rgb.jpg", "table-rgb.png"])
  func `a profile of tables is converted to sRGB`(name: String) throws {
    let (color, space) = try middle(name)
    #expect(isNear(color, [20, 20, 230]), "\(color)")
    #expect(space?.name == CGColorSpace.sRGB)
  }

  @Test func `so are 16 bits and straight alpha`() throws {
    let file = try pictureFile("table-rgb-alpha-16.png")
    let image = try PNGDecoder.decode(file)
    let bytes = [UInt8](try #require(image.dataProvider?.data))
    let pixel = stride(from: 1, to: 8, by: 2).map { Int(bytes[(8 * 16 + 8) * 8 + $0]) }
    #expect(isNear(Array(pixel.prefix(3)), [20, 20, 230]) && pixel[3] == 128, "\(pixel)")
    let (color, _) = try middle("table-rgb-alpha-16.png")
    #expect(isNear(color, [10, 10, 115]), "\(color)")
  }

  @Test(arguments: ["inks-adobe.jpg", "inks.jpg"])
  func `inks are shown as their profile says, inverted as Adobe writes them or not`(name: String) throws {
    let (color, _) = try middle(name)
    #expect(isNear(color, [255, 0, 0]), "\(color)")
    let gray = try JPEGDecoder.decode(pictureFile(name), to: kCVPixelFormatType_OneComponent8)
    #expect(abs(Int(plane(gray, 0)[136]) - 76) <= 6)
  }

  @Test func `inks without a profile are those of no particular one`() throws {
    let (color, _) = try middle("inks-adobe-plain.jpg")
    #expect(isNear(color, [0, 255, 255]))
  }

  @Test func `a broken profile of tables leaves the numbers as they are`() throws {
    var file = try pictureFile("table-rgb.jpg")
    let tables = try #require(file.range(of: Data("mft2".utf8), in: 300..<file.count))
    file.replaceSubrange(tables, with: Data("rubb".utf8))
    let facts = try StillFacts(file)
    let picture = try facts.decode(file)
    let at = (8 * 16 + 8) * 4
    #expect(isNear(plane(picture, 0, step: 4)[at..<at + 3].map { Int($0) }, [230, 20, 20]))
  }
}
