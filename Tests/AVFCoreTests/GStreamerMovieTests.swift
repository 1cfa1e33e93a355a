import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import MovieTools
import Testing

/// Movies that GStreamer's muxers wrote; `Movies/SOURCES.md` says how.
@Suite("GStreamer's movies") @MainActor
struct GStreamerMovieTests {
  /// The expected frames of a file: the times are `ffprobe`'s, and the numbers follow from them.
  private struct Expected {
    let times: [Double]
    let duration: Double
    /// The pictures' numbers: they are 25 a second.
    var numbers: [Int] { times.map { Int((($0 - times[0]) * 25).rounded()) % 16 } }

    init(_ path: String) throws {
      times = try Program.frameTimes(path)
      duration = try Program.probe(path).duration
    }
  }

  private func path(_ name: String) throws -> String {
    try #require(Bundle.module.url(forResource: "Movies", withExtension: nil)).path + "/\(name)"
  }

  private func checkReader(_ asset: AVURLAsset, _ expected: Expected) async throws {
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    #expect(track.naturalSize == CGSize(width: 64, height: 48))
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: track,
      outputSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
    reader.add(output)
    #expect(reader.startReading())
    var (stamps, numbers): ([Double], [Int]) = ([], [])
    while let sample = output.copyNextSampleBuffer() {
      stamps.append(sample.presentationTimeStamp.seconds)
      numbers.append(TestMovie.number(of: try #require(sample.imageBuffer)))
    }
    #expect(reader.status == .completed)
    #expect(stamps.count == expected.times.count)
    #expect(zip(stamps, expected.times).allSatisfy { abs($0 - $1) < 0.001 }, "\(stamps)")
    #expect(numbers == expected.numbers)
  }

  private func checkGenerator(_ asset: AVURLAsset, _ expected: Expected) async throws {
    let generator = AVAssetImageGenerator(asset: asset)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    for index in [0, 7, expected.times.count - 4] {
      let (image, actual) = try await generator.image(at: seconds(expected.times[index] + 0.002))
      #expect(abs(actual.seconds - expected.times[index]) < 0.001)
      #expect(image.width == 64 && image.height == 48)
    }
  }

  private func checkPlayer(_ stage: PlayerStage, _ asset: AVURLAsset, _ expected: Expected) async throws {
    let player = await stage.player(asset.url)
    let item = try #require(player.currentItem)
    #expect(item.status == .readyToPlay)
    #expect(abs(item.duration.seconds - expected.duration) < 0.05)
    let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
    item.add(output)
    for (index, time) in expected.times.enumerated() where index % 4 == 1 {
      guard time + 0.002 < item.duration.seconds else { continue }
      #expect(await player.seek(to: seconds(time + 0.002), toleranceBefore: .zero, toleranceAfter: .zero))
      var shown = CMTime.invalid
      let pixels = try #require(
        output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: &shown))
      #expect(abs(shown.seconds - time) < 0.001, "at \(time)")
      #expect(TestMovie.number(of: pixels) == expected.numbers[index], "at \(time)")
    }
  }

  @Test(
    "Duration, frames and stamps are the file's, read, searched and played",
    arguments: [
      "reordered.mp4", "late.mp4", "varying.mp4", "plain.mov", "fragmented.mp4", "fragmented.mov",
    ])
  func frames(name: String) async throws {
    let path = try path(name)
    let expected = try Expected(path)
    #expect(expected.times.count == (name == "varying.mp4" ? 34 : 50))
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    #expect(abs(try await asset.load(.duration).seconds - expected.duration) < 0.05)
    try await checkReader(asset, expected)
    try await checkGenerator(asset, expected)
    try await PlayerStage.inFolder { stage in try await checkPlayer(stage, asset, expected) }
  }

  @Test("Frames of varying durations keep theirs")
  func durations() async throws {
    let path = try path("varying.mp4")
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    reader.startReading()
    var samples: [CMSampleBuffer] = []
    while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
    samples.sort { $0.presentationTimeStamp < $1.presentationTimeStamp }
    // GStreamer ends a frame where the one that is coded after it begins.
    let decoding = samples.map(\.decodeTimeStamp).sorted()
    #expect(Set(zip(decoding, decoding.dropFirst()).map { ($1 - $0).seconds }).count > 1)
    #expect(track.minFrameDuration == CMTime(value: 1, timescale: 25))
  }

  @Test("Audio that begins later than the pictures begins there")
  func lateAudio() async throws {
    let asset = AVURLAsset(url: URL(fileURLWithPath: try path("late.mp4")))
    let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
    #expect(abs(track.timeRange.start.seconds - 0.5) < 0.03)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    reader.add(output)
    reader.startReading()
    let first = try #require(output.copyNextSampleBuffer())
    #expect(abs(first.presentationTimeStamp.seconds - 0.5) < 0.03)
  }

  @Test("A track that is turned is seen upright, whatever the file is")
  func turned() async throws {
    for name in ["plain.mov", "varying.mp4", "fragmented.mov"] {
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try path(name))))
      let word = Array("tkhd".utf8)
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: word) })
      // A quarter clockwise, moved back into the picture; 16.16 but for the last column.
      let matrix: [Int32] = [0, 0x1_0000, 0, -0x1_0000, 0, 0, 48 << 16, 0, 0x4000_0000]
      for (index, number) in matrix.enumerated() {
        for byte in 0..<4 {
          bytes[place + 44 + 4 * index + byte] = UInt8(truncatingIfNeeded: number >> Int32(24 - 8 * byte))
        }
      }
      try await PlayerStage.inFolder { stage in
        let url = URL(fileURLWithPath: "\(stage.folder)/turned-\(name)")
        try Data(bytes).write(to: url)
        let asset = AVURLAsset(url: url)
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        #expect(track.preferredTransform == CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 48, ty: 0))
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        let image = try await generator.image(at: seconds(0.5)).image
        #expect(image.width == 48 && image.height == 64, "\(name)")
        let player = await stage.player(url)
        #expect(player.currentItem?.presentationSize == CGSize(width: 48, height: 64), "\(name)")
      }
    }
  }
}
