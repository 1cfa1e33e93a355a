import AVFCore
import CoreMedia
import Foundation
import MovieTools
import SeededNumbers
import Testing

@Suite("Exports of ranges")
struct RangeExportTests {
  /// Movies of four seconds: other rates and scales, sound that is longer or shorter, begins later, or is not there.
  static let sources: [(name: String, rate: String, sound: String?, options: [String])] = [
    ("a.mp4", "30", "4", ["-bf", "2"]), ("b.mov", "25", "4.3", ["-bf", "3"]),
    ("c.mp4", "30000/1001", "3.8", []),
    ("d.mkv", "24", "4", ["-bf", "2"]), ("e.mov", "60", nil, ["-bf", "0"]),
    ("f.mp4", "15", "4", ["-bf", "0", "-movflags", "+frag_keyframe+empty_moov"]),
    (
      "g.mp4", "30", nil, ["-bf", "3", "-vf", "select='not(mod(n\\,7))+not(mod(n\\,3))'", "-fps_mode", "vfr"]
    ),
  ]

  static func source(_ folder: String, _ index: Int) throws -> URL {
    let source = sources[index]
    let path = "\(folder)/\(source.name)"
    let sound = source.sound.map {
      ["-f", "lavfi", "-i", "sine=frequency=500:sample_rate=48000:duration=\($0)", "-c:a", "aac"]
    }
    try Program.make(
      path,
      ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=\(source.rate):duration=4"] + (sound ?? []) + [
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "20",
      ] + source.options)
    return URL(fileURLWithPath: path)
  }

  /// Exports a range, and expects tracks that last as long.
  static func check(
    _ asset: AVAsset, _ range: CMTimeRange, preset: String, type: AVFileType, in folder: String
  ) async throws {
    let out = URL(fileURLWithPath: "\(folder)/\(UUID().uuidString).\(type == .mov ? "mov" : "mp4")")
    defer { try? FileManager.default.removeItem(at: out) }
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    session.timeRange = range
    try await session.export(to: out, as: type)
    let made = AVURLAsset(url: out)
    let tolerance = 1.0 / 600
    #expect(
      abs(made.duration.seconds - range.duration.seconds) <= tolerance, "\(preset) \(range) \(made.duration)")
    for track in made.tracks {
      #expect(
        abs(track.timeRange.duration.seconds - range.duration.seconds) <= tolerance
          && abs(track.timeRange.start.seconds) <= tolerance,
        "\(preset) \(range): \(track.mediaType.rawValue) \(track.timeRange)")
    }
    for stream in try Program.probe(out.path).streams {
      let duration = Double(stream["duration"] as? String ?? "") ?? -1
      #expect(
        abs(duration - range.duration.seconds) <= tolerance,
        "\(preset) \(range): \(stream["codec_type"] ?? "")")
    }
  }

  static func random(_ generator: inout SeededGenerator) -> CMTimeRange {
    let scale = [600, 90_000, 1_000_000_000, 44_100].randomElement(using: &generator) ?? 600
    let start = Double.random(in: 0..<2.5, using: &generator)
    let length = Double.random(in: 0.05..<1.2, using: &generator)
    return CMTimeRange(
      start: CMTime(seconds: start, preferredTimescale: CMTimeScale(scale)),
      duration: CMTime(seconds: length, preferredTimescale: CMTimeScale(scale)))
  }

  @Test("A range that is coded anew has tracks that last as long as it", arguments: 0..<7)
  func ranges(index: Int) async throws {
    try await withMovieFolder { folder in
      let asset = AVURLAsset(url: try Self.source(folder, index))
      var generator = SeededGenerator(usual: UInt64(index))
      for _ in 0..<3 {
        let preset =
          Bool.random(using: &generator) ? AVAssetExportPresetMediumQuality : AVAssetExportPresetLowQuality
        try await Self.check(
          asset, Self.random(&generator), preset: preset, type: Bool.random(using: &generator) ? .mov : .mp4,
          in: folder)
      }
    }
  }

  @Test("Movies of 30 and 25 frames a second, one after the other, last as long as both")
  func mixed() async throws {
    try await withMovieFolder { folder in
      let composition = AVMutableComposition()
      let two = CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1))
      for index in [0, 1] {
        try composition.insertTimeRange(
          two, of: AVURLAsset(url: try Self.source(folder, index)), at: composition.duration)
      }
      #expect(composition.duration == CMTime(value: 4, timescale: 1))
      let whole = CMTimeRange(start: .zero, duration: composition.duration)
      for type in [AVFileType.mov, .mp4] {
        try await Self.check(
          composition, whole, preset: AVAssetExportPresetMediumQuality, type: type, in: folder)
      }
    }
  }

  @Test("A range of a video composition lasts as long as it")
  func composed() async throws {
    try await withMovieFolder { folder in
      let asset = AVURLAsset(url: try Self.source(folder, 0))
      let video = AVMutableVideoComposition(propertiesOf: asset)
      for step in [CMTime(value: 1, timescale: 24), CMTime(value: 7, timescale: 100)] {
        video.frameDuration = step
        let session = try #require(
          AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetMediumQuality))
        session.videoComposition = video
        session.timeRange = CMTimeRange(
          start: CMTime(value: 313, timescale: 600), duration: CMTime(value: 731, timescale: 600))
        let out = URL(fileURLWithPath: "\(folder)/\(step.value).mov")
        try await session.export(to: out, as: .mov)
        for track in AVURLAsset(url: out).tracks {
          #expect(abs(track.timeRange.duration.seconds - 731.0 / 600) <= 1.0 / 600)
        }
      }
    }
  }
}

@Suite("Exports of ranges, Stress")
struct RangeExportStressTests {
  @Test("Random ranges last as long as they were asked for")
  func ranges() async throws {
    try await withMovieFolder { folder in
      let assets = try RangeExportTests.sources.indices.map {
        AVURLAsset(url: try RangeExportTests.source(folder, $0))
      }
      var generator = SeededGenerator(usual: 77)
      for number in 0..<FuzzCount(usual: 20, all: 200).value {
        try await RangeExportTests.check(
          assets[number % assets.count], RangeExportTests.random(&generator),
          preset: AVAssetExportPresetLowQuality, type: number % 2 == 0 ? .mov : .mp4, in: folder)
      }
    }
  }
}
