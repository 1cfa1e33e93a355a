import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Testing

@Suite("Image files: options as NSDictionary")
struct ImageNSDictionaryTests {
  @Test func `a picture is written and read with them as with a CFDictionary`() throws {
    let image = try quarters(64, 32)
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil))
    CGImageDestinationAddImage(destination, image, [kCGImagePropertyOrientation as String: 6] as NSDictionary)
    #expect(CGImageDestinationFinalize(destination))
    let source = try #require(
      CGImageSourceCreateWithData(
        data as Data as CFData, [kCGImageSourceShouldCache as String: false] as NSDictionary))
    #expect(CGImageSourceCreateImageAtIndex(source, 0, nil)?.width == 64)
    let options =
      [
        kCGImageSourceCreateThumbnailFromImageAlways as String: true,
        kCGImageSourceCreateThumbnailWithTransform as String: true,
        kCGImageSourceThumbnailMaxPixelSize as String: 16,
      ] as NSDictionary
    let small = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options))
    #expect(small.width == 8 && small.height == 16)
    let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    #expect(properties[kCGImagePropertyOrientation as String] as? Int == 6)
  }
}
