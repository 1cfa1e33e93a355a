import Foundation
import MovieTools
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura play")
  struct PlayTests {
    private func withMovie(_ body: (String) throws -> Void) throws {
      try withMovieFolder { folder in
        let path = "\(folder)/film.mov"
        let plain = "\(folder)/plain.mov"
        try Program.make(
          plain,
          [
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1", "-f", "lavfi", "-i",
            "sine=duration=1:sample_rate=48000", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
          ])
        try Program.make(path, ["-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90"])
        try body(path)
      }
    }

    @Test func `info says what the tracks are, and when each frame is shown`() throws {
      try withMovie { path in
        let run = try Run("play", path, "--info", "--json")
        #expect(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        #expect(answer["schema"] as? String == "obscura.movie")
        #expect(abs((answer["durationSeconds"] as? Double ?? 0) - 1) < 0.05)
        let tracks = try #require(answer["tracks"] as? [[String: Any]])
        #expect(tracks.map { $0["media"] as? String } == ["video", "audio"])
        #expect(tracks[0]["codec"] as? String == "avc1")
        #expect(tracks[0]["width"] as? Int == 64 && tracks[0]["rotation"] as? Int == 270)
        let times = try #require(tracks[0]["frameTimes"] as? [Double])
        #expect(times.count == 25)
        #expect(zip(times, 0..<25).allSatisfy { abs($0 - Double($1) / 25) < 1e-6 })
        #expect(tracks[1]["channels"] as? Int == 1 && tracks[1]["samplesPerSecond"] as? Double == 48_000)
        let words = try Run("play", path, "--info")
        #expect(
          words.text.contains("25 frames") && words.text.contains("0.96") && words.text.contains("avc1"))
      }
    }

    @Test func `playing takes the movie's time, and ends where it was asked to`() throws {
      try withMovie { path in
        let run = try Run(
          "play", path, "--json", "--start", "0.2", "-t", "0.4", "--rate", "2", "--volume", "0.5")
        #expect(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        #expect(abs((answer["seconds"] as? Double ?? 0) - 0.6) < 1e-3)
        #expect((answer["frames"] as? Int ?? 0) >= 1)
      }
    }

    @Test func `what cannot be played is one sentence and an exit code`() throws {
      try withMovieFolder { folder in
        let letter = "\(folder)/letter.mov"
        try Data("Dear reader".utf8).write(to: URL(fileURLWithPath: letter))
        for more in [[], ["--info"]] {
          let run = try Run(["play", letter] + more)
          #expect(run.exitCode == .otherFailure)
          #expect(run.messages.count == 1 && run.messages.first?.contains("letter.mov") == true)
        }
        #expect(try Run("play").exitCode == .usage)
        #expect(try Run("play", letter, "--rate", "9").exitCode == .usage)
      }
      try withMovie { path in
        let run = try Run("play", path, "--start", "9")
        #expect(run.exitCode == .usage)
      }
    }
  }
}
