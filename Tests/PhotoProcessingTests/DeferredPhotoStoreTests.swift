import AVFCore
import CaptureDevice
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import ImageIO
import Linux
import PhotoProcessing
import StillCodecs
import Testing

@Suite("DeferredPhotoStore: frames of photos that are finished later")
struct DeferredPhotoStoreTests {
  @Test(arguments: [PhotoEncoding.jpeg(quality: nil), .heic(quality: nil)], [SampleFrame.pixels, .jpeg])
  func `a stored photo finishes to the bytes of the photo made at once`(
    encoding: PhotoEncoding, kind: SampleFrame
  ) throws {
    try TemporaryFolder.use { folder in
      let frame = try kind.frame()
      let request = SampleFrame.request(encoding, frame)
      let atOnce = try #require(PhotoProcessor().process([frame], for: request).file)
      let identifier = PhotoProxy.newIdentifier()
      try DeferredPhotoStore(folder: folder).save([frame], for: request, as: identifier)
      // Another process would have another store.
      let finished = try DeferredPhotoStore(folder: folder).finish(identifier)
      #expect(finished.file == atOnce)
      #expect(finished.fileType.rawValue == (encoding.isHEIC ? "public.heic" : "public.jpeg"))
      #expect(finished.size == FrameSize(width: 320, height: 240))
      #expect(finished.orientation == .right)
    }
  }

  @Test(arguments: [PhotoEncoding.jpeg(quality: nil), .heic(quality: nil)])
  func `a proxy is a whole file of half the size that names its frames`(
    encoding: PhotoEncoding
  ) throws {
    let frame = try SampleFrame.pixels.frame()
    let request = SampleFrame.request(encoding, frame)
    let identifier = PhotoProxy.newIdentifier()
    let proxy = try #require(PhotoProcessor().process([frame], for: request.proxy(identifier)).file)
    let facts = try StillFacts(proxy)
    #expect(facts.width == 160 && facts.height == 120)
    #expect(DeferredPhotoStore.identifier(inProxy: proxy) == identifier)
    let whole = try #require(PhotoProcessor().process([frame], for: request).file)
    #expect(DeferredPhotoStore.identifier(inProxy: whole) == nil)
    #expect(proxy.count < whole.count)
    #expect(DeferredPhotoStore.identifier(inProxy: Data("no picture".utf8)) == nil)
  }

  @Test func `the secondary image is larger than the proxy and smaller than the photo`() throws {
    try TemporaryFolder.use { folder in
      let store = DeferredPhotoStore(folder: folder)
      let frame = try SampleFrame.pixels.frame()
      let identifier = PhotoProxy.newIdentifier()
      try store.save([frame], for: SampleFrame.request(.heic(quality: nil), frame), as: identifier)
      let secondary = try store.secondaryImage(identifier)
      #expect(secondary.image.width == 240 && secondary.image.height == 180)
      #expect(secondary.orientation == .right)
    }
  }

  @Test func `photos are listed with the oldest first until they are discarded`() throws {
    try TemporaryFolder.use { folder in
      let store = DeferredPhotoStore(folder: folder)
      #expect(store.entries().isEmpty)
      let frame = try SampleFrame.pixels.frame()
      let request = SampleFrame.request(.jpeg(quality: nil), frame)
      // Photos of the same moment are listed by their identifiers.
      let identifiers = (0..<3).map { _ in PhotoProxy.newIdentifier() }.sorted()
      for identifier in identifiers { try store.save([frame], for: request, as: identifier) }
      #expect(store.entries().map(\.identifier) == identifiers)
      #expect(store.entries().allSatisfy { $0.byteCount > 320 * 240 })
      try store.discard(identifiers[1])
      try store.discard(identifiers[1])
      #expect(store.entries().map(\.identifier) == [identifiers[0], identifiers[2]])
      #expect(!store.contains(identifiers[1]) && store.contains(identifiers[2]))
      let error = #expect(throws: DeferredPhotoError.self) { try store.finish(identifiers[1]) }
      guard case .unknown = error else { return #expect(Bool(false), "\(error as Any)") }
    }
  }

  @Test func `a full store refuses a photo and keeps those that it has`() throws {
    try TemporaryFolder.use { folder in
      let frame = try SampleFrame.pixels.frame()
      let request = SampleFrame.request(.jpeg(quality: nil), frame)
      let store = DeferredPhotoStore(folder: folder, byteLimit: 300_000)
      let first = PhotoProxy.newIdentifier()
      try store.save([frame], for: request, as: first)
      try store.save([frame], for: request, as: PhotoProxy.newIdentifier())
      let error = #expect(throws: DeferredPhotoError.self) {
        try store.save([frame], for: request, as: PhotoProxy.newIdentifier())
      }
      guard case .full = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(store.entries().count == 2)
      try store.discard(first)
      try store.save([frame], for: request, as: PhotoProxy.newIdentifier())
    }
  }

  @Test func `damaged frames are an error, whatever byte is lost`() throws {
    try TemporaryFolder.use { folder in
      let frame = try SampleFrame.pixels.frame()
      let store = DeferredPhotoStore(folder: folder)
      let identifier = PhotoProxy.newIdentifier()
      try store.save([frame], for: SampleFrame.request(.jpeg(quality: nil), frame), as: identifier)
      let file = URL(fileURLWithPath: "\(folder)/\(identifier).frames")
      let whole = try Data(contentsOf: file)
      for length in [0, 7, 15, 16, 40, whole.count / 2, whole.count - 1] {
        try whole.prefix(length).write(to: file)
        #expect(throws: DeferredPhotoError.self) { try store.finish(identifier) }
      }
      var wrong = whole
      wrong[9] = 0x7F
      try wrong.write(to: file)
      #expect(throws: DeferredPhotoError.self) { try store.finish(identifier) }
      try whole.write(to: file)
      #expect(try !store.finish(identifier).file.isEmpty)
    }
  }

  @Test func `an identifier that is none reaches no file`() throws {
    try TemporaryFolder.use { folder in
      let store = DeferredPhotoStore(folder: folder + "/inside")
      let outside = URL(fileURLWithPath: folder + "/x.frames")
      try Data("kept".utf8).write(to: outside)
      try store.discard("../x")
      #expect(!store.contains("../x"))
      #expect(throws: DeferredPhotoError.self) { try store.finish("../x") }
      #expect(FileManager.default.fileExists(atPath: outside.path))
    }
  }

  @Test func `a folder that cannot be written is an error that names it`() throws {
    try TemporaryFolder.use { folder in
      try Data().write(to: URL(fileURLWithPath: folder + "/file"))
      let frame = try SampleFrame.pixels.frame()
      let error = #expect(throws: DeferredPhotoError.self) {
        try DeferredPhotoStore(folder: folder + "/file/inside").save(
          [frame], for: SampleFrame.request(.jpeg(quality: nil), frame), as: PhotoProxy.newIdentifier())
      }
      #expect(error?.description.contains("file/inside") == true)
    }
  }

  @Test func `the user's store lies where the environment says`() {
    func folder(_ environment: [String: String]) -> String { DeferredPhotoStore.user(environment).folder }
    #expect(folder(["HOME": "/h"]) == "/h/.local/share/obscura/deferred-photos/")
    #expect(folder(["OBSCURA_LIBRARY": "/l", "XDG_DATA_HOME": "/d"]) == "/l/deferred-photos/")
    #expect(folder(["OBSCURA_LIBRARY": "~", "HOME": "/h"]) == "/h/deferred-photos/")
  }
}
