import Foundation
import MovieTools
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("Commands with slow cameras")
  struct SlowCommandTests {
    /// A film of one frame in so many seconds, and a place for what is taken of it.
    private func withFilm(period: Int, _ body: (_ devices: String, _ folder: String) throws -> Void) throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("slow.mov").path
        try Program.make(
          path,
          [
            "-f", "lavfi", "-i", "testsrc=size=128x96:rate=1/\(period):duration=\(16 * period)", "-c:v",
            "libx264",
          ])
        try body("movie:\(path)", folder.path)
      }
    }

    @Test(arguments: [2, 8])
    func `each command takes what it needs of a camera of a frame in seconds, and none takes it for dead`(
      period: Int
    ) throws {
      try withFilm(period: period) { devices, folder in
        let movie = "\(folder)/a.mov", photo = "\(folder)/a.jpg"
        // Beside each other, for each waits for frames.
        let record = try Started([
          "record", "--devices", devices, "--no-audio", "--immediate", "-t", "\(period + 1)s", "-o", movie,
        ])
        let taking = try Started(["photo", "--devices", devices, "-o", photo])
        let scan = try Started(["scan", "--devices", devices, "--timeout", "\(2 * period)s"])
        #expect(record.exitCode() == .done)
        #expect(taking.exitCode() == .done)
        // It saw frames, and no code in them.
        #expect(scan.exitCode() == .otherFailure)
        #expect(try Program.frameTimes(movie).count >= 2)
        #expect(FileManager.default.fileExists(atPath: photo))
      }
    }

    @Test(arguments: [2, 8])
    func `each command takes what it needs of a simulated camera of a frame in seconds, depth too`(
      period: Int
    ) throws {
      try withTemporaryFolder { folder in
        let scene = folder.appendingPathComponent("slow.json")
        try Data("{\"version\": 1, \"rate\": \(1 / Double(period)), \"background\": {\"depth\": 2.0}}".utf8)
          .write(
            to: scene)
        let devices = "simulated:\(scene.path)"
        let movie = folder.appendingPathComponent("a.mov").path
        let photo = folder.appendingPathComponent("a.jpg").path
        let record = try Started([
          "record", "--devices", devices, "--no-audio", "--immediate", "--size", "640x480", "-t",
          "\(period + 1)s", "-o", movie,
        ])
        let taking = try Started([
          "photo", "--devices", devices, "--preset", "vga", "--immediate", "-o", photo,
        ])
        let scan = try Started(["scan", "--devices", devices, "--timeout", "\(2 * period)s"])
        let depth = try Started([
          "depth", "--devices", devices, "--preset", "vga", "--raw", "--watch", "--count", "2", "--interval",
          "0s",
        ])
        #expect(record.exitCode() == .done)
        #expect(taking.exitCode() == .done)
        // It saw frames, and no code in them.
        #expect(scan.exitCode() == .otherFailure)
        #expect(depth.exitCode() == .done)
        #expect(try Program.frameTimes(movie).count >= 2)
        #expect(FileManager.default.fileExists(atPath: photo))
      }
    }

    @Test func `a simulated camera of a frame in two seconds that stands still is found dead after ten`()
      throws
    {
      try withTemporaryFolder { folder in
        let scene = folder.appendingPathComponent("dead.json")
        try Data(
          "{\"version\": 1, \"rate\": 0.5, \"faults\": [{\"kind\": \"stall\", \"at\": 2.5, \"for\": 600}]}"
            .utf8
        ).write(to: scene)
        let devices = "simulated:\(scene.path)"
        let record = try Started([
          "record", "--devices", devices, "--no-audio", "--immediate", "--size", "640x480", "-o",
          folder.appendingPathComponent("a.mov").path,
        ])
        let depth = try Started([
          "depth", "--devices", devices, "--preset", "vga", "--raw", "--watch", "--interval", "0s",
        ])
        #expect(record.exitCode() == .noFramesInTime)
        #expect(depth.exitCode() == .noFramesInTime)
      }
    }
  }
}
