import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import MovieTools
import SeededNumbers
import Testing

@Suite("Movies of other programs in a player") @MainActor
struct ForeignMovieTests {
  /// Makes a movie of 50 numbered frames, plays it, and expects each of `ffprobe`'s frames at its time.
  private func check(
    _ stage: PlayerStage, _ name: String, _ arguments: [String], filter: String? = nil, numbers: [Int]? = nil
  ) async throws -> AVPlayerItem {
    let path = "\(stage.folder)/\(name)"
    let graph =
      "color=black:size=64x48:rate=25:duration=2,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128"
      + (filter.map { ",\($0)" } ?? "")
    try Program.make(path, ["-f", "lavfi", "-i", graph, "-c:v", "libx264"] + arguments)
    return try await play(stage, path, numbers)
  }

  private func play(_ stage: PlayerStage, _ path: String, _ numbers: [Int]? = nil) async throws
    -> AVPlayerItem
  {
    let times = try Program.frameTimes(path).filter { $0 >= 0 }
    let player = await stage.player(URL(fileURLWithPath: path))
    let item = try #require(player.currentItem)
    #expect(item.status == .readyToPlay, "\(path)")
    let duration = try Program.probe(path).duration
    #expect(abs(item.duration.seconds - duration) < 0.05, "\(path)")
    let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
    item.add(output)
    if let numbers { #expect(times.count == numbers.count, "\(path)") }
    for (index, time) in times.enumerated() where index % 3 == 0 || index > times.count - 3 {
      // A fragmented movie's last frames may lie behind the duration that it names.
      guard time + 0.002 < item.duration.seconds else { continue }
      #expect(await player.seek(to: seconds(time + 0.002), toleranceBefore: .zero, toleranceAfter: .zero))
      var shown = CMTime.invalid
      let pixels = try #require(
        output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: &shown),
        "\(path) \(time)")
      #expect(abs(shown.seconds - time) < 0.0015, "\(path) at \(time)")
      if let numbers, numbers.indices.contains(index) {
        #expect(TestMovie.number(of: pixels) == numbers[index] % 16, "\(path) at \(time)")
      }
    }
    return item
  }

  @Test("Fragmented, Matroska and fast-start movies play frame by frame")
  func containers() async throws {
    try await PlayerStage.inFolder { stage in
      let all = Array(0..<50)
      _ = try await check(
        stage, "fragmented.mp4", ["-bf", "3", "-g", "20", "-movflags", "frag_keyframe+empty_moov"],
        numbers: all)
      _ = try await check(stage, "plain.mkv", ["-bf", "3", "-g", "20"], numbers: all)
      _ = try await check(stage, "late.mp4", ["-bf", "2", "-movflags", "+faststart"], numbers: all)
    }
  }

  @Test("Edit lists, rotation and frames of varying durations are heeded")
  func edits() async throws {
    try await PlayerStage.inFolder { stage in
      // Cut between key frames: an edit list hides the frames before.
      _ = try await check(stage, "whole.mp4", ["-bf", "2", "-g", "25"])
      let cut = "\(stage.folder)/cut.mp4"
      try Program.make(cut, ["-ss", "1.2", "-i", "\(stage.folder)/whole.mp4", "-c", "copy"])
      let item = try await play(stage, cut, (0..<20).map { $0 + 30 })
      #expect(abs(item.duration.seconds - 0.8) < 0.05)
      let turned = "\(stage.folder)/turned.mov"
      try Program.make(
        turned, ["-i", "\(stage.folder)/whole.mp4", "-c", "copy", "-metadata:s:v", "rotate=270"])
      let upright = try await play(stage, turned, Array(0..<50))
      #expect(upright.presentationSize == CGSize(width: 48, height: 64))
      // Every frame whose number is a multiple of three or five: gaps of one to three frames.
      _ = try await check(
        stage, "varying.mp4", ["-vsync", "vfr", "-bf", "2"],
        filter: "select='not(mod(n\\,3))+not(mod(n\\,5))'",
        numbers: (0..<50).filter { $0 % 3 == 0 || $0 % 5 == 0 })
    }
  }

  /// Thirty seeks in every run of the suite, 200 with `OBSCURA_STRESS` (see `FuzzCount`): each decodes half of a long group of
  /// pictures.
  @Test("In five minutes of long groups of pictures, random seeks land on their frames")
  func randomSeeks() async throws {
    try await PlayerStage.inFolder { stage in
      let url = try stage.movie(
        seconds: 300, ["-g", "250", "-keyint_min", "250", "-bf", "3", "-preset", "veryfast"], audio: false)
      let player = await stage.player(url)
      let item = try #require(player.currentItem)
      let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
      item.add(output)
      var random = SeededGenerator(usual: 250)
      var wrong: [Double] = []
      for _ in 0..<FuzzCount(usual: 30, all: 200).value {
        let target = Double.random(in: 0..<300, using: &random)
        let place = seconds(target)
        _ = await player.seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero)
        // In whole numbers: at the very beginning of a frame a Double may be of the one before.
        let frame = Int(place.value * 25 / Int64(place.timescale))
        var time = CMTime.invalid
        let pixels = output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: &time)
        if pixels.map({ TestMovie.number(of: $0) }) != frame % 16
          || time != CMTime(value: CMTimeValue(frame), timescale: 25)
        {
          wrong.append(target)
        }
      }
      #expect(wrong.isEmpty, "seed \(random.seed)")
    }
  }
}
