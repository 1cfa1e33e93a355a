import AVFoundation
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  @Test func `a press becomes a file and a thumbnail, and the shutter is ready again`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    try #require(await shop.run { $0.shutter == .ready })
    shop.model.pressShutter()
    #expect(shop.state.photosUnderWay == 1)
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.shutter == .ready })
    let photo = try #require(shop.state.lastPhoto)
    #expect(shop.model.photoFolder.photos() == [photo.url])
    #expect(photo.thumbnail.width == 256 && photo.thumbnail.height == 144)
    #expect(photo.thumbnail.bytes.contains { $0 > 40 })
    #expect(shop.notices.isEmpty)
  }

  @Test func `the small picture of a photo is shown before the photo is stored`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    let files = shop.model.engine.fileQueue
    files.suspend()
    shop.model.pressShutter()
    let isShown = await shop.run { $0.shownThumbnail != nil }
    let isStored = shop.state.lastPhoto != nil || shop.state.photosUnderWay == 0
    files.resume()
    #expect(isShown && !isStored)
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.newThumbnail == nil })
    #expect(shop.state.shownThumbnail == shop.state.lastPhoto?.thumbnail && shop.state.lastPhoto != nil)
  }

  @Test func `the timer counts down by seconds, then takes one photo`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    shop.model.nextTimer()
    #expect(shop.state.timer == .three)
    shop.model.pressShutter()
    #expect(shop.state.countdown == 3)
    shop.time.advance(by: 1)
    #expect(shop.state.countdown == 2)
    shop.time.advance(by: 1.9)
    #expect(shop.state.countdown == 1 && shop.state.photosUnderWay == 0)
    shop.time.advance(by: 0.2)
    #expect(shop.state.countdown == nil && shop.state.photosUnderWay == 1)
    #expect(await shop.run { $0.photosUnderWay == 0 })
    #expect(shop.model.photoFolder.photos().count == 1)
  }

  @Test func `in the dark the seconds for which the shutter is open are counted down`() async throws {
    var scene = Scene(lux: 0.5)
    scene.devices = [
      .camera(uniqueID: "simulated.front", position: .front, sizes: [.init(width: 320, height: 240)])
    ]
    let shop = try Workshop(scene)
    defer { shop.end() }
    try await shop.start()
    // Auto exposure goes as far as it can.
    for _ in 0..<40 { await shop.advance(1.0 / 30) }
    shop.model.pressShutter()
    #expect(await shop.run { $0.exposureLeft != nil })
    let seconds = try #require(shop.state.exposureLeft)
    #expect(seconds >= 2 && shop.state.shutter == .exposing)
    shop.time.advance(by: 1)
    #expect(shop.state.exposureLeft == seconds - 1)
    #expect(await shop.run { $0.exposureLeft == nil })
    #expect(await shop.run { $0.photosUnderWay == 0 })
    #expect(shop.notices.isEmpty && shop.model.photoFolder.photos().count == 1)
  }

  @Test func `the window is white for the moment of a front camera's photo with flash, and not without`()
    async throws
  {
    var settings = Settings()
    settings.camera = "simulated.front.truedepth"
    settings.flash = .on
    let shop = try Workshop(.builtIn, settings: settings)
    defer { shop.end() }
    try await shop.start()
    #expect(shop.camera?.position == .front)
    #expect(shop.state.abilities.flashModes.contains(.on) && !shop.state.isScreenFlash)
    // All of a flash may happen between two looks at the state.
    var changes: [Bool] = []
    shop.model.state.observe {
      if $0.isScreenFlash != (changes.last ?? false) { changes.append($0.isScreenFlash) }
    }
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 1 || !changes.isEmpty })
    #expect(await shop.run { $0.photosUnderWay == 0 && !$0.isScreenFlash })
    #expect(changes == [true, false])
    shop.model.changeSettings { $0.flash = .off }
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 1 })
    #expect(await shop.run { $0.photosUnderWay == 0 })
    #expect(changes == [true, false])
  }

  @Test func `a press while it counts down ends the timer without a photo`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    shop.model.nextTimer()
    shop.model.pressShutter()
    shop.time.advance(by: 1)
    shop.model.pressShutter()
    shop.time.advance(by: 20)
    #expect(shop.state.countdown == nil && shop.state.photosUnderWay == 0)
  }

  @Test func `a held shutter takes photos until it is released, and never many at once`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    shop.model.holdShutter()
    var most = 0
    #expect(
      await shop.run { state in
        most = max(most, state.photosUnderWay)
        return (state.burst ?? 0) >= 6
      })
    #expect(most <= CameraModel.burstDepth)
    shop.model.releaseShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 })
    let count = shop.model.photoFolder.photos().count
    #expect(count >= 6)
    await shop.advance(0.5)
    #expect(shop.model.photoFolder.photos().count == count)
  }

  @Test func `a photo that cannot be stored is said, and the next may be taken`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    // A file lies where the folder should be.
    try FileManager.default.createDirectory(at: shop.root, withIntermediateDirectories: true)
    try Data([1]).write(to: shop.root.appendingPathComponent("Pictures"))
    try await shop.start()
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 })
    guard case .notStored? = shop.notices.first else {
      Issue.record("nothing was said: \(shop.notices)")
      return
    }
    #expect(await shop.run { $0.shutter == .ready })
  }

  @Test(arguments: [PhotoFormat.heic, .png])
  func `a file has the format that is chosen`(format: PhotoFormat) async throws {
    var settings = Settings()
    settings.format = format
    let shop = try Workshop(Scene(devices: [.webcam]), settings: settings)
    defer { shop.end() }
    try await shop.start()
    try #require(shop.state.abilities.photoFormats.contains(format))
    shop.model.pressShutter()
    #expect(await shop.run { $0.lastPhoto != nil })
    let url = try #require(shop.state.lastPhoto?.url)
    #expect(url.pathExtension == format.suffix && shop.model.photoFolder.photos() == [url])
    let source = try #require(CGImageSourceCreateWithData(try Data(contentsOf: url), nil))
    #expect(CGImageSourceGetType(source) as String? == "public.\(format.rawValue)")
  }

  @Test func `a press in another mode, or while no picture comes, takes nothing`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    shop.model.pressShutter()
    #expect(shop.state.photosUnderWay == 0)
    try await shop.start()
    shop.model.setMode(.scan)
    shop.model.pressShutter()
    #expect(shop.state.photosUnderWay == 0)
  }
}
