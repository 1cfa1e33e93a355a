import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Testing

@Suite("CGImageSource")
struct CGImageSourceTests {
  @Test(arguments: types)
  func `a file says its type and gives its picture`(type: String) throws {
    let source = try source(file(quarters(96, 64), type))
    #expect(CGImageSourceGetType(source) == type)
    #expect(CGImageSourceGetCount(source) == 1)
    #expect(CGImageSourceGetStatus(source) == .statusComplete)
    let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect(image.width == 96 && image.height == 64)
    #expect(try corners(image) == "RGBW")
    #expect(image.utType == type)
    #expect(CGImageSourceCreateImageAtIndex(source, 1, nil) == nil)
  }

  @Test func `other bytes have no type and no picture`() throws {
    for data in [Data(), Data("hello".utf8), Data(count: 100)] {
      let source = try source(data)
      #expect(CGImageSourceGetType(source) == nil)
      #expect(CGImageSourceGetCount(source) == 0)
      #expect(CGImageSourceGetStatus(source) == .statusUnknownType)
      #expect(CGImageSourceCreateImageAtIndex(source, 0, nil) == nil)
      #expect(CGImageSourceCopyPropertiesAtIndex(source, 0, nil) == nil)
      #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, nil) == nil)
    }
    #expect(CGImageSourceCreateWithURL(URL(fileURLWithPath: "/nowhere/at/all.jpg") as CFURL, nil) == nil)
  }

  @Test(arguments: 1...8, types)
  func `a thumbnail with transform stands upright`(orientation: Int, type: String) throws {
    // The stored pixels of an upright picture: turned and mirrored back.
    let data = try file(quarters(96, 64), type, [kCGImagePropertyOrientation as String: orientation])
    let found = try properties(data)
    #expect(found[kCGImagePropertyOrientation] as? Int == orientation)
    // As NSNumber, so that clients may cast to what CGImagePropertyOrientation takes.
    #expect(found[kCGImagePropertyOrientation] as? UInt32 == UInt32(orientation))
    #expect(found[kCGImagePropertyPixelWidth] as? Double == 96)
    let options =
      [
        kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true,
        kCGImageSourceThumbnailMaxPixelSize: 48,
      ] as CFDictionary
    let image = try #require(CGImageSourceCreateThumbnailAtIndex(source(data), 0, options))
    let isTransposed = orientation > 4
    #expect(image.width == (isTransposed ? 32 : 48) && image.height == (isTransposed ? 48 : 32))
    let expected = [
      1: "RGBW", 2: "GRWB", 3: "WBGR", 4: "BWRG", 5: "RBGW", 6: "BRWG", 7: "WGBR", 8: "GWRB",
    ]
    #expect(try corners(image) == expected[orientation])
    let untouched = try #require(CGImageSourceCreateImageAtIndex(source(data), 0, nil))
    #expect(try corners(untouched) == "RGBW")
  }

  @Test(arguments: ["public.jpeg", "public.heic"])
  func `the embedded thumbnail is used when there is one`(type: String) throws {
    let data = try file(
      quarters(800, 600), type, [kCGImageDestinationEmbedThumbnail: true])
    let embedded = try #require(CGImageSourceCreateThumbnailAtIndex(source(data), 0, nil))
    #expect(max(embedded.width, embedded.height) == (type == "public.jpeg" ? 160 : 320))
    #expect(try corners(embedded) == "RGBW")
    let larger = try #require(
      CGImageSourceCreateThumbnailAtIndex(
        source(data), 0,
        [kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: 500]))
    #expect(larger.width == 500 && larger.height == 375)
  }

  @Test func `a thumbnail is made only when it may be`() throws {
    let data = try file(quarters(400, 300), "public.jpeg")
    let source = try source(data)
    #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, nil) == nil)
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageIfAbsent: kCFBooleanTrue!,
      kCGImageSourceThumbnailMaxPixelSize: 100,
    ]
    let image = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary))
    #expect(image.width == 100 && image.height == 75)
    let small = try #require(
      CGImageSourceCreateThumbnailAtIndex(
        source, 0,
        [kCGImageSourceCreateThumbnailFromImageIfAbsent: true, kCGImageSourceThumbnailMaxPixelSize: 4000]))
    #expect(small.width == 400)
  }

  @Test(arguments: types, [2, 4, 8])
  func `a subsampled picture is smaller by the factor`(type: String, factor: Int) throws {
    let source = try source(file(quarters(100, 66), type))
    let image = try #require(
      CGImageSourceCreateImageAtIndex(source, 0, [kCGImageSourceSubsampleFactor: factor]))
    #expect(image.width == (100 + factor - 1) / factor && image.height == (66 + factor - 1) / factor)
    #expect(try corners(image) == "RGBW")
  }

  @Test func `the decoded picture is kept until it is removed`() throws {
    let source = try source(file(quarters(64, 64), "public.jpeg"))
    let first = CGImageSourceCreateImageAtIndex(source, 0, nil)
    #expect(CGImageSourceCreateImageAtIndex(source, 0, nil) === first)
    CGImageSourceRemoveCacheAtIndex(source, 0)
    #expect(CGImageSourceCreateImageAtIndex(source, 0, [kCGImageSourceShouldCache: false]) !== first)
  }

  @Test(arguments: types)
  func `wide colours come back with their profile`(type: String) throws {
    let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    let data = try file(quarters(64, 64, space: space), type)
    #expect(try properties(data)[kCGImagePropertyProfileName] as? String == "Display P3")
    #expect(try CGImageSourceCreateImageAtIndex(source(data), 0, nil)?.colorSpace == space)
  }

  @Test func `the types that are announced are read`() {
    let types = CGImageSourceCopyTypeIdentifiers() as? [String]
    #expect(types?.contains("public.heic") == true)
    #expect(types?.contains("public.tiff") == false)
  }
}
