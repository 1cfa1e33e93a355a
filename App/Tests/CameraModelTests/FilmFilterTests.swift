import AVFoundation
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  /// The workshop in video mode, with a filter chosen.
  private func shop(_ scene: Scene, _ filter: PhotoFilter, _ pace: VideoPace = .live) async throws -> Workshop
  {
    var settings = Settings()
    (settings.filter, settings.mode, settings.pace) = (filter, .video, pace)
    let shop = try Workshop(scene, settings: settings)
    try await shop.start()
    await shop.advance(0.2)
    return shop
  }

  private func begin(_ shop: Workshop) async {
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
  }

  private func film(of shop: Workshop) async throws -> AVURLAsset {
    if shop.state.recording.phase != .idle { shop.model.pressShutter() }
    #expect(await shop.run { $0.recording.phase == .idle && $0.lastPhoto != nil })
    return AVURLAsset(url: try #require(shop.state.lastPhoto?.url))
  }

  /// The picture at a time as red, green and blue in rows, small.
  private func colours(_ asset: AVAsset, at seconds: Double) async throws -> [SIMD3<Int>] {
    let generator = AVAssetImageGenerator(asset: asset)
    generator.maximumSize = CGSize(width: 160, height: 160)
    let image = try await generator.image(at: CMTime(seconds: seconds, preferredTimescale: 600)).image
    let data = try #require(image.dataProvider?.data as Data?)
    let isLittle = image.bitmapInfo.contains(.byteOrder32Little)
    return (0..<image.height).flatMap { row in
      (0..<image.width).map { column in
        let place = data.startIndex + row * image.bytesPerRow + column * image.bitsPerPixel / 8
        let parts = (0..<4).map { Int(data[place + $0]) }
        return isLittle ? SIMD3(parts[2], parts[1], parts[0]) : SIMD3(parts[0], parts[1], parts[2])
      }
    }
  }

  private func mean(_ colours: [SIMD3<Int>]) -> SIMD3<Int> {
    colours.reduce(SIMD3(0, 0, 0)) { $0 &+ $1 } / SIMD3(repeating: max(1, colours.count))
  }

  @Test func `the filter of the preview is in the film, with sound`() async throws {
    let shop = try await shop(.builtIn, .sepia)
    defer { shop.end() }
    let preview = Guarded<[SIMD3<Int>]>([])
    shop.preview.setPlace(CGSize(width: 160, height: 160))
    shop.preview.setHandler { picture in
      let pixels = picture.picture.colours
      preview.change { $0 = pixels }
    }
    await begin(shop)
    await shop.advance(1)
    shop.model.nextFilter()
    #expect(shop.model.settings.value.filter == .sepia, "a film keeps its filter")
    shop.time.advance(by: CameraModel.movieStep)
    await shop.advance(0.1)
    #expect(shop.state.recording.seconds > 0.8 && shop.state.recording.bytes > 0)
    #expect(shop.state.recording.level != nil)
    let asset = try await film(of: shop)
    #expect(shop.notices.isEmpty)
    let sound = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    let duration = try await asset.load(.duration).seconds
    #expect(abs(sound.timeRange.duration.seconds - duration) < 0.1)
    let (inFilm, inPreview) = (mean(try await colours(asset, at: 0.5)), mean(preview.change { $0 }))
    let difference = inFilm &- inPreview
    #expect((0..<3).allSatisfy { abs(difference[$0]) <= 6 }, "film \(inFilm), preview \(inPreview)")
    #expect(inFilm[0] > inFilm[1] && inFilm[1] > inFilm[2], "sepia is brown")
  }

  @Test func `a time-lapse has the filter, too`() async throws {
    let shop = try await shop(Scene(devices: [.webcam]), .mono, .half)
    defer { shop.end() }
    await begin(shop)
    for _ in 0..<4 { await shop.advance(0.5) }
    let picture = try await colours(film(of: shop), at: 0.05)
    #expect(picture.allSatisfy { $0.max() - $0.min() <= 6 })
  }

  @Test func `a film with a filter leaves its pauses out, and goes on with another camera`() async throws {
    let shop = try await shop(.builtIn, .noir)
    defer { shop.end() }
    await begin(shop)
    await shop.advance(0.5)
    shop.model.togglePause()
    #expect(await shop.run { $0.recording.phase == .paused })
    for _ in 0..<4 { await shop.advance(1) }
    shop.model.togglePause()
    #expect(await shop.run { $0.recording.phase == .recording })
    await shop.advance(0.5)
    let before = shop.state.camera
    shop.model.switchCamera()
    #expect(await shop.run { $0.camera != before && $0.availability.isRunning })
    await shop.advance(0.5)
    let asset = try await film(of: shop)
    let duration = try await asset.load(.duration).seconds
    #expect(duration > 1.2 && duration < 4)
    #expect(try await colours(asset, at: duration - 0.1).allSatisfy { $0.max() - $0.min() <= 6 })
  }

  @Test func `a film with a filter ends whole when its camera is pulled out, and says why`() async throws {
    let shop = try await shop(Scene(devices: [.webcam]), .cool)
    defer { shop.end() }
    await begin(shop)
    await shop.advance(1)
    try #require(shop.provider.device("simulated.webcam")).unplug()
    #expect(await shop.run { $0.recording.phase == .idle && $0.lastPhoto != nil })
    #expect(try await film(of: shop).load(.duration).seconds > 0.8)
    #expect(
      shop.notices.contains { if case .movieEnded(let reason) = $0 { !reason.isEmpty } else { false } })
  }

  @Test(arguments: PhotoFilter.builtIn)
  func `a filter changes a film's colours as it changes a photo's`(filter: PhotoFilter) throws {
    guard let matrix = filter.matrix else { return }
    // Grey, a light colour and a dark one: none leaves what can be shown.
    for (r, g, b) in [(120.0, 120.0, 120.0), (170, 130, 100), (80, 100, 110)] {
      for (coding, isFullRange) in [
        (nil, false), (nil, true), (kCVImageBufferYCbCrMatrix_ITU_R_601_4 as String, false),
        (kCVImageBufferYCbCrMatrix_ITU_R_601_4 as String, true),
      ] {
        let (black, lumaSteps, chromaSteps) = isFullRange ? (0.0, 255.0, 255.0) : (16, 219, 224)
        let (red, blue) = coding == nil ? (0.2126, 0.0722) : (0.299, 0.114)
        let y = red * r + (1 - red - blue) * g + blue * b
        let levels = [
          black + y * lumaSteps / 255, 128 + (b - y) / (2 * (1 - blue)) * chromaSteps / 255,
          128 + (r - y) / (2 * (1 - red)) * chromaSteps / 255,
        ].map { UInt8($0.rounded()) }
        let new = changed(levels, VideoColorMatrix(matrix, coding: coding, isFullRange: isFullRange))
        let light = (new[0] - black) * 255 / lumaSteps
        let (newRed, newBlue) = (
          light + 2 * (1 - red) * (new[2] - 128) * 255 / chromaSteps,
          light + 2 * (1 - blue) * (new[1] - 128) * 255 / chromaSteps
        )
        let newGreen = (light - red * newRed - blue * newBlue) / (1 - red - blue)
        let wanted = matrix.changed(r, g, b)
        for (value, wish) in zip([newRed, newGreen, newBlue], wanted) { #expect(abs(value - wish) < 3.5) }
      }
    }
  }

  @Test func `what a filter darkens or lightens beyond black and white stays there`() throws {
    let matrix = try #require(PhotoFilter.noir.matrix)
    for (isFullRange, black, white) in [(false, 16.0, 235.0), (true, 0, 255)] {
      let noir = VideoColorMatrix(matrix, coding: nil, isFullRange: isFullRange)
      #expect(changed([UInt8(white), 128, 128], noir)[0] == white)
      #expect(changed([UInt8(black) + 4, 128, 128], noir)[0] == black)
    }
  }

  /// A picture of three by three, whose sides are odd, with one colour; all of its pixels must stay alike.
  private func changed(_ levels: [UInt8], _ matrix: VideoColorMatrix) -> [Double] {
    func buffer() -> CVPixelBuffer? {
      var buffer: CVPixelBuffer?
      CVPixelBufferCreate(nil, 3, 3, FilterChange.pixelFormats[0], nil, &buffer)
      buffer.map { _ = CVPixelBufferLockBaseAddress($0, []) }
      return buffer
    }
    guard let from = buffer(), let to = buffer(), let old = VideoColorMatrix.Planes(from),
      let new = VideoColorMatrix.Planes(to)
    else { return [] }
    for row in 0..<3 { for column in 0..<3 { old.luma[row * old.lumaBytesPerRow + column] = levels[0] } }
    for row in 0..<2 {
      for pair in 0..<2 {
        old.chroma[row * old.chromaBytesPerRow + 2 * pair] = levels[1]
        old.chroma[row * old.chromaBytesPerRow + 2 * pair + 1] = levels[2]
      }
    }
    matrix.apply(from: old, to: new, width: 3, height: 3)
    let lumas = (0..<9).map { new.luma[$0 / 3 * new.lumaBytesPerRow + $0 % 3] }
    let chromas = (0..<8).map { new.chroma[$0 / 4 * new.chromaBytesPerRow + $0 % 4] }
    #expect(Set(lumas).count == 1 && Set(stride(from: 0, to: 8, by: 2).map { chromas[$0] }).count == 1)
    return [Double(lumas[0]), Double(chromas[0]), Double(chromas[1])]
  }
}

extension PictureBytes {
  /// Red, green and blue in rows.
  fileprivate var colours: [SIMD3<Int>] {
    (0..<height).flatMap { row in
      let pixels = (base + row * bytesPerRow).assumingMemoryBound(to: UInt8.self)
      return (0..<width).map {
        SIMD3(Int(pixels[4 * $0 + 2]), Int(pixels[4 * $0 + 1]), Int(pixels[4 * $0]))
      }
    }
  }
}
