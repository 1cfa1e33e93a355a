import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import MovieTools
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

    @Test
    func `movies and photos stand by the moments that they state, and an album has their first and last`()
      throws
    {
      try withLibrary { test in
        let plain = "\(test.folder)/.plain.mov"
        try Program.make(
          plain, ["-f", "lavfi", "-i", "color=size=64x64:rate=10:duration=0.2", "-c:v", "mjpeg"])
        func movie(_ metadata: String...) throws -> PHAsset {
          let path = "\(test.folder)/.\(UUID().uuidString).mov"
          try Program.make(
            path,
            ["-i", plain, "-c", "copy", "-movflags", "use_metadata_tags"]
              + metadata.flatMap { ["-metadata", $0] })
          var name = ""
          try test.library.performChangesAndWait {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .video, fileURL: URL(fileURLWithPath: path), options: nil)
            name = request.placeholderForCreatedAsset?.localIdentifier ?? ""
          }
          return try #require(PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject)
        }
        let named = "com.apple.quicktime.creationdate"
        // By their clocks alone, the order would be another.
        let wanted: [(PHAsset, String)] = [
          (try movie("\(named)=2024-03-10T20:00:00+0900"), "2024-03-10T11:00:00Z"),
          (try movie("\(named)=2024-03-10T08:00:00-03:30"), "2024-03-10T11:30:00Z"),
          (
            try add(
              test,
              [
                (
                  .photo,
                  try picture(
                    "public.jpeg", tiff: [kCGImagePropertyTIFFDateTime: "2024:03:11 00:45:00"],
                    exif: [kCGImagePropertyExifOffsetTime: "+13:00"])
                )
              ]), "2024-03-10T11:45:00Z"
          ),
          (try movie("creation_time=2024-03-10T12:00:00Z"), "2024-03-10T12:00:00Z"),
          (
            try movie("\(named)=2024-03-10T07:00:00-05:15", "creation_time=2020-01-01T00:00:00Z"),
            "2024-03-10T12:15:00Z"
          ),
        ]
        for (asset, moment) in wanted { #expect(asset.creationDate == utc(moment), "\(moment)") }
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        let found = PHAsset.fetchAssets(with: options)
        #expect((0..<found.count).map { found[$0].localIdentifier } == wanted.map { $0.0.localIdentifier })
        try test.library.performChangesAndWait {
          PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Day").addAssets(
            wanted.map(\.0).reversed() as NSArray)
        }
        let album = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
          .firstObject
        #expect(
          album?.startDate == utc("2024-03-10T11:00:00Z") && album?.endDate == utc("2024-03-10T12:15:00Z"))
      }
    }

    @Test func `a raw file's times count by their meaning, of EXIF or of XMP, in every combination`() throws {
      // Of each time: nothing, EXIF's tags, or a property of XMP; the first that is stated is the photo's.
      let tags: [(date: UInt16, fraction: UInt16, offset: UInt16, xmp: String)] = [
        (0x9003, 0x9291, 0x9011, "e:DateTimeOriginal"), (0x9004, 0x9292, 0x9012, "x:CreateDate"),
        (0x0132, 0x9290, 0x9010, "x:ModifyDate"),
      ]
      try withLibrary { test in
        for number in 1..<27 {
          let stated = [number % 3, number / 3 % 3, number / 9]
          var (own, inner, attributes) = ([(UInt16, String)](), [(UInt16, String)](), "")
          for (index, (tag, how)) in zip(tags, stated).enumerated() {
            if how == 1 {
              if index == 2 { own.append((tag.date, "2024:03:1\(index) 12:00:00")) }
              if index != 2 { inner.append((tag.date, "2024:03:1\(index) 12:00:00")) }
              inner += [(tag.fraction, "25"), (tag.offset, "+09:00")]
            } else if how == 2 {
              attributes += " \(tag.xmp)=\"2024-03-1\(index)T12:00:00.5-03:30\""
            }
          }
          let packet = """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
            xmlns:e="http://ns.adobe.com/exif/1.0/" xmlns:x="http://ns.adobe.com/xap/1.0/"\(attributes)/></rdf:RDF>
            """
          let raw = tiff(own, exif: inner, xmp: packet, pixels: 100)
          let asset = try add(test, [(.photo, try TestLibrary.jpeg(32, 24)), (.alternatePhoto, raw)])
          let first = try #require(stated.firstIndex { $0 > 0 })
          let wanted =
            stated[first] == 1
            ? utc("2024-03-1\(first)T03:00:00Z")?.addingTimeInterval(0.25)
            : utc("2024-03-1\(first)T15:30:00Z")?.addingTimeInterval(0.5)
          #expect(asset.creationDate == wanted, "\(stated)")
        }
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
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
        xmlns:e="http://ns.adobe.com/exif/1.0/" e:DateTimeOriginal="2024-03-10T12:00:00.5+09:00"/></rdf:RDF>
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
