import CoreVideo
import Foundation
import FoundationExtras
import ImageIO
import Linux
import MovieTools
import Photos
import Testing

extension PhotosTests {
  @Suite("Kinds of assets", .serialized)
  struct AssetKindTests {
    private func smart(_ subtype: PHAssetCollectionSubtype) throws -> [String] {
      let album = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: subtype, options: nil)
      let found = PHAsset.fetchAssets(in: try #require(album.firstObject), options: nil)
      return (0..<found.count).map { found[$0].localIdentifier }
    }

    private func add(
      _ test: TestLibrary, _ resources: [(PHAssetResourceType, Data)], burst: String? = nil
    ) throws -> PHAsset {
      var name = ""
      try test.library.performChangesAndWait {
        let request = PHAssetCreationRequest.forAsset()
        for (type, data) in resources { request.addResource(with: type, data: data, options: nil) }
        if let burst { request.burstIdentifier = burst }
        name = request.placeholderForCreatedAsset?.localIdentifier ?? ""
      }
      return try #require(PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject)
    }

    private func add(
      _ test: TestLibrary, film path: String, _ type: PHAssetResourceType = .video
    ) throws -> PHAsset {
      var name = ""
      try test.library.performChangesAndWait {
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: type, fileURL: URL(fileURLWithPath: path), options: nil)
        name = request.placeholderForCreatedAsset?.localIdentifier ?? ""
      }
      return try #require(PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject)
    }

    private static let (panorama, depthMap) = (
      "http://ns.google.com/photos/1.0/panorama/", "http://ns.google.com/photos/1.0/depthmap/"
    )

    /// An XMP packet of elements.
    private func packet(_ elements: String) -> Data {
      Data(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="">\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8)
    }

    /// The picture with segments of XMP behind its start.
    private func jpeg(segments: [Data]) throws -> Data {
      let file = try TestLibrary.jpeg(90, 30)
      var result = Data(file.prefix(2))
      for segment in segments {
        let count = segment.count + 2
        result += Data([0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)])
        result += segment
      }
      return result + file.dropFirst(2)
    }

    /// The picture with a packet of these elements.
    private func jpeg(xmp: String) throws -> Data {
      try jpeg(segments: [Data("http://ns.adobe.com/xap/1.0/\0".utf8) + packet(xmp)])
    }

    /// The picture with a packet that goes on in another one, whose parts lie in further segments.
    private func jpeg(extended xmp: String, named name: String, missing: Int? = nil) throws -> Data {
      let head = packet(
        "<n:HasExtendedXMP xmlns:n='http://ns.adobe.com/xmp/note/'>\(name)</n:HasExtendedXMP>")
      let whole = packet("<m:Filler xmlns:m='m'>\(String(repeating: "x", count: 90_000))</m:Filler>\(xmp)")
      func big(_ number: Int) -> Data { Data([24, 16, 8, 0].map { UInt8(number >> $0 & 255) }) }
      var segments: [Data] = []
      for (number, start) in stride(from: 0, to: whole.count, by: 40_000).enumerated() where number != missing
      {
        var part = Data("http://ns.adobe.com/xmp/extension/\0\(name)".utf8)
        part += big(whole.count)
        part += big(start)
        segments.append(part + whole.dropFirst(start).prefix(40_000))
      }
      // Their order in the file is free.
      segments.append(Data("http://ns.adobe.com/xap/1.0/\0".utf8) + head)
      return try jpeg(segments: segments.reversed())
    }

    @Test func `XMP is known by its namespaces, not by the prefixes that a writer chose`() throws {
      try withLibrary { test in
        func format(_ prefix: String, _ space: String) -> String {
          "<\(prefix):Format xmlns:\(prefix)=\"\(space)\">RangeLinear</\(prefix):Format>"
        }
        let name = String(repeating: "0123456789ABCDEF", count: 2)
        let depth = format("b", Self.depthMap)
        let cases: [(Data, PHAssetMediaSubtype)] = [
          (try jpeg(xmp: format("a", Self.depthMap)), .photoDepthEffect),
          (try jpeg(xmp: format("GDepth", "http://example.org/")), []),
          (try jpeg(xmp: "<d:description xmlns:d='d'>GDepth:Format GPano:</d:description>"), []),
          (try jpeg(xmp: format("a", Self.panorama)), .photoPanorama),
          (try jpeg(xmp: format("GPano", "http://ns.google.com/photos/1.0/")), []),
          (try jpeg(extended: depth, named: name), .photoDepthEffect),
          (try jpeg(extended: depth, named: name, missing: 1), []),
        ]
        for (number, (file, wanted)) in cases.enumerated() {
          #expect(try add(test, [(.photo, file)]).mediaSubtypes == wanted, "\(number)")
        }
      }
    }

    /// The picture with these EXIF tags.
    private func jpeg(exif: CFDictionary) throws -> Data {
      let source = try #require(CGImageSourceCreateWithData(try TestLibrary.jpeg(60, 40), nil))
      let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
      let data = NSMutableData()
      let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil))
      CGImageDestinationAddImage(destination, image, [kCGImagePropertyExifDictionary: exif])
      #expect(CGImageDestinationFinalize(destination))
      return data as Data
    }

    private func film(_ test: TestLibrary, _ name: String, _ arguments: [String]) throws -> String {
      let path = "\(test.folder)/.\(name)"
      try Program.make(path, arguments)
      return path
    }

    @Test func `panoramas, photos with depth, screenshots and long exposures stand in albums of their own`()
      throws
    {
      try withLibrary { test in
        let plain = try add(test, [(.photo, try TestLibrary.jpeg())])
        let panorama =
          "<GPano:ProjectionType xmlns:GPano='\(Self.panorama)'>equirectangular</GPano:ProjectionType>"
        let depth = "<GDepth:Format xmlns:GDepth='\(Self.depthMap)'>RangeLinear</GDepth:Format>"
        let wide = try add(test, [(.photo, try jpeg(xmp: panorama))])
        let deep = try add(test, [(.photo, try jpeg(xmp: depth))])
        let screen = try add(
          test, [(.photo, try jpeg(exif: [kCGImagePropertyExifUserComment: "Screenshot"]))])
        let long = try add(test, [(.photo, try jpeg(exif: [kCGImagePropertyExifExposureTime: 4.0]))])
        #expect(plain.mediaSubtypes.isEmpty && plain.mediaType == .image)
        #expect(wide.mediaSubtypes == .photoPanorama && deep.mediaSubtypes == .photoDepthEffect)
        #expect(screen.mediaSubtypes == .photoScreenshot)
        #expect(try smart(.smartAlbumPanoramas) == [wide.localIdentifier])
        #expect(try smart(.smartAlbumDepthEffect) == [deep.localIdentifier])
        #expect(try smart(.smartAlbumScreenshots) == [screen.localIdentifier])
        #expect(try smart(.smartAlbumLongExposures) == [long.localIdentifier])
        let options = PHFetchOptions()
        options.predicate = NSPredicate(
          format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoPanorama.rawValue)
        #expect(PHAsset.fetchAssets(with: options).firstObject == wide)
      }
    }

    @Test(arguments: ["public.jpeg", "public.heic"])
    func `photos with disparity, as cameras write it, stand among those with depth`(type: String) throws {
      try withLibrary { test in
        let source = try #require(CGImageSourceCreateWithData(TestLibrary.jpeg() as CFData, nil))
        let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
        let data = NSMutableData()
        let destination = try #require(CGImageDestinationCreateWithData(data, type as CFString, 1, nil))
        CGImageDestinationAddImage(destination, image, nil)
        let map: [Float] = [0.5, 1, 1.5, 2]
        let description: CFDictionary = [
          kCGImagePropertyWidth: 2, kCGImagePropertyHeight: 2,
          kCGImagePropertyPixelFormat: kCVPixelFormatType_DisparityFloat32,
        ]
        CGImageDestinationAddAuxiliaryDataInfo(
          destination, kCGImageAuxiliaryDataTypeDisparity as CFString,
          [
            kCGImageAuxiliaryDataInfoData: map.withUnsafeBytes { Data($0) },
            kCGImageAuxiliaryDataInfoDataDescription: description,
          ])
        try #require(CGImageDestinationFinalize(destination))
        let deep = try add(test, [(.photo, Data(referencing: data))])
        #expect(deep.mediaSubtypes == .photoDepthEffect)
        #expect(try smart(.smartAlbumDepthEffect) == [deep.localIdentifier])
      }
    }

    @Test func `photos of the front camera stand in the album of selfies`() throws {
      try withLibrary { test in
        let lens = kCGImagePropertyExifLensModel
        let own = try add(test, [(.photo, try jpeg(exif: [lens: "Simulated Front Camera 2.7mm f/2.2"]))])
        _ = try add(test, [(.photo, try jpeg(exif: [lens: "Simulated Back Camera 5.7mm f/1.5"]))])
        #expect(try smart(.smartAlbumSelfPortraits) == [own.localIdentifier] && test.assets.count == 2)
      }
    }

    @Test func `pictures that move and bursts stand in albums of their own`() throws {
      try withLibrary { test in
        let path = try film(
          test, "moves.apng",
          ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1", "-plays", "0", "-f", "apng"])
        let moving = try add(test, [(.photo, try Data(contentsOf: URL(fileURLWithPath: path)))])
        #expect(moving.playbackStyle == .imageAnimated)
        #expect(try smart(.smartAlbumAnimated) == [moving.localIdentifier])
        let gif = try film(
          test, "moves.gif", ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1"])
        let other = try add(test, [(.photo, try Data(contentsOf: URL(fileURLWithPath: gif)))])
        #expect(other.playbackStyle == .imageAnimated && other.pixelWidth == 64 && other.pixelHeight == 48)
        #expect(Set(try smart(.smartAlbumAnimated)) == [moving.localIdentifier, other.localIdentifier])
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var (shown, type): (CGImage?, String?)
        PHImageManager.default().requestImage(
          for: other, targetSize: CGSize(width: 32, height: 24), contentMode: .aspectFit, options: options
        ) { found, _ in shown = found?.cgImage }
        PHImageManager.default().requestImageDataAndOrientation(for: other, options: options) {
          _, found, _, _ in type = found
        }
        #expect(shown?.width == 32 && type == "com.compuserve.gif")
        let burst = UUID().uuidString
        let shots = try (0..<3).map {
          try add(test, [(.photo, try TestLibrary.jpeg(64, 48, shade: UInt8($0)))], burst: burst)
        }
        #expect(shots.map(\.representsBurst) == [true, false, false])
        #expect(try smart(.smartAlbumBursts) == [shots[0].localIdentifier])
        #expect(PHAsset.fetchAssets(withBurstIdentifier: burst, options: nil).count >= 1)
      }
    }

    @Test func `videos of many frames a second and of a long time stand in albums of their own`() throws {
      try withLibrary { test in
        let source = ["-f", "lavfi", "-i"]
        let fast = try add(
          test,
          film: try film(
            test, "fast.mp4",
            source + ["testsrc=size=64x48:rate=120:duration=0.5", "-pix_fmt", "yuv420p"]))
        let lapse = try add(
          test,
          film: try film(
            test, "lapse.mov",
            source + [
              "testsrc=size=64x48:rate=10:duration=1", "-pix_fmt", "yuv420p", "-movflags",
              "use_metadata_tags", "-metadata", "com.apple.photos.captureMode=Time-lapse",
            ]))
        #expect(fast.mediaSubtypes == .videoHighFrameRate && lapse.mediaSubtypes == .videoTimelapse)
        #expect(try smart(.smartAlbumSlomoVideos) == [fast.localIdentifier])
        #expect(try smart(.smartAlbumTimelapses) == [lapse.localIdentifier])
        #expect(PHAssetResource.assetResources(for: lapse).map(\.type) == [.video])
      }
    }

    @Test func `recordings are assets of their own kind, and none is of a kind that is not known`() throws {
      try withLibrary { test in
        let path = try film(
          test, "tone.wav", ["-f", "lavfi", "-i", "sine=frequency=440:duration=1"])
        let tone = try add(test, film: path, .audio)
        try test.add(1)
        #expect(tone.mediaType == .audio && tone.playbackStyle == .unsupported && tone.duration == 1)
        #expect(PHAsset.fetchAssets(with: .audio, options: nil).firstObject == tone)
        #expect(PHAsset.fetchAssets(with: .unknown, options: nil).count == 0 && test.assets.count == 2)
      }
    }

    @Test func `a resource has the type and name that it was given, its size, and is read with progress`()
      async throws
    {
      try await withLibrary { test in
        let file = try TestLibrary.jpeg(300, 200)
        try test.library.performChangesAndWait {
          let options = PHAssetResourceCreationOptions()
          options.uniformTypeIdentifier = "public.jpeg-2000"
          options.originalFilename = "Mine.jp2"
          PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: options)
        }
        let resource = try #require(PHAssetResource.assetResources(for: try test.first()).first)
        #expect(resource.uniformTypeIdentifier == "public.jpeg-2000")
        #expect(resource.originalFilename == "Mine.jp2")
        #expect(resource.pixelWidth == 300 && resource.pixelHeight == 200)
        let shares = Locked<[Double]>([])
        let options = PHAssetResourceRequestOptions()
        options.progressHandler = { share in shares.withLock { $0.append(share) } }
        let error: (any Error)? = await withCheckedContinuation { continuation in
          PHAssetResourceManager.default().requestData(
            for: resource, options: options, dataReceivedHandler: { _ in },
            completionHandler: { continuation.resume(returning: $0) })
        }
        #expect(error == nil && shares.withLock { $0 } == [1])
      }
    }
  }
}
