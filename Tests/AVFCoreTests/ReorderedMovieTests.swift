import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import MovieTools
import Testing

/// Movies whose headers do not say how far their pictures are reordered; `Movies/SOURCES.md` says how they were made.
@Suite("Reordered pictures without a depth in the headers")
struct ReorderedMovieTests {
  static let movies = [
    ("no-depth-1", 7, 30), ("no-depth-main-2", 16, 25), ("no-depth-pyramid-3", 16, 25),
    ("no-depth-pyramid-7", 16, 25),
  ]

  private func url(_ name: String) throws -> URL {
    try #require(Bundle.module.url(forResource: "Movies", withExtension: nil)).appendingPathComponent(
      "\(name).mp4")
  }

  private func expected(_ count: Int, _ rate: Int) -> [CMTime] {
    (0..<count).map { CMTime(value: Int64($0), timescale: CMTimeScale(rate)) }
  }

  @Test("A reader, an image generator and an export have all of them", arguments: movies)
  func reading(name: String, count: Int, rate: Int) async throws {
    let asset = AVURLAsset(url: try url(name))
    let times = expected(count, rate)
    let pictures = try EditingStage.pictures(asset)
    #expect(pictures.map { ($0.time * 1000).rounded() } == times.map { ($0.seconds * 30_000).rounded() })
    if rate == 25 { #expect(pictures.map(\.number) == Array(0..<16)) }
    let generator = AVAssetImageGenerator(asset: asset)
    (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
    for time in times {
      var actual = CMTime.invalid
      _ = try generator.copyCGImage(at: time + CMTime(value: 1, timescale: 1000), actualTime: &actual)
      #expect(actual == time)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "reordered-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
    let out = folder.appendingPathComponent("out.mov")
    try await session.export(to: out, as: .mov)
    #expect(try EditingStage.pictures(AVURLAsset(url: out)).count == count)
  }

  @Test("A player shows all of them", arguments: movies) @MainActor
  func playing(name: String, count: Int, rate: Int) async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try url(name))
      let item = try #require(player.currentItem)
      let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
      item.add(output)
      for time in expected(count, rate) {
        let inside = time + CMTime(value: 1, timescale: 1000)
        #expect(await player.seek(to: inside, toleranceBefore: .zero, toleranceAfter: .zero))
        var shown = CMTime.invalid
        _ = try #require(output.copyPixelBuffer(forItemTime: inside, itemTimeForDisplay: &shown))
        #expect(shown == time)
      }
    }
  }

  @Test(
    "HEVC with reordered pictures, and H.264 whose headers say how far, have all of them",
    arguments: ["libx265", "libx264"])
  func coded(codec: String) throws {
    try withMovieFolder { folder in
      let path = "\(folder)/coded.mp4"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i",
          "color=black:size=64x48:rate=25:duration=1,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
          "-c:v",
          codec, "-bf", "4", "-x265-params", "log-level=none",
        ])
      let found = try EditingStage.pictures(AVURLAsset(url: URL(fileURLWithPath: path)))
      #expect(found.map(\.number) == (0..<25).map { $0 % 16 })
    }
  }
}
