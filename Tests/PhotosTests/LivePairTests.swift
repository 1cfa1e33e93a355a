import AVFCore
import Foundation
import FoundationExtras
import ImageIO
import Linux
import MovieTools
import Photos
import Testing

extension PhotosTests {
  /// Pictures and videos that belong together, or do not.
  @Suite("Halves of Live Photos", .serialized)
  struct LivePairTests {
    private static let one = "5B1D2A0C-7E43-4C0E-9D6A-2F1E0B7A9C33"
    private static let other = "9E7C2F5A-0B1D-4D2C-8A55-6B6D0F4E1A21"

    /// A picture, with the name of a Live Photo inside if wanted, taken in the first second of 2020.
    private func picture(_ name: String?, shade: UInt8 = 0) throws -> Data {
      let plain = try TestLibrary.jpeg(80, 60, shade: shade, date: "2020:01:01 00:00:00")
      guard let name else { return plain }
      let source = try #require(CGImageSourceCreateWithData(plain, nil))
      let target = NSMutableData()
      let destination = try #require(CGImageDestinationCreateWithData(target, "public.jpeg", 1, nil))
      CGImageDestinationAddImageFromSource(
        destination, source, 0, [kCGImagePropertyMakerAppleDictionary: ["17": name]])
      try #require(CGImageDestinationFinalize(destination))
      return target as Data
    }

    /// A film of a second, with such a name, filmed so many seconds after the first of 2020.
    private func film(_ name: String?, to path: String, second: Int = 1) throws {
      var arguments = [
        "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", "-pix_fmt", "yuv420p", "-movflags",
        "use_metadata_tags", "-metadata",
        "com.apple.quicktime.creationdate=2020-01-01T00:00:0\(second)Z",
      ]
      if let name { arguments += ["-metadata", "com.apple.quicktime.content.identifier=\(name)"] }
      try Program.make(path, arguments)
    }

    private func add(_ test: TestLibrary, _ picture: Data, _ film: String) throws {
      try test.library.performChangesAndWait {
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: .photo, data: picture, options: nil)
        request.addResource(with: .pairedVideo, fileURL: URL(fileURLWithPath: film), options: nil)
      }
    }

    @Test func `halves of different Live Photos make no asset, nor a Live Photo`() async throws {
      try await withLibrary { test in
        let path = test.folder + "/.film.mov"
        try film(Self.other, to: path)
        let error = #expect(throws: PHPhotosError.self) { try add(test, picture(Self.one), path) }
        #expect(error?.code == .invalidResource)
        #expect(test.files().isEmpty)
        let file = URL(fileURLWithPath: test.folder + "/.picture.jpg")
        try picture(Self.one).write(to: file)
        let refused: PHPhotosError? = await withCheckedContinuation { continuation in
          PHLivePhoto.request(
            withResourceFileURLs: [file, URL(fileURLWithPath: path)], placeholderImage: nil,
            targetSize: .zero,
            contentMode: .aspectFit
          ) { live, information in
            continuation.resume(
              returning: live == nil ? information[PHLivePhotoInfoErrorKey] as? PHPhotosError : nil)
          }
        }
        #expect(refused?.code == .invalidResource)
        // Of the same one, and of a picture that has lost its name, they do.
        try add(test, picture(Self.other), path)
        try add(test, picture(nil, shade: 9), path)
        let assets = PHAsset.fetchAssets(with: nil)
        #expect(assets.count == 2)
        #expect(assets.objects(at: [0, 1]).allSatisfy { $0.mediaSubtypes.contains(.photoLive) })
      }
    }

    @Test
    func `files that appear in the folder are paired by the name inside, or by their own and their time`()
      throws
    {
      try withLibrary { test in
        let folder = "\(test.pictures)/phone"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func put(_ data: Data, _ name: String) throws {
          try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        // By the name inside, whatever the files are called.
        try put(picture(Self.one), "a.jpg")
        try film(Self.one, to: "\(folder)/z.mov")
        // By their own name and time.
        try put(picture(nil, shade: 1), "IMG_1.jpg")
        try film(nil, to: "\(folder)/IMG_1.mov")
        // Not of the same moment.
        try put(picture(nil, shade: 2), "IMG_2.jpg")
        try film(nil, to: "\(folder)/IMG_2.mov", second: 9)
        // Of another Live Photo.
        try put(picture(Self.other, shade: 3), "IMG_3.jpg")
        try film("third", to: "\(folder)/IMG_3.mov")
        _ = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        let assets = PHAsset.fetchAssets(with: nil)
        let live = assets.objects(at: IndexSet(0..<assets.count)).filter {
          $0.mediaSubtypes.contains(.photoLive)
        }
        let pairs = live.map { asset in
          Set(PHAssetResource.assetResources(for: asset).map(\.originalFilename))
        }
        #expect(Set(pairs) == [["a.jpg", "z.mov"], ["IMG_1.jpg", "IMG_1.mov"]])
        #expect(assets.count == 6)
        // The next look finds nothing new.
        #expect(try Reconciliation(test.store, isFull: true, restSeconds: 0).run().appeared.isEmpty)
      }
    }

    @Test func `a movie that comes after its picture joins it`() throws {
      try withLibrary { test in
        let folder = "\(test.pictures)/phone"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try picture(Self.one).write(to: URL(fileURLWithPath: "\(folder)/IMG_1.jpg"))
        _ = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        #expect(try !test.first().mediaSubtypes.contains(.photoLive))
        try film(Self.one, to: "\(folder)/IMG_1.mov")
        let report = try Reconciliation(test.store, isFull: true, restSeconds: 0).run()
        #expect(report.appeared == ["phone/IMG_1.mov"])
        #expect(PHAsset.fetchAssets(with: nil).count == 1)
        #expect(try test.first().mediaSubtypes.contains(.photoLive))
        #expect(try test.problems().isEmpty)
      }
    }

    @Test func `files that are brought in together are paired as well`() throws {
      try withLibrary { test in
        let paths = ["b.jpg", "b.mov", "c.jpg"].map { test.folder + "/." + $0 }
        try picture(Self.one).write(to: URL(fileURLWithPath: paths[0]))
        try film(Self.one, to: paths[1])
        try picture(nil, shade: 5).write(to: URL(fileURLWithPath: paths[2]))
        #expect(LivePairs.find(amongFiles: paths) == [paths[0]: paths[1]])
        #expect(LivePairs.find(amongFiles: [paths[0], paths[2]]).isEmpty)
      }
    }
  }
}
