import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import StillCodecs
import Testing

/// A DNG file of the quarters of ``quarters(_:_:alpha:space:)``, as a sensor counts them that sees as sRGB does.
func rawQuarters(
  _ width: Int, _ height: Int, _ change: (inout DNGEncoder.Options) throws -> Void = { _ in }
) throws -> Data {
  let mosaic = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_RGGB, width: width, height: height)
  for y in 0..<height {
    for x in 0..<width {
      let channel = [0, 1, 1, 2][y % 2 * 2 + x % 2]
      let shown = y < height / 2 ? [x < width / 2 ? 0 : 1] : x < width / 2 ? [2] : [0, 1, 2]
      mosaic.planes[0].row(y).storeBytes(
        of: shown.contains(channel) ? 3500 : 64, toByteOffset: 2 * x, as: UInt16.self)
    }
  }
  var options = DNGEncoder.Options()
  options.bits = 12
  options.blackLevels = [64]
  options.colors = [
    DNGEncoder.Colors(matrix: [
      3.240_969_942, -1.537_383_178, -0.498_610_760, -0.969_243_636, 1.875_967_502, 0.041_555_057,
      0.055_630_080, -0.203_976_959, 1.056_971_514,
    ])
  ]
  options.neutral = [1, 1, 1]
  options.cameraModel = "Obscura Test"
  try change(&options)
  return try DNGEncoder.encode(mosaic, options: options)
}

@Suite("CGImageSource, raw pictures")
struct RawSourceTests {
  @Test func `a DNG says its type and its properties, and gives its developed picture`() throws {
    let data = try rawQuarters(100, 68) { options in
      options.orientation = 6
      options.exif[ExifTag(.image, 0x010F)] = .text("Maker")
      options.exif[ExifTag(.exif, 0x9003)] = .text("2026:11:28 12:00:00")
    }
    let source = try source(data)
    #expect(CGImageSourceGetType(source) == "com.adobe.raw-image")
    #expect(CGImageSourceGetCount(source) == 1 && CGImageSourceGetStatus(source) == .statusComplete)
    #expect(CGImageSourceCopyTypeIdentifiers().contains { $0 as? String == "com.adobe.raw-image" })
    let found = try properties(data)
    #expect(
      found[kCGImagePropertyPixelWidth] as? Int == 96 && found[kCGImagePropertyPixelHeight] as? Int == 64)
    #expect(found[kCGImagePropertyOrientation] as? Int == 6)
    #expect(found[kCGImagePropertyColorModel] as? String == "RGB")
    let own = try #require(found[kCGImagePropertyDNGDictionary] as? CFDictionary)
    #expect(own[kCGImagePropertyDNGUniqueCameraModel] as? String == "Obscura Test")
    #expect(own[kCGImagePropertyDNGWhiteLevel] as? Int == 4095)
    let tags = try #require(found[kCGImagePropertyTIFFDictionary] as? CFDictionary)
    #expect(tags[kCGImagePropertyTIFFMake] as? String == "Maker")
    #expect(source.captureDate != nil)
    let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect(image.width == 96 && image.height == 64 && image.utType == "com.adobe.raw-image")
    #expect(try corners(image) == "RGBW")
    let half = try #require(
      CGImageSourceCreateImageAtIndex(source, 0, [kCGImageSourceSubsampleFactor: 4] as CFDictionary))
    #expect(half.width == 24 && half.height == 16)
    #expect(try corners(half) == "RGBW")
  }

  @Test(arguments: [1, 3, 6, 8])
  func `a thumbnail is the file's preview, or made from its numbers, and stands upright`(orientation: Int)
    throws
  {
    for hasPreview in [true, false] {
      let data = try rawQuarters(100, 68) { options in
        options.orientation = orientation
        if hasPreview { options.preview = try file(quarters(48, 32), "public.jpeg") }
      }
      let source = try source(data)
      let plain = CGImageSourceCreateThumbnailAtIndex(source, 0, nil)
      #expect(plain?.width == (hasPreview ? 48 : nil))
      let wanted =
        [
          kCGImageSourceCreateThumbnailWithTransform: true, kCGImageSourceThumbnailMaxPixelSize: 24,
          kCGImageSourceCreateThumbnailFromImageIfAbsent: true,
        ] as CFDictionary
      let image = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, wanted))
      #expect(max(image.width, image.height) == 24)
      #expect(try corners(image) == [1: "RGBW", 3: "WBGR", 6: "BRWG", 8: "GWRB"][orientation])
    }
  }

  @Test(arguments: types)
  func `a DNG is copied into other types, as it lies and with what it says`(type: String) throws {
    let data = try rawQuarters(100, 68) { options in
      options.orientation = 6
      options.exif[ExifTag(.image, 0x010F)] = .text("Maker")
    }
    let copy = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(copy, type as CFString, 1, nil))
    CGImageDestinationAddImageFromSource(destination, try source(data), 0, nil)
    try #require(CGImageDestinationFinalize(destination))
    let found = try properties(Data(referencing: copy))
    #expect(
      found[kCGImagePropertyPixelWidth] as? Int == 96 && found[kCGImagePropertyOrientation] as? Int == 6)
    #expect(
      (found[kCGImagePropertyTIFFDictionary] as? CFDictionary)?[kCGImagePropertyTIFFMake] as? String
        == "Maker")
    let image = try #require(CGImageSourceCreateImageAtIndex(source(Data(referencing: copy)), 0, nil))
    #expect(try corners(image) == "RGBW")
    #expect(
      CGImageDestinationCreateWithData(NSMutableData(), "com.adobe.raw-image" as CFString, 1, nil) == nil)
  }
}
