import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import StillCodecs
import Testing

@Suite("CGImageDestination")
struct CGImageDestinationTests {
  @Test func `another type or count gives no destination`() {
    let data = NSMutableData()
    #expect(CGImageDestinationCreateWithData(data, "public.tiff" as CFString, 1, nil) == nil)
    #expect(CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 2, nil) == nil)
  }

  @Test func `without a picture nothing is written`() throws {
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil))
    #expect(!CGImageDestinationFinalize(destination))
    #expect(data.length == 0)
  }

  @Test func `a second finalize does nothing`() throws {
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil))
    CGImageDestinationAddImage(destination, try quarters(8, 8), nil)
    #expect(CGImageDestinationFinalize(destination))
    let length = data.length
    #expect(!CGImageDestinationFinalize(destination))
    #expect(data.length == length)
  }

  @Test func `a second picture is a reported mistake`() throws {
    let destination = try #require(
      CGImageDestinationCreateWithData(NSMutableData(), "public.png" as CFString, 1, nil))
    let image = try quarters(8, 8)
    CGImageDestinationAddImage(destination, image, nil)
    let mistakes = ProgrammingMistake.collect { CGImageDestinationAddImage(destination, image, nil) }
    #expect(mistakes.count == 1)
  }

  @Test func `a folder that is not there leaves nothing and says so`() throws {
    let url = URL(fileURLWithPath: "/nowhere/at/all/a.jpg")
    let destination = try #require(
      CGImageDestinationCreateWithURL(url as CFURL, "public.jpeg" as CFString, 1, nil))
    CGImageDestinationAddImage(destination, try quarters(8, 8), nil)
    #expect(!CGImageDestinationFinalize(destination))
  }

  @Test func `a file is there whole`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png")
    defer { try? FileManager.default.removeItem(at: url) }
    let destination = try #require(
      CGImageDestinationCreateWithURL(url as CFURL, "public.png" as CFString, 1, nil))
    CGImageDestinationAddImage(destination, try quarters(20, 10), nil)
    #expect(CGImageDestinationFinalize(destination))
    let source = try #require(CGImageSourceCreateWithURL(url as CFURL, nil))
    let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect(try corners(image) == "RGBW")
  }

  @Test func `quality is a property of the picture or of all`() throws {
    let image = try quarters(200, 150)
    let fine = try file(image, "public.jpeg", [kCGImageDestinationLossyCompressionQuality as String: 1.0])
    let coarse = try file(
      image, "public.jpeg", [kCGImageDestinationLossyCompressionQuality as String: CGFloat(0.1)])
    #expect(coarse.count < fine.count)
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil))
    CGImageDestinationSetProperties(destination, [kCGImageDestinationLossyCompressionQuality: 0.1])
    CGImageDestinationAddImage(destination, image, nil)
    #expect(CGImageDestinationFinalize(destination))
    #expect(Data(referencing: data) == coarse)
  }

  @Test func `alpha lets the background through`() throws {
    let image = try quarters(64, 64, alpha: 0)
    let white = try CGImageSourceCreateImageAtIndex(source(file(image, "public.jpeg")), 0, nil)
    #expect(try corners(#require(white)) == "WWWW")
    let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    let painted = try CGImageSourceCreateImageAtIndex(
      source(file(image, "public.jpeg", [kCGImageDestinationBackgroundColor: red])), 0, nil)
    #expect(try corners(#require(painted)) == "RRRR")
  }

  @Test(arguments: types)
  func `a largest size is kept`(type: String) throws {
    let data = try file(quarters(300, 200), type, [kCGImageDestinationImageMaxPixelSize: 150])
    let found = try properties(data)
    #expect(found[kCGImagePropertyPixelWidth] as? Int == 150)
    #expect(found[kCGImagePropertyPixelHeight] as? Int == 100)
  }

  @Test func `metadata from JPEG to JPEG leaves the picture bit for bit`() throws {
    let original = try file(
      quarters(120, 80), "public.jpeg",
      [
        kCGImagePropertyTIFFDictionary: [
          kCGImagePropertyTIFFMake: "Maker", kCGImagePropertyTIFFSoftware: "Old",
        ],
        kCGImagePropertyOrientation: 6,
      ])
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil))
    let changes =
      [
        kCGImagePropertyTIFFDictionary: [
          kCGImagePropertyTIFFArtist: "Artist", kCGImagePropertyTIFFSoftware: kCFNull as Any,
        ] as CFDictionary
      ] as CFDictionary
    CGImageDestinationAddImageFromSource(destination, try source(original), 0, changes)
    #expect(CGImageDestinationFinalize(destination))
    let changed = Data(referencing: data)
    func picture(_ data: Data) throws -> Data {
      let scan = try #require(JPEGSegments(data).first { $0.marker == 0xDA })
      return Data(data[scan.start...])
    }
    #expect(try picture(original) == picture(changed))
    let found = try properties(changed)
    let tiff = found[kCGImagePropertyTIFFDictionary] as? [String: Any]
    #expect(tiff?["Make"] as? String == "Maker")
    #expect(tiff?["Artist"] as? String == "Artist")
    #expect(tiff?["Software"] == nil)
    #expect(found[kCGImagePropertyOrientation] as? Int == 6)
  }

  @Test(arguments: types, types)
  func `metadata goes along from every type to every type`(from: String, to: String) throws {
    let original = try file(
      quarters(64, 48), from,
      [
        kCGImagePropertyExifDictionary: [kCGImagePropertyExifLensModel: "Lens"] as CFDictionary,
        kCGImagePropertyOrientation: 8,
      ])
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, to as CFString, 1, nil))
    CGImageDestinationAddImageFromSource(destination, try source(original), 0, nil)
    #expect(CGImageDestinationFinalize(destination))
    let found = try properties(Data(referencing: data))
    #expect((found[kCGImagePropertyExifDictionary] as? [String: Any])?["LensModel"] as? String == "Lens")
    #expect(found[kCGImagePropertyOrientation] as? Int == 8)
    #expect(found[kCGImagePropertyPixelWidth] as? Int == 64)
  }
}
