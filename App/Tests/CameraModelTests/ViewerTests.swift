import Foundation
import Photos
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  private static let noon = Date(timeIntervalSince1970: 1_790_000_000)

  @Test func `the viewer turns through the album, and says what a photo's file says`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    let names = try TestLibrary.add((0..<3).map { Self.noon.addingTimeInterval(-Double($0) * 60) })
    let (library, viewer) = (shop.model.library, shop.model.viewer)
    library.open()
    #expect(await shop.run { _ in library.state.value.count == 3 })
    var sizes: [Int] = []
    viewer.onPicture = { sizes.append($0?.width ?? 0) }
    shop.model.view(try #require(library.item(at: 1)))
    #expect(viewer.state.value.index == 1 && viewer.state.value.count == 3)
    #expect(await shop.run { _ in sizes.last == 64 })
    viewer.turn(by: 1)
    #expect(viewer.state.value.place == .asset(names[2]))
    viewer.turn(by: 1)
    #expect(viewer.state.value.place == .asset(names[2]), "behind the last there is nothing")
    viewer.setShowsDetails(true)
    #expect(await shop.run { _ in viewer.state.value.details != nil })
    let details = try #require(viewer.state.value.details)
    #expect(details.width == 64 && details.height == 48 && details.bytes > 100)
    viewer.toggleFavorite()
    #expect(await shop.run { _ in viewer.state.value.isFavorite })
    #expect(viewer.state.value.details != nil, "a mark leaves the photo where it is")
    viewer.delete()
    #expect(viewer.state.value.place == .asset(names[1]))
    #expect(await shop.run { _ in viewer.state.value.count == 2 })
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetChangeRequest.deleteAssets(LibraryAccess.assets([names[1]]))
    }
    #expect(await shop.run { _ in viewer.state.value.place == .asset(names[0]) })
    viewer.delete()
    #expect(viewer.state.value.place == nil)
  }

  @Test func `the last photo opens with what the camera said of it, and a film with its player`() async throws
  {
    let shop = try Workshop(Scene(devices: [.webcam]), usesLibrary: true)
    defer { shop.end() }
    try await shop.start()
    #expect(!shop.model.showLastPhoto())
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    let viewer = shop.model.viewer
    viewer.setShowsDetails(true)
    #expect(shop.model.showLastPhoto())
    #expect(await shop.run { _ in viewer.state.value.details != nil })
    let details = try #require(viewer.state.value.details)
    #expect(details.width == 1280 && (details.exposure ?? 0) > 0 && (details.iso ?? 0) > 0)
    shop.model.setMode(.video)
    await shop.advance(0.1)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
    await shop.advance(0.6)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .idle && $0.lastPhoto != nil })
    var films = 0
    viewer.onFilm = { films += $0 == nil ? -1 : 1 }
    #expect(shop.model.showLastPhoto())
    #expect(await shop.run { _ in films == 1 && viewer.state.value.isMovie })
    #expect(await shop.run { _ in (viewer.state.value.details?.duration ?? 0) > 0.4 })
    viewer.close()
    #expect(films == 0)
  }

  @Test func `plain files are viewed one after the other`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    let folder = shop.model.photoFolder
    let older = try folder.store(try TestLibrary.jpeg(shade: 1), suffix: "jpg", date: Self.noon)
    let newer = try folder.store(
      try TestLibrary.jpeg(shade: 9), suffix: "jpg", date: Self.noon.addingTimeInterval(90))
    let viewer = shop.model.viewer
    viewer.open(.file(newer), folder: folder)
    viewer.turn(by: 1)
    #expect(viewer.state.value.place == .file(older) && viewer.state.value.count == 2)
    #expect(viewer.state.value.date == Self.noon)
    #expect(await viewer.url() == older)
  }
}
