import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Linux
import Photos
import Testing
import Waiting

/// All tests of the library, one after the other: a program has one library.
@Suite("Photos", .serialized)
struct PhotosTests {}

/// A library in a folder of its own, for one test.
struct TestLibrary {
  let folder: String
  let store: LibraryStore

  var library: PHPhotoLibrary { PHPhotoLibrary.shared() }

  /// The folder of the photos.
  var pictures: String { store.place.pictures }

  /// A picture file as bytes: a gradient whose colour is chosen.
  static func jpeg(
    _ width: Int = 320, _ height: Int = 240, shade: UInt8 = 0, date: String? = nil, orientation: Int = 1,
    gps: [String: Any]? = nil
  ) throws -> Data {
    var bytes = [UInt8](repeating: 255, count: width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let at = (y * width + x) * 4
        bytes[at] = UInt8(x * 255 / width)
        bytes[at + 1] = UInt8(y * 255 / height)
        bytes[at + 2] = shade
      }
    }
    let provider = try #require(CGDataProvider(data: Data(bytes)))
    let image = try #require(
      CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil))
    var properties: CFDictionary = [kCGImagePropertyOrientation: orientation]
    if let date {
      properties[kCGImagePropertyExifDictionary] =
        [kCGImagePropertyExifDateTimeOriginal: date, kCGImagePropertyExifOffsetTimeOriginal: "+00:00"]
        as CFDictionary
    }
    if let gps { properties[kCGImagePropertyGPSDictionary] = gps }
    CGImageDestinationAddImage(destination, image, properties)
    #expect(CGImageDestinationFinalize(destination))
    return data as Data
  }

  /// Makes the catalogue of an earlier version, with an album and a photo without a file.
  static func makeOldCatalogue(_ place: LibraryFolders, _ version: Int) throws {
    try FileManager.default.createDirectory(atPath: place.catalogue, withIntermediateDirectories: true)
    let old = try Connection(place.database, .readWrite)
    try Schema.migrate(old, to: version)
    try old.execute(
      """
      INSERT INTO album(uuid, is_folder, title, position, made) VALUES(zeroblob(16), 0, 'Old', 1, 0);
      INSERT INTO asset(id, uuid, media_type, media_subtypes, width, height, duration, added, is_favorite, is_hidden,
        burst_types, is_burst_key, marks, state, inserted)
        VALUES(1, zeroblob(16), 1, 0, 64, 48, 0, 0, 0, 0, 0, 0, 0, 0, 1);
      INSERT INTO resource(asset, type, uti, path, bytes, modified, width, height)
        VALUES(1, 1, 'public.jpeg', '2001-01/old.jpg', 100, 0, 64, 48);
      """)
    #expect(try old.integer("PRAGMA user_version") == version)
  }

  /// Adds photos in one change; returns their identifiers.
  @discardableResult
  func add(_ count: Int, from first: Int = 0) throws -> [String] {
    var names: [String] = []
    let files = try (first..<first + count).map { try Self.jpeg(64, 48, shade: UInt8($0 % 256)) }
    try library.performChangesAndWait {
      for (index, file) in files.enumerated() {
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: .photo, data: file, options: nil)
        request.creationDate = Date(timeIntervalSinceReferenceDate: Double(first + index) * 60)
        names.append(request.placeholderForCreatedAsset?.localIdentifier ?? "")
      }
    }
    return names
  }

  /// The files below the pictures, hidden ones left out.
  func files() -> [String] {
    let found = FileManager.default.enumerator(atPath: pictures)?.compactMap { $0 as? String } ?? []
    return found.filter { path in
      !path.split(separator: "/").contains { $0.hasPrefix(".") } && MediaFacts.isMedia(named: path)
    }.sorted()
  }

  /// The names of all assets.
  func names() -> [String] {
    let found = PHAsset.fetchAssets(with: nil)
    return (0..<found.count).map { found[$0].localIdentifier }
  }

  /// Waits until a process has staged a picture for this library, or has ended; at most half a minute.
  func waitForPicture(of process: Process) {
    func isThere() -> Bool {
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: store.place.staging)) ?? []
      return names.contains { $0.contains("/") && !$0.hasSuffix("/lock") }
    }
    _ = outside("another process stages it") { !process.isRunning || isThere() }
  }

  func problems(readsFiles: Bool = true) throws -> [Verification.Problem] {
    try Verification(store, readsFiles: readsFiles).run().problems
  }

  /// The first asset by date.
  func first() throws -> PHAsset { try #require(assets.firstObject) }

  /// All assets by date.
  var assets: PHFetchResult<PHAsset> { PHAsset.fetchAssets(with: nil) }
}

/// Runs `body` with a library in a folder that is removed afterwards.
///
/// Its time is the machine's, unless another is given: suites beside this one simulate worlds.
func withLibrary<Result>(time: WorldTime = .machine, _ body: (TestLibrary) throws -> Result) throws -> Result
{
  let test = try TestLibrary.open(time)
  defer { test.close() }
  return try body(test)
}

/// As above, for bodies that wait.
func withLibrary<Result>(_ body: (TestLibrary) async throws -> Result) async throws -> Result {
  let test = try TestLibrary.open(.machine)
  defer { test.close() }
  return try await body(test)
}

extension TestLibrary {
  /// A library in a new folder, which the process uses until it is closed.
  fileprivate static func open(_ time: WorldTime) throws -> TestLibrary {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "obscura-library-\(UUID().uuidString)"
    ).path
    DeferredFinishing.isAutomatic = false
    do {
      let store = try LibraryStore(LibraryFolders(folder: folder), time: time)
      SharedLibrary.use(store)
      return TestLibrary(folder: folder, store: store)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  fileprivate func close() {
    SharedLibrary.use(nil)
    DeferredFinishing.finisher = nil
    try? FileManager.default.removeItem(atPath: folder)
  }
}
