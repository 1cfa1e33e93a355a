import AVFoundation
import Foundation
import Photos
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  @Test func `a Live Photo is one asset, whose movie plays while it is held`() async throws {
    var settings = Settings()
    settings.takesLivePhotos = true
    let shop = try Workshop(Scene(devices: [.webcam]), settings: settings, usesLibrary: true)
    defer { shop.end() }
    try await shop.start()
    #expect(await shop.run { $0.abilities.supportsLivePhotos })
    #expect(shop.model.engine.photoOutput.isLivePhotoCaptureEnabled)
    for _ in 0..<60 { await shop.advance(1.0 / 30) }
    shop.model.pressShutter()
    // The small picture does not wait for the movie.
    #expect(await shop.run { $0.shownThumbnail != nil })
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    guard case .asset(let name)? = shop.state.lastPhoto?.place else {
      Issue.record("The photo is not in the library.")
      return
    }
    let asset = try #require(LibraryAccess.asset(name))
    #expect(asset.mediaSubtypes.contains(.photoLive))
    let viewer = shop.model.viewer
    var shown: [Bool] = []
    viewer.onMoments = { shown.append($0 != nil) }
    #expect(shop.model.showLastPhoto())
    #expect(viewer.state.value.isLive && !viewer.state.value.isMovie)
    viewer.holdMoments()
    #expect(await shop.run { _ in shown == [true] })
    viewer.releaseMoments()
    #expect(shown == [true, false])
    // Left while it plays.
    viewer.holdMoments()
    #expect(await shop.run { _ in shown == [true, false, true] })
    viewer.close()
    #expect(shown == [true, false, true, false])
  }

  @Test func `in a folder of the user's the movie lies beside its photo, and both are viewed as one`()
    async throws
  {
    var settings = Settings()
    settings.takesLivePhotos = true
    let shop = try Workshop(Scene(devices: [.webcam]), settings: settings)
    defer { shop.end() }
    try await shop.start()
    for _ in 0..<30 { await shop.advance(1.0 / 30) }
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    let photo = try #require(shop.state.lastPhoto?.url)
    let film = photo.deletingPathExtension().appendingPathExtension("mov")
    #expect(FileManager.default.fileExists(atPath: film.path))
    #expect(shop.model.photoFolder.all() == [photo])
    #expect(shop.model.showLastPhoto())
    #expect(shop.model.viewer.state.value.isLive)
  }

  @Test func `bursts and other modes have no movies, and the switch reaches the camera`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    let output = shop.model.engine.photoOutput
    #expect(!output.isLivePhotoCaptureEnabled)
    shop.model.changeSettings { $0.takesLivePhotos = true }
    await shop.advance(0.1)
    #expect(output.isLivePhotoCaptureEnabled)
    shop.model.holdShutter()
    #expect(await shop.run { ($0.burst ?? 0) >= 3 })
    shop.model.releaseShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 })
    let folder = shop.model.photoFolder
    #expect(folder.photos().allSatisfy { PhotoFolder.film(of: $0) == nil } && !folder.photos().isEmpty)
    shop.model.setMode(.video)
    await shop.advance(0.1)
    #expect(!output.isLivePhotoCaptureEnabled)
  }
}
