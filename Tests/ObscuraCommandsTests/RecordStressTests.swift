import Foundation
import Glibc
import MovieTools
import ObscuraCommands
import SeededNumbers
import Testing

extension CommandTests {
  /// Two kills in every run of the suite, more as ``KillCount`` says.
  @Suite("obscura record: what a kill leaves")
  struct RecordStressTests {
    private static let kills = KillCount(usual: 2)

    @Test func `killed at any moment, a movie opens and lacks at most its last fragment`() throws {
      try withGreyScene { devices, folder in
        var numbers = SeededGenerator(usual: 200)
        for round in 0..<Self.kills.value {
          let path = "\(folder.path)/\(round).mov"
          let run = try Started([
            "record", "--devices", devices, "--size", "640x480", "-o", path,
          ])
          // Long enough for some fragments, and now and then too short for a file.
          let delay =
            Self.kills.isLong ? Double.random(in: 0.2...4, using: &numbers) : 1.2 + 1.5 * Double(round)
          let start = Date()
          var appeared: Date?
          while Date().timeIntervalSince(start) < delay {
            if appeared == nil, FileManager.default.fileExists(atPath: path) { appeared = Date() }
            Thread.sleep(forTimeInterval: 0.01)
          }
          run.send(SIGKILL)
          let recorded = appeared.map { Date().timeIntervalSince($0) }
          _ = run.exitCode()
          guard FileManager.default.fileExists(atPath: path) else { continue }
          #expect(try Program.probe(path).streams.count >= 1, "killed after \(delay) s")
          let times = try Program.frameTimes(path)
          // A fragment is a second, or half of one more where no key frame comes, and the encoder holds half a second.
          if let recorded, recorded > 3 { #expect(times.count > 0) }
          if let last = times.last, let recorded { #expect(last >= recorded - 3, "killed after \(delay) s") }
          #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
          try FileManager.default.removeItem(atPath: path)
        }
      }
    }

    @Test func `a full disk ends the movie with exit code 9, and it can be played`() throws {
      try withGreyScene { devices, folder in
        // A small file system in name spaces of its own; not every machine lets its users have them.
        let disk = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        let mount = "mount -t tmpfs -o size=4m none '\(disk)'"
        guard (try? Program.run("unshare", ["-Urm", "bash", "-c", mount])) != nil else {
          print("left out: this machine allows no mounts in name spaces of users")
          return
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let command =
          "\(mount) && { '\(Run.program.path)' record --devices '\(devices)' --size 640x480 --bitrate 8000 "
          + "-t 60s -o '\(disk)/a.mov'; code=$?; cp '\(disk)/a.mov' '\(folder.path)/kept.mov'; exit $code; }"
        process.arguments = ["unshare", "-Urm", "bash", "-c", command]
        process.standardOutput = FileHandle.nullDevice
        let messages = Pipe()
        process.standardError = messages
        try process.run()
        let said = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == ExitCode.diskFull.rawValue)
        #expect(said.contains("disk is full"))
        #expect(try Program.frameTimes(folder.path + "/kept.mov").count > 10)
      }
    }
  }
}
