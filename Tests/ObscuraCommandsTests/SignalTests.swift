import Foundation
import ObscuraCommands
import Testing
import Waiting

extension CommandTests {
  @Suite("obscura: signals")
  struct SignalTests {
    private func photo(_ devices: String, _ words: String...) -> [String] {
      ["photo", "--devices", devices, "--preset", "vga", "--immediate", "-v"] + words
    }

    private func names(_ folder: URL) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal during the timer is exit code 130 and leaves nothing`(signal: Int32) throws {
      try withGreyScene { devices, folder in
        let run = try Started(photo(devices, "--timer", "50s", "-o", folder.path + "/a.jpg"))
        run.waitForCamera()
        run.send(signal)
        #expect(run.exitCode() == .aborted)
        #expect(try names(folder) == [])
      }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal between photos keeps those that were taken`(signal: Int32) throws {
      try withGreyScene { devices, folder in
        let run = try Started(
          photo(devices, "--count", "100", "--interval", "50s", "-o", folder.path + "/p%03d.jpg"))
        run.waitForAnswer()
        run.send(signal)
        #expect(run.exitCode() == .aborted)
        #expect(try names(folder) == ["p001.jpg"])
        try expectWholeJPEG(folder.path + "/p001.jpg")
      }
    }

    @Test func `a signal while a photo is taken ends it whole, or before it began`() throws {
      try withGreyScene { devices, folder in
        for delay in stride(from: 0, to: 0.6, by: 0.1) {
          let path = folder.path + "/a\(delay).jpg"
          let run = try Started(photo(devices, "-o", path))
          run.waitForCamera()
          pause(seconds: delay, because: "the signal comes at any moment")
          run.send(SIGTERM)
          switch run.exitCode() {
          case .done: try expectWholeJPEG(path)
          case let code:
            #expect(code == .aborted)
            #expect(!FileManager.default.fileExists(atPath: path))
          }
        }
        #expect(try names(folder).allSatisfy { $0.hasSuffix(".jpg") })
      }
    }

    @Test func `a second signal ends the command at once`() throws {
      try withTemporaryFolder { folder in
        // Stands still, so that the photo in hand does not come.
        let scene = folder.appendingPathComponent("scene.json")
        try Data(#"{"version": 1, "lux": 250, "faults": [{"kind": "stall", "at": 0, "for": 60}]}"#.utf8)
          .write(to: scene)
        let run = try Started(photo("simulated:\(scene.path)", "--no-zsl", "-o", folder.path + "/a.jpg"))
        run.waitForCamera()
        pause(seconds: 1, because: "a camera that stands still says nothing")
        run.send(SIGINT)
        pause(seconds: 0.2, because: "two signals at once are one")
        let sent = Date()
        run.send(SIGINT)
        #expect(run.exitCode() == .aborted)
        #expect(Date().timeIntervalSince(sent) < 4)
        #expect(try names(folder) == ["scene.json"])
      }
    }

    @Test(arguments: [(["--count", "500"], ExitCode.aborted), ([], .done)])
    func `watching distances until stopped ends well, and before its count it was cut short`(
      words: [String], code: ExitCode
    ) throws {
      try withGreyScene { devices, _ in
        let run = try Started(
          ["depth", "--devices", devices, "--preset", "vga", "--watch", "--interval", "50ms"] + words)
        run.waitForAnswer()
        run.send(SIGINT)
        #expect(run.exitCode() == code)
      }
    }

    @Test(arguments: [(["--timeout", "50s"], ExitCode.aborted), ([], .done)])
    func `looking for codes until stopped ends well, and before its timeout it was cut short`(
      words: [String], code: ExitCode
    ) throws {
      try withGreyScene { devices, _ in
        let run = try Started(["scan", "--devices", devices, "--preset", "vga", "-v"] + words)
        run.waitForCamera()
        run.send(SIGTERM)
        #expect(run.exitCode() == code)
      }
    }

    /// The moments are spread over what a run takes; some runs overwrite, some add.
    @Test func `a killed run leaves whole photos and nothing else`() throws {
      try withGreyScene { devices, folder in
        let place = folder.path + "/a.jpg"
        let start = Date()
        #expect(try Run(photo(devices, "-o", place)).exitCode == .done)
        let length = Date().timeIntervalSince(start)
        for step in 0..<16 {
          let run = try Started(photo(devices, "-o", place) + (step % 2 == 0 ? ["--force"] : []))
          pause(seconds: length * (0.4 + 0.6 * Double(step) / 15), because: "the kill comes at any moment")
          run.send(SIGKILL)
          _ = run.exitCode()
          for name in try names(folder) {
            #expect(name.hasPrefix("a") && name.hasSuffix(".jpg"), "\(name) after step \(step)")
            try expectWholeJPEG(folder.path + "/" + name)
          }
        }
      }
    }

    @Test func `commands beside each other take names of their own`() throws {
      try withGreyScene { devices, folder in
        let runs = try (0..<3).map { _ in
          try Started(photo(devices, "--count", "2", "-o", folder.path + "/p%02d.jpg"))
        }
        for run in runs { #expect(run.exitCode() == .done) }
        let names = try names(folder)
        #expect(names == (1...6).map { "p0\($0).jpg" })
        for name in names { try expectWholeJPEG(folder.path + "/" + name) }
      }
    }
  }
}
