import AVFoundation
import Foundation

/// The time until an exact frame of a movie of five minutes is there, whose key frames are up to ten seconds apart: 200 random
/// targets, each beside the program `ffmpeg -ss` of the same frame.
enum SeekBenchmark {
  private static let targets = 200
  private static let (rate, seconds) = (30, 300)

  static func run() throws -> [Figure] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let movie = folder.appendingPathComponent("long.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=size=640x360:rate=\(rate) -t \(seconds) -c:v libx264 -preset veryfast -g 300 -keyint_min 300 -bf 2",
      movie.path)
    var random: UInt32 = 7
    let frames = (0..<targets).map { _ in
      random = random &* 1_664_525 &+ 1_013_904_223
      return Int(random >> 8) % (seconds * rate)
    }
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: movie))
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    let player = try MainActor.assumeIsolated { try Seeker(movie) }
    let waysOfOurs: [(name: String, seek: (CMTime) throws -> CMTime)] = [
      (
        "movies.seek",
        { time in
          var actual = CMTime.invalid
          _ = try generator.copyCGImage(at: time, actualTime: &actual)
          return actual
        }
      ),
      ("movies.seek-player", { time in try MainActor.assumeIsolated { try player.seek(time) } }),
    ]
    return try waysOfOurs.map { name, seek in
      var next = 0
      let result = try medianRatio(
        // One pair more comes first, which does not count.
        pairs: targets - 1,
        ours: {
          let time = CMTime(value: Int64(frames[next]), timescale: Int32(rate))
          return try wallSeconds {
            guard try seek(time) == time else { throw BenchmarkError("\(name): the frame is a wrong one.") }
          }
        },
        peer: {
          // Half a frame before, so that rounding does not leave it out.
          let time = max(0, (Double(frames[next]) - 0.5) / Double(rate))
          next += 1
          return try wallSeconds {
            try ffmpeg("-ss \(time) -i \(movie.path) -frames:v 1 -f null", "-")
          }
        })
      return Figure(
        name: name, value: result.ratio,
        detail: String(format: "%.1f ms, ffmpeg %.1f ms", result.ours * 1000, result.peer * 1000))
    }
  }

  private static func ffmpeg(_ words: String, _ last: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
    process.arguments =
      ["-v", "error", "-nostdin", "-y"] + words.split(separator: " ").map(String.init) + [last]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkError("ffmpeg failed; is it installed?") }
  }
}

/// A player that is paused, and jumps.
@MainActor
private final class Seeker {
  private let player: AVPlayer
  private let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)

  init(_ movie: URL) throws {
    let item = AVPlayerItem(url: movie)
    item.add(output)
    player = AVPlayer(playerItem: item)
    try wait { item.status != .unknown }
  }

  /// Seeks, and returns the time of the picture that is there.
  func seek(_ time: CMTime) throws -> CMTime {
    let isDone = Flag()
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { _ in isDone.isSet = true }
    try wait { isDone.isSet }
    var actual = CMTime.invalid
    guard output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: &actual) != nil else {
      throw BenchmarkError("There is no picture.")
    }
    return actual
  }

  private func wait(_ isTrue: () -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 30)
    while !isTrue() {
      guard Date() < end else { throw BenchmarkError("The player did not answer in 30 s.") }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
    }
  }
}

/// Set and read on the main thread.
private final class Flag: @unchecked Sendable {  // Safe because the main thread alone uses it.
  var isSet = false
}
