import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Photos
import StillCodecs
import Testing

extension PhotosTests {
  @Suite("Creation dates", .serialized)
  struct CreationDateTests {
    private func add(_ test: TestLibrary, _ resources: [(PHAssetResourceType, Data)]) throws -> PHAsset {
      var name = ""
      try test.library.performChangesAndWait {
        let request = PHAssetCreationRequest.forAsset()
        for (type, data) in resources { request.addResource(with: type, data: data, options: nil) }
        name = request.placeholderForCreatedAsset?.localIdentifier ?? ""
      }
      return try #require(PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject)
    }

    private func picture(_ type: String, tiff: CFDictionary = [:], exif: CFDictionary = [:]) throws -> Data {
      let source = try #require(CGImageSourceCreateWithData(try TestLibrary.jpeg(32, 24), nil))
      let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
      let data = NSMutableData()
      let destination = try #require(CGImageDestinationCreateWithData(data, type, 1, nil))
      CGImageDestinationAddImage(
        destination, image, [kCGImagePropertyExifDictionary: exif, kCGImagePropertyTIFFDictionary: tiff])
      #expect(CGImageDestinationFinalize(destination))
      return data as Data
    }

    private func utc(_ text: String) -> Date? { ISO8601DateFormatter().date(from: text) }

    @Test(arguments: ["public.jpeg", "public.heic", "public.png"])
    func `a photo is filed by the first of its times, with the offset that belongs to it`(type: String) throws
    {
      try withLibrary { test in
        let changed = try picture(
          type, tiff: [kCGImagePropertyTIFFDateTime: "2024:03:10 12:00:00"],
          exif: [kCGImagePropertyExifOffsetTime: "+09:00", kCGImagePropertyExifOffsetTimeOriginal: "-03:00"])
        #expect(try add(test, [(.photo, changed)]).creationDate == utc("2024-03-10T03:00:00Z"))
        let digitized = try picture(
          type, tiff: [kCGImagePropertyTIFFDateTime: "2024:03:10 12:00:00"],
          exif: [
            kCGImagePropertyExifDateTimeDigitized: "2023:03:10 12:00:00",
            kCGImagePropertyExifOffsetTimeDigitized: "+05:45",
            kCGImagePropertyExifSubsecTimeDigitized: "25",
          ])
        #expect(
          try add(test, [(.photo, digitized)]).creationDate
            == utc("2023-03-10T06:15:00Z")?.addingTimeInterval(0.25))
      }
    }

    @Test func `ten photos of one second stand in the order of their fractions`() throws {
      try withLibrary { test in
        var names: [Int: String] = [:]
        for tenth in [7, 2, 9, 0, 4, 1, 8, 3, 6, 5] {
          let file = try picture(
            "public.jpeg", tiff: [kCGImagePropertyTIFFDateTime: "2024:03:10 12:00:00"],
            exif: [
              kCGImagePropertyExifSubsecTime: "\(tenth)", kCGImagePropertyExifOffsetTime: "+00:00",
            ])
          names[tenth] = try add(test, [(.photo, file)]).localIdentifier
        }
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        let found = PHAsset.fetchAssets(with: options)
        #expect((0..<found.count).map { found[$0].localIdentifier } == (0..<10).map { names[$0] ?? "" })
      }
    }

    @Test func `a raw file beside a picture without a date says when it was taken`() throws {
      try withLibrary { test in
        // A DNG is a TIFF, and so is a block of EXIF; its pixels lie where no reader of tags looks.
        let tags = ExifBlock(properties: [
          kCGImagePropertyExifDictionary: [
            kCGImagePropertyExifDateTimeOriginal: "2024:03:10 12:00:00",
            kCGImagePropertyExifOffsetTimeOriginal: "+09:00",
            kCGImagePropertyExifSubsecTimeOriginal: "125",
          ] as CFDictionary
        ])
        let raw = try tags.data() + Data(count: 300_000)
        let asset = try add(test, [(.photo, try TestLibrary.jpeg(32, 24)), (.alternatePhoto, raw)])
        #expect(asset.creationDate == utc("2024-03-10T03:00:00Z")?.addingTimeInterval(0.125))
      }
    }
  }
}
