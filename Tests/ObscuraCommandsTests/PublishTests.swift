import EventPublishing
import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura: publishing")
  struct PublishTests {
    /// The port of no broker.
    private static let nowhere = "mqtt://127.0.0.1:9/home/door"

    @Test(.enabled(if: MosquittoLink.obstacle == nil))
    func `without a broker the event is printed and kept, and it is said`() throws {
      try withTemporaryFolder { folder in
        let run = try Run(
          [
            "scan", "--devices", "simulated", "--once", "--json", "--timeout", "60s", "--publish",
            Self.nowhere,
          ],
          environment: ["XDG_STATE_HOME": folder.path])
        #expect(run.exitCode == .done, "\(run.messages)")
        let printed = try run.json()
        #expect(printed.count == 1)
        #expect(run.messages.count { $0.contains("takes no events") } == 1, "\(run.messages)")
        #expect(run.messages.last?.contains("2 events wait for 127.0.0.1:9") == true, "\(run.messages)")
        let kept = try keptFiles(folder).map {
          try String(contentsOfFile: "\(folder.path)/\($0)", encoding: .utf8)
        }
        #expect(kept.last == "code\n\(run.text.dropLast())")
        // That the camera is there is published, and no line of the answer.
        #expect(kept.first?.hasPrefix("camera\n") == true && kept.first?.contains("recovered") == true)
        #expect(printed[0]["id"] as? String != nil)
      }
    }

    private func keptFiles(_ folder: URL) -> [String] {
      let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      return all.filter { $0.hasSuffix(".event") }.sorted()
    }

    @Test(.enabled(if: MosquittoLink.obstacle == nil))
    func `what a killed run has printed is kept, and the next run has it, too`() throws {
      try withTemporaryFolder { folder in
        let environment = ["XDG_STATE_HOME": folder.path]
        let run = try Started(
          [
            "watch", "--motion", "--devices", "simulated", "--preset", "vga", "--json", "--publish",
            Self.nowhere,
          ],
          environment: environment)
        run.waitForAnswer()
        run.send(SIGKILL)
        #expect(run.exitCode() == nil)
        let kept = keptFiles(folder)
        // What an earlier run that was killed has left is over.
        let first = try String(contentsOfFile: "\(folder.path)/\(#require(kept.first))", encoding: .utf8)
        #expect(first.hasPrefix("motion\n") && first.contains("\"present\":0"), "\(first)")
        let next = try Run(
          ["scan", "--devices", "simulated", "--once", "--timeout", "60s", "--publish", Self.nowhere],
          environment: environment)
        #expect(next.exitCode == .done, "\(next.messages)")
        let all = keptFiles(folder)
        #expect(all.count == kept.count + 2 && Array(all.prefix(kept.count)) == kept)
        #expect(next.messages.last?.contains("\(all.count) events wait for") == true, "\(next.messages)")
      }
    }

    @Test(arguments: [
      ["--publish", "http://broker/a"], ["--publish", "mqtt://gate:secret@broker/a"],
      ["--publish", "mqtt://broker"],
      ["--login", "file"], ["--publish", nowhere, "--login", "/nonexistent"],
    ])
    func `bad usage is one sentence, without the password, and exit code 2`(words: [String]) throws {
      for verb in ["scan", "watch"] {
        let run = try Run([verb] + words)
        #expect(run.exitCode == .usage)
        #expect(run.messages.count == 1 && run.output.isEmpty)
        #expect(!run.messages.joined().contains("secret"))
      }
    }

    @Test func `pictures are not published`() throws {
      #expect(try Run("scan", "a.png", "--publish", Self.nowhere).exitCode == .usage)
    }

    @Test func `a login that others may read is refused`() throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("login").path
        try "user=gate\npassword=secret\n".write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o644)
        let run = try Run("watch", "--motion", "--publish", Self.nowhere, "--login", path)
        #expect(run.exitCode == .usage && run.messages.count == 1)
        #expect(run.messages[0].contains("chmod 600") && !run.messages[0].contains("secret"))
      }
    }

    @Test func `certificates that cannot be read are bad usage`() throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("login").path
        try "ca=~/none.pem\n".write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o600)
        let run = try Run(
          ["watch", "--motion", "--publish", "mqtts://127.0.0.1:9/home/door", "--login", path],
          environment: ["HOME": folder.path])
        #expect(run.exitCode == .usage && run.messages.count == 1, "\(run.messages)")
        #expect(run.messages[0].contains("ca=\(folder.path)/none.pem"), "\(run.messages)")

        try Data([0x30, 0x82, 0x01, 0x0A, 0xFF]).write(to: folder.appendingPathComponent("none.pem"))
        let binary = try Run(
          ["watch", "--motion", "--publish", "mqtts://127.0.0.1:9/home/door", "--login", path],
          environment: ["HOME": folder.path])
        #expect(binary.exitCode == .usage && binary.messages.count == 1, "\(binary.messages)")
        #expect(binary.messages[0].contains("holds none"), "\(binary.messages)")
      }
    }

    @Test(.enabled(if: MosquittoLink.obstacle == nil))
    func `a lost camera is an event of scan, too, and no line of its answer`() throws {
      try withTemporaryFolder { folder in
        let scene = folder.appendingPathComponent("scene.json")
        let words = #"{"version": 1, "faults": [{"kind": "unplug", "at": 2.0}]}"#
        try Data(words.utf8).write(to: scene)
        let run = try Run(
          ["scan", "--devices", "simulated:\(scene.path)", "--preset", "vga", "--publish", Self.nowhere],
          environment: ["XDG_STATE_HOME": folder.path])
        #expect(run.exitCode == .deviceLost && run.output.isEmpty, "\(run.messages)")
        let kept = try keptFiles(folder).map {
          try String(contentsOfFile: "\(folder.path)/\($0)", encoding: .utf8)
        }
        #expect(kept.count == 2 && kept.allSatisfy { $0.hasPrefix("camera\n") }, "\(kept)")
        #expect(kept.first?.contains("recovered") == true && kept.last?.contains("fault") == true)
      }
    }

    @Test(.enabled(if: MosquittoLink.obstacle == nil))
    func `a folder in which events cannot be kept is said before a camera is opened`() throws {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        let run = try Run(
          ["watch", "--motion", "--devices", "simulated", "-d", "none", "--publish", Self.nowhere],
          environment: ["XDG_STATE_HOME": file.path])
        #expect(run.exitCode == .otherFailure && run.messages.count == 1, "\(run.messages)")
        #expect(run.messages[0].contains("The events cannot be kept in \(file.path)"))
      }
    }
  }
}
