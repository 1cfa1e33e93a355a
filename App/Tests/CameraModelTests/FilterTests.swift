import AVFoundation
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  @Test(arguments: PhotoFormat.allCases)
  func `the filter of the preview is in the photo, with all that is known of it`(format: PhotoFormat)
    async throws
  {
    var settings = Settings()
    settings.format = format
    settings.filter = .cool
    let shop = try Workshop(Scene(devices: [.webcam]), settings: settings)
    defer { shop.end() }
    let shades = Guarded<(grey: Bool, count: Int)>((false, 0))
    shop.preview.setPlace(CGSize(width: 160, height: 90))
    shop.preview.setHandler { picture in
      let isGrey = picture.picture.isGrey
      shades.change { $0 = (isGrey, $0.count + 1) }
    }
    try await shop.start()
    #expect(await shop.run { _ in shades.change { $0.count } > 2 })
    #expect(!shades.change { $0.grey })
    while shop.model.settings.value.filter != .mono { shop.model.nextFilter() }
    #expect(await shop.run { _ in shades.change { $0.grey } })
    shop.model.pressShutter()
    #expect(await shop.run { $0.photosUnderWay == 0 && $0.lastPhoto != nil })
    let url = try #require(shop.state.lastPhoto?.url)
    #expect(url.pathExtension == format.suffix)
    let source = try #require(CGImageSourceCreateWithData(try Data(contentsOf: url), nil))
    let properties = try #require(
      CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    let camera = try #require(properties[kCGImagePropertyTIFFDictionary as String] as? [String: Any])
    #expect(camera[kCGImagePropertyTIFFModel as String] as? String != nil)
    #expect(properties[kCGImagePropertyExifDictionary as String] != nil)
    #expect(shop.state.lastPhoto?.thumbnail.width == 256 && shop.state.lastPhoto?.thumbnail.isGrey == true)

    // Codes are searched in the picture as it is, which its preview shows.
    shop.model.setMode(.scan)
    #expect(await shop.run { _ in !shades.change { $0.grey } })
    shop.model.nextFilter()
    #expect(shop.model.settings.value.filter == .mono)
    #expect(shop.notices.isEmpty)
  }

  @Test func `filters change colours by their sums`() {
    func changed(_ filter: PhotoFilter, _ r: Double, _ g: Double, _ b: Double) -> [Int] {
      (filter.matrix?.changed(r, g, b) ?? [r, g, b]).map { Int(min(max($0, 0), 255).rounded()) }
    }
    #expect(changed(.none, 10, 20, 30) == [10, 20, 30])
    #expect(changed(.mono, 255, 255, 255) == [255, 255, 255] && changed(.mono, 0, 0, 0) == [0, 0, 0])
    #expect(changed(.mono, 255, 0, 0) == [54, 54, 54])
    #expect(changed(.noir, 20, 20, 20) == [0, 0, 0] && changed(.noir, 250, 250, 250) == [255, 255, 255])
    #expect(changed(.sepia, 100, 100, 100) == [135, 120, 94])
    #expect(changed(.vivid, 128, 128, 128) == [128, 128, 128])
    let vivid = changed(.vivid, 200, 100, 50)
    #expect(vivid[0] > 200 && vivid[2] < 50)
    #expect(changed(.warm, 100, 100, 100)[0] > 100 && changed(.cool, 100, 100, 100)[2] > 100)
  }

  @Test func `filters come one after the other, both ways round`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    shop.model.nextFilter(by: -1)
    #expect(shop.model.settings.value.filter == .cool)
    var seen: [PhotoFilter] = []
    for _ in PhotoFilter.builtIn {
      shop.model.nextFilter()
      seen.append(shop.model.settings.value.filter)
    }
    #expect(seen == PhotoFilter.builtIn)
  }
}

extension PictureBytes {
  var isGrey: Bool {
    (0..<height).allSatisfy { row in
      let pixels = (base + row * bytesPerRow).assumingMemoryBound(to: UInt8.self)
      return (0..<width).allSatisfy {
        pixels[4 * $0] == pixels[4 * $0 + 1] && pixels[4 * $0] == pixels[4 * $0 + 2]
      }
    }
  }
}

extension Thumbnail {
  /// Almost: coding moves colours a little.
  fileprivate var isGrey: Bool {
    stride(from: 0, to: bytes.count, by: 4).allSatisfy { start in
      let (b, g, r) = (Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
      return max(b, g, r) - min(b, g, r) <= 6
    }
  }
}
