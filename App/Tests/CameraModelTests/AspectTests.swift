import AVFoundation
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  /// A camera whose picture has none of the aspects, mirrored on the screen, and turned by viewers as its sensor lies.
  private func scene(rotation: Int) -> Scene {
    var scene = Scene.builtIn
    scene.isStamped = false
    scene.devices = [
      .camera(
        uniqueID: "simulated.front", position: .front, sizes: [.init(width: 644, height: 420)],
        sensorRotation: rotation)
    ]
    return scene
  }

  @Test(arguments: [0, 90], [PhotoAspect.fourThirds, .sixteenNinths, .square])
  func `a photo is cut as the preview shows, upright, with its filter, and not mirrored`(
    rotation: Int, aspect: PhotoAspect
  ) async throws {
    var settings = Settings()
    settings.filter = .sepia
    settings.format = aspect == .fourThirds ? .jpeg : .heic
    let shop = try Workshop(scene(rotation: rotation), settings: settings)
    defer { shop.end() }
    let newest = Guarded<LivePicture?>(nil)
    shop.preview.setPlace(CGSize(width: 400, height: 400))
    shop.preview.setHandler { picture in newest.change { $0 = picture } }
    try await shop.start()
    #expect(await shop.run { _ in newest.change { $0 != nil } })
    shop.note(try #require(newest.change { $0 }))
    #expect(shop.state.crop == PhotoAspect.whole)
    while shop.model.settings.value.aspect != aspect { shop.model.nextAspect() }
    await shop.advance(0.2)
    // The scene moves on while the photo is made.
    let preview = try #require(newest.change { $0 }).picture
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    let url = try #require(shop.state.lastPhoto?.url)
    let source = try #require(CGImageSourceCreateWithData(try Data(contentsOf: url), nil))
    let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    let sides: [PhotoAspect: [Int]] = [
      .fourThirds: [560, 420], .sixteenNinths: [644, 362], .square: [420, 420],
    ]
    let stored = [kCGImagePropertyPixelWidth, kCGImagePropertyPixelHeight].map { properties[$0] as? Int }
    #expect(stored == sides[aspect])
    let exif = try #require(properties[kCGImagePropertyExifDictionary] as? [String: Any])
    #expect(exif[kCGImagePropertyExifPixelXDimension as String] as? Int == stored[0])
    #expect(exif[kCGImagePropertyExifPixelYDimension as String] as? Int == stored[1])
    #expect(exif[kCGImagePropertyExifExposureTime as String] != nil)
    let orientation = properties[kCGImagePropertyOrientation] as? Int
    #expect(rotation == 0 ? orientation ?? 1 == 1 : orientation == 6)

    let photo = try #require(PictureReader.thumbnail(of: url, longerSide: 400)).shades
    let crop = shop.state.crop
    #expect(crop != PhotoAspect.whole)
    let right = preview.shades(in: crop, isMirrored: true).distance(to: photo)
    // What the photo would have been with one of its changes left out.
    let uncut = preview.shades(in: PhotoAspect.whole, isMirrored: true).distance(to: photo)
    let mirrored = preview.shades(in: crop, isMirrored: false).distance(to: photo)
    #expect(right < 6 && uncut > 2 * right && mirrored > 2 * right, "\(right), \(uncut), \(mirrored)")
  }

  @Test func `the part of a picture that is kept is even, in its middle, and upright where it is`() {
    for (width, height) in [(4032, 3024), (3088, 2320), (1280, 720), (641, 479), (1944, 2592), (500, 500)] {
      for aspect in PhotoAspect.allCases {
        let part = aspect.part(ofWidth: width, height: height)
        guard part != (0, 0, width, height) else { continue }
        #expect(part.width % 2 == 0 && part.height % 2 == 0)
        #expect(part.width <= width && part.height <= height)
        #expect(part.width >= width - 1 || part.height >= height - 1)
        #expect(abs(width - part.width - 2 * part.x) <= 1 && abs(height - part.height - 2 * part.y) <= 1)
        #expect(part.width == part.height || (part.width > part.height) == (width >= height))
        let turned = aspect.part(ofWidth: height, height: width)
        #expect(width == height || turned == (part.y, part.x, part.height, part.width))
      }
    }
    #expect(PhotoAspect.sixteenNinths.part(ofWidth: 4032, height: 3024) == (0, 378, 4032, 2268))
    #expect(PhotoAspect.fourThirds.part(ofWidth: 720, height: 1280) == (0, 160, 720, 960))
    #expect(PhotoAspect.square.part(ofWidth: 1280, height: 720) == (280, 0, 720, 720))
    // A sensor that is nominally of the shape has it, and a picture without a size has no part.
    #expect(PhotoAspect.fourThirds.part(ofWidth: 3088, height: 2320) == (0, 0, 3088, 2320))
    #expect(PhotoAspect.square.share(ofWidth: 0, height: 0) == PhotoAspect.whole)
    #expect(
      PhotoAspect.square.share(ofWidth: 1000, height: 800) == CGRect(x: 0.1, y: 0, width: 0.8, height: 1))
  }

  @Test func `a camera's own shape comes as the camera's own file, and films show all of it`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    func isCut() -> Bool { shop.model.shownLook.aspect.part(ofWidth: 1280, height: 720) != (0, 0, 1280, 720) }
    var seen: [PhotoAspect: Bool] = [:]
    for _ in PhotoAspect.allCases {
      shop.model.nextAspect()
      seen[shop.model.settings.value.aspect] = isCut()
    }
    #expect(seen == [.sensor: false, .fourThirds: true, .sixteenNinths: false, .square: true])
    shop.model.nextAspect(by: -1)
    #expect(shop.model.settings.value.aspect == .square)
    #expect(CameraModel(folders: shop.model.folders, time: shop.time).settings.value.aspect == .square)

    shop.model.note(PreviewFigures(width: 1280, height: 720))
    #expect(shop.state.crop == CGRect(x: 0.21875, y: 0, width: 0.5625, height: 1))
    shop.model.setMode(.video)
    #expect(shop.state.crop == PhotoAspect.whole)
    shop.model.nextAspect()
    #expect(shop.model.settings.value.aspect == .square)
    shop.model.setMode(.photo)
    #expect(shop.state.crop.width == 0.5625)
  }

  @Test func `what is covered cannot be aimed at`() async throws {
    let shop = try Workshop(scene(rotation: 0))
    defer { shop.end() }
    try await shop.start()
    shop.model.note(PreviewFigures(width: 644, height: 420))
    shop.model.aim(x: 0.05, y: 0.5)
    #expect(shop.state.aim != nil)
    shop.model.forgetAim()
    while shop.model.settings.value.aspect != .square { shop.model.nextAspect() }
    shop.model.aim(x: 0.05, y: 0.5)
    #expect(shop.state.aim == nil)
    shop.model.aim(x: 0.3, y: 0.5)
    #expect(shop.state.aim != nil)
  }
}

extension Workshop {
  /// Takes over what the window would count of a picture.
  fileprivate func note(_ picture: LivePicture) {
    model.note(PreviewFigures(width: Int(picture.frameSize.width), height: Int(picture.frameSize.height)))
  }
}

/// The mean colours of a picture's cells, twelve by twelve.
private struct Shades {
  static let cells = 12
  var values: [Double] = []

  init() {}

  init(_ base: UnsafeRawPointer, bytesPerRow: Int, x: Double, y: Double, width: Double, height: Double) {
    for cell in 0..<Self.cells * Self.cells {
      let (column, row) = (Double(cell % Self.cells), Double(cell / Self.cells))
      func edge(_ start: Double, _ length: Double, _ place: Double) -> Int {
        Int((start + length * place / Double(Self.cells)).rounded())
      }
      var sums = [0, 0, 0]
      var count = 0
      for line in edge(y, height, row)..<edge(y, height, row + 1) {
        let pixels = (base + line * bytesPerRow).assumingMemoryBound(to: UInt8.self)
        for place in edge(x, width, column)..<edge(x, width, column + 1) {
          for part in 0..<3 { sums[part] += Int(pixels[4 * place + part]) }
          count += 1
        }
      }
      values += sums.map { Double($0) / Double(max(count, 1)) }
    }
  }

  mutating func mirror() {
    var mirrored: [Double] = []
    for cell in 0..<Self.cells * Self.cells {
      let other = cell / Self.cells * Self.cells + Self.cells - 1 - cell % Self.cells
      mirrored += values[3 * other..<3 * other + 3]
    }
    values = mirrored
  }

  /// The difference of two pictures on average, in levels of 255.
  func distance(to other: Shades) -> Double {
    var sum = 0.0
    for (one, other) in zip(values, other.values) { sum += abs(one - other) }
    return sum / Double(values.count)
  }
}

extension PictureBytes {
  /// The colours of a part, given in fractions; mirrored if asked.
  fileprivate func shades(in part: CGRect, isMirrored: Bool) -> Shades {
    let (across, down) = (Double(width), Double(height))
    var shades = Shades(
      base, bytesPerRow: bytesPerRow, x: part.minX * across, y: part.minY * down, width: part.width * across,
      height: part.height * down)
    if isMirrored { shades.mirror() }
    return shades
  }
}

extension Thumbnail {
  fileprivate var shades: Shades {
    bytes.withUnsafeBytes { memory in
      memory.baseAddress.map {
        Shades(
          $0, bytesPerRow: width * 4, x: 0, y: 0, width: Double(width), height: Double(height))
      } ?? Shades()
    }
  }
}
