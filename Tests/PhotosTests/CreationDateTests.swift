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

    /// A TIFF whose directories lie behind its pixels, as many writers put them.
    private func tiff(
      _ tags: [(UInt16, String)], exif: [(UInt16, String)] = [], xmp: String? = nil, pixels: Int = 300_000
    ) -> Data {
      func little(_ value: Int, _ bytes: Int) -> Data {
        Data((0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
      }
      /// The directory's bytes, and those of its values behind it, for a place in the file.
      func directory(_ entries: [(tag: UInt16, kind: Int, value: Data)], at place: Int) -> Data {
        var table = little(entries.count, 2)
        var values = Data()
        let end = place + 2 + 12 * entries.count + 4
        for entry in entries {
          let count = entry.kind == 4 ? 1 : entry.value.count
          table += little(Int(entry.tag), 2) + little(entry.kind, 2) + little(count, 4)
          if entry.value.count > 4 {
            table += little(end + values.count, 4)
            values += entry.value
          } else {
            table += entry.value + Data(count: 4 - entry.value.count)
          }
        }
        return table + Data(count: 4) + values
      }
      func texts(_ tags: [(UInt16, String)]) -> [(tag: UInt16, kind: Int, value: Data)] {
        tags.map { ($0.0, 2, Data($0.1.utf8) + [0]) }
      }
      let first = 8 + pixels
      let inner = directory(texts(exif), at: first)
      var own = texts(tags)
      if let xmp { own.append((0x02BC, 1, Data(xmp.utf8))) }
      own.append((0x8769, 4, little(first, 4)))
      let place = first + inner.count
      var file = Data([0x49, 0x49, 0x2A, 0])
      file.append(little(place, 4))
      file.append(Data(count: pixels))
      file.append(inner)
      file.append(directory(own, at: place))
      return file
    }

    @Test func `the times of a raw file are read wherever they lie in it`() throws {
      let packet = """
        <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
        exif:DateTimeOriginal="2024-03-10T12:00:00.5+09:00"/>
        """
      let cases: [(Data, String, Double)] = [
        (
          tiff(
            [(0x0132, "2025:01:01 00:00:00")],
            exif: [(0x9003, "2024:03:10 12:00:00"), (0x9011, "+09:00"), (0x9291, "125")]),
          "2024-03-10T03:00:00Z", 0.125
        ),
        (
          tiff(
            [(0x0132, "2024:03:10 12:00:00")], exif: [(0x9010, "-03:30"), (0x9011, "+09:00"), (0x9290, "5")]),
          "2024-03-10T15:30:00Z", 0.5
        ),
        // TIFF/EP has the date in the file's own directory.
        (tiff([(0x9003, "2024:03:10 12:00:00")], exif: [(0x9011, "+01:00")]), "2024-03-10T11:00:00Z", 0),
        (
          tiff([], exif: [(0x9004, "2024:03:10 12:00:00"), (0x9012, "+05:45"), (0x9292, "25")]),
          "2024-03-10T06:15:00Z", 0.25
        ),
        (tiff([], xmp: packet), "2024-03-10T03:00:00Z", 0.5),
        (tiff([], xmp: packet, pixels: 3_000_000), "2024-03-10T03:00:00Z", 0.5),
      ]
      try withLibrary { test in
        for (raw, moment, part) in cases {
          let asset = try add(test, [(.photo, try TestLibrary.jpeg(32, 24)), (.alternatePhoto, raw)])
          #expect(asset.creationDate == utc(moment)?.addingTimeInterval(part), "\(moment)")
        }
        // Broken ones state nothing, and harm nothing.
        let whole = cases[0].0
        for broken in [
          whole.prefix(8), whole.prefix(300_020), Data([0x49, 0x49, 0x2A, 0, 255, 255, 255, 255]),
        ] {
          let before = Date()
          let asset = try add(
            test, [(.photo, try TestLibrary.jpeg(32, 24)), (.alternatePhoto, Data(broken))])
          #expect(try #require(asset.creationDate) >= before.addingTimeInterval(-1))
        }
      }
    }
  }
}
