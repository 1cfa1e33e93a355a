import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  /// On a terminal that util-linux's `script` plays.
  @Suite(
    "obscura: progress", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  struct ProgressTests {
    /// The command's output to a terminal that is its error output.
    private func terminalText(_ words: [String]) throws -> String {
      let command = ([Run.program.path] + words).joined(separator: " ")
      let run = try Run(
        ["-qec", "\(command) >/dev/null", "/dev/null"], program: URL(fileURLWithPath: "/usr/bin/script"))
      #expect(run.messages.isEmpty, "\(run.messages)")
      return run.text
    }

    @Test func `the timer counts down on a terminal, and the line goes away`() throws {
      try withGreyScene { devices, folder in
        let words = [
          "photo", "--devices", devices, "--preset", "vga", "--immediate", "--timer", "3s", "-o",
          folder.path + "/a.jpg",
        ]
        let text = try terminalText(words)
        #expect(text.contains("The photo is taken in 2 s") && text.contains("in 1 s"), "\(text)")
        #expect(text.hasSuffix("\r\u{1B}[K"))
        #expect(try terminalText(words + ["-q"]) == "")
      }
    }

    @Test func `looking for codes shows how long it lasts on a terminal`() throws {
      try withGreyScene { devices, _ in
        let text = try terminalText(["scan", "--devices", devices, "--preset", "vga", "--timeout", "3s"])
        // A busy machine may show some seconds late, or not at all.
        #expect((0...3).contains { text.contains("Looking for codes, \($0) of 3 s") }, "\(text)")
      }
    }

    @Test func `there is no progress without a terminal`() throws {
      try withGreyScene { devices, folder in
        let run = try Run(
          "photo", "--devices", devices, "--preset", "vga", "--immediate", "--timer", "2s", "-o",
          folder.path + "/a.jpg")
        #expect(run.exitCode == .done && run.messages.isEmpty)
      }
    }
  }
}
