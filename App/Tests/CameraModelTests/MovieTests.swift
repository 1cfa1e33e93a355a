import AVFoundation
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  @Test func `a movie is recorded, paused and stored with a picture of its beginning`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.video)
    await shop.advance(0.1)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
    await shop.advance(1)
    shop.model.togglePause()
    #expect(await shop.run { $0.recording.phase == .paused })
    shop.time.advance(by: CameraModel.movieStep)
    await shop.advance(0.1)
    let length = shop.state.recording.seconds
    #expect(length > 0.5)
    shop.model.togglePause()
    #expect(await shop.run { $0.recording.phase == .recording })
    shop.model.setMode(.photo)
    #expect(shop.state.mode == .video, "a slip does not end a movie")
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .idle && $0.lastPhoto != nil })
    let movie = try #require(shop.state.lastPhoto)
    let url = try #require(movie.url)
    #expect(url.lastPathComponent.hasPrefix("VID_") && movie.thumbnail.width == 256)
    #expect(shop.model.photoFolder.all() == [url] && shop.model.photoFolder.photos().isEmpty)
    #expect(try await AVURLAsset(url: url).load(.duration).seconds > 0.5)
  }

  @Test func `a stored movie is shown, sought and stepped frame by frame`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.video)
    await shop.advance(0.1)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
    await shop.advance(1)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .idle && $0.lastPhoto != nil })
    let film = PlaybackModel(try #require(shop.state.lastPhoto?.url))
    defer { film.close() }
    let layer = AVPlayerLayer(player: film.player)
    #expect(await shop.run { _ in film.state.value.duration > 0.5 && layer.isReadyForDisplay })
    film.seek(to: 0.4)
    #expect(film.state.value.seconds == 0.4)
    film.togglePlay()
    #expect(await shop.run { _ in film.state.value.seconds > 0.45 })
    film.togglePlay()
    #expect(!film.state.value.isPlaying)
  }

  @Test func `a film that cannot be read says why`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    let missing = FileManager.default.temporaryDirectory.appendingPathComponent("no-film-\(UUID()).mov")
    let film = PlaybackModel(missing)
    defer { film.close() }
    #expect(await shop.run { _ in film.state.value.failure?.isEmpty == false })
    #expect(film.state.value.duration == 0)
  }
}
