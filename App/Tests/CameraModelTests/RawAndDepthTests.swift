import AVFoundation
import Foundation
import ImageIO
import Photos
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  @Test func `a raw photo is one asset of two files, and the switch reaches the camera`() async throws {
    var settings = Settings()
    settings.camera = "simulated.front.truedepth"
    let shop = try Workshop(.builtIn, settings: settings, usesLibrary: true)
    defer { shop.end() }
    try await shop.start()
    #expect(await shop.run { $0.abilities.rawFormat != nil })
    shop.model.changeSettings { $0.takesRaw = true }
    await shop.advance(0.1)
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    guard case .asset(let name)? = shop.state.lastPhoto?.place else {
      Issue.record("The photo is not in the library.")
      return
    }
    let asset = try #require(LibraryAccess.asset(name))
    let resources = PHAssetResource.assetResources(for: asset)
    #expect(resources.map(\.type) == [.photo, .alternatePhoto])
    #expect(resources.last?.uniformTypeIdentifier == "com.adobe.raw-image")
  }

  @Test func `in a folder of the user's the raw picture lies beside its photo, and both are viewed as one`()
    async throws
  {
    var settings = Settings()
    settings.takesRaw = true
    settings.camera = "simulated.front.truedepth"
    let shop = try Workshop(.builtIn, settings: settings)
    defer { shop.end() }
    try await shop.start()
    #expect(await shop.run { $0.abilities.rawFormat != nil })
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    let photo = try #require(shop.state.lastPhoto?.url)
    let raw = photo.deletingPathExtension().appendingPathExtension("dng")
    #expect(FileManager.default.fileExists(atPath: raw.path))
    #expect(shop.model.photoFolder.all() == [photo])
    // As at the start of a program that keeps photos in the library.
    PhotoKeeper(folder: shop.model.photoFolder, usesLibrary: true).adoptLeftovers()
    #expect(shop.model.photoFolder.all().isEmpty && !FileManager.default.fileExists(atPath: raw.path))
    let asset = try #require(PHAsset.fetchAssets(with: nil).firstObject)
    #expect(PHAssetResource.assetResources(for: asset).map(\.type) == [.photo, .alternatePhoto])
  }

  @Test func `of a camera of several lenses the main lens takes raw photos, and all of them come back`()
    async throws
  {
    var settings = Settings()
    settings.camera = "simulated.back.triple"
    let shop = try Workshop(.builtIn, settings: settings, usesLibrary: true)
    defer { shop.end() }
    try await shop.start()
    #expect(await shop.run { $0.camera?.id == "simulated.back.triple" && $0.abilities.offersRaw })
    #expect(shop.state.abilities.rawFormat == nil)
    shop.model.changeSettings { $0.takesRaw = true }
    #expect(await shop.run { $0.abilities.rawFormat != nil })
    #expect(shop.state.camera?.id == "simulated.back.triple" && shop.state.abilities.offersRaw)
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    guard case .asset(let name)? = shop.state.lastPhoto?.place else {
      Issue.record("The photo is not in the library.")
      return
    }
    let asset = try #require(LibraryAccess.asset(name))
    #expect(PHAssetResource.assetResources(for: asset).map(\.type) == [.photo, .alternatePhoto])
    // Videos have all lenses, and so have photos without raw pictures.
    shop.model.setMode(.video)
    #expect(await shop.run { $0.abilities.zoom.lowerBound < 1 })
    shop.model.setMode(.photo)
    #expect(await shop.run { $0.abilities.zoom.lowerBound == 1 && $0.abilities.rawFormat != nil })
    shop.model.changeSettings { $0.takesRaw = false }
    #expect(await shop.run { $0.abilities.zoom.lowerBound < 1 && $0.abilities.rawFormat == nil })
  }

  @Test func `a photo with depth has a map of it in its file`() async throws {
    var settings = Settings()
    settings.takesDepth = true
    settings.camera = "simulated.front.truedepth"
    let shop = try Workshop(.builtIn, settings: settings)
    defer { shop.end() }
    try await shop.start()
    #expect(await shop.run { $0.abilities.supportsDepthInPhotos })
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    func hasDepth() throws -> Bool {
      let file = try Data(contentsOf: #require(shop.state.lastPhoto?.url))
      let source = try #require(CGImageSourceCreateWithData(file, nil))
      return CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDisparity) != nil
    }
    #expect(try hasDepth())
    let first = shop.state.lastPhoto?.url
    shop.model.changeSettings { $0.takesDepth = false }
    await shop.advance(0.1)
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto?.url != first })
    #expect(try !hasDepth())
  }
}
