import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura: output that cannot be written")
  struct OutputTests {
    /// Simulated cameras before a grey wall, which is quick to paint.
    private static let scene: String = {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-grey.json").path
      _ = FileManager.default.createFile(atPath: path, contents: Data(#"{"version": 1, "lux": 250}"#.utf8))
      return "simulated:\(path)"
    }()
    private static let photo = ["photo", "--devices", scene, "--preset", "vga", "--immediate"]
    private static let answers = [
      ["--help"], ["photo", "--help"], ["devices", "--devices", "simulated"],
      ["devices", "--devices", "simulated", "--json"], photo + ["-o", "-"],
    ]

    private final class Answers: @unchecked Sendable {  // Safe because one thread uses it.
      var text = ""
    }

    private func said(isShown: Bool, _ body: (Terminal) throws -> Void) rethrows -> String {
      let answers = Answers()
      try body(
        Terminal(
          isShown: isShown, output: { answers.text += String(decoding: $0, as: UTF8.self) },
          messages: { _ in }))
      return answers.text
    }

    @Test func `a name with control codes is shown escaped on a terminal, and given as it is elsewhere`()
      throws
    {
      let name = "a\u{1B}[31m\nb\u{9B}c\u{202E}d \\ é 👩‍💻"
      #expect(
        try said(isShown: true) { try $0.answer("1\t\(name)") }
          == "1\ta\\u{1B}[31m\\nb\\u{9B}c\\u{202E}d \\ é 👩‍💻\n")
      #expect(try said(isShown: false) { try $0.answer(name) } == "\(name)\n")
    }

    @Test(arguments: [true, false])
    func `JSON holds nothing that a terminal obeys, and means the same`(isShown: Bool) throws {
      let names = [
        "\u{7F}", "\u{9B}31m", "\u{202E}x", "\u{2028}", "\u{1B}", "\u{E0001}", "é \u{1F469}\u{200D}\u{1F4BB}",
      ]
      let text = try said(isShown: isShown) { try $0.answer(json: names) }
      #expect(
        text
          == #"["\u007f","\u009b31m","\u202ex","\u2028","\u001b","\udb40\udc01","é \#u{1F469}\#u{200D}\#u{1F4BB}"]"#
          + "\n")
      #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == names)
    }

    @Test(arguments: answers)
    func `an answer that finds no space is exit code 9 and one sentence`(words: [String]) throws {
      let run = try Run(words, shell: ">/dev/full")
      #expect(run.exitCode == .diskFull)
      #expect(run.messages.count == 1 && run.messages.first?.contains("no space") == true, "\(run.messages)")
    }

    @Test(arguments: answers)
    func `an answer to a closed output is exit code 1 and one sentence`(words: [String]) throws {
      let run = try Run(words, shell: ">&-")
      #expect(run.exitCode == .otherFailure)
      #expect(run.messages.count == 1 && run.messages.first?.contains("closed") == true, "\(run.messages)")
    }

    @Test(arguments: answers)
    func `a reader that goes away ends the command without success and without words`(words: [String]) throws
    {
      // A pipe whose reading end is closed before the command begins.
      let pipe = "p=$(mktemp -u); mkfifo $p; exec 3<>$p; exec 4>$p; exec 3<&-; rm $p"
      let run = try Run(words, shell: ">&4", before: pipe)
      #expect(run.exitCode == .otherFailure)
      #expect(run.messages.isEmpty, "\(run.messages)")
    }

    @Test(arguments: [">/dev/full", ">&-"])
    func `a photo is kept when only its path cannot be printed`(shell: String) throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("a.jpg").path
        let run = try Run(Self.photo + ["-o", path], shell: shell)
        #expect(run.exitCode == (shell == ">&-" ? .otherFailure : .diskFull))
        #expect(run.messages.count == 1)
        try expectWholeJPEG(path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.jpg"])
      }
    }

    @Test func `photos that were pressed are kept when the reader of their paths goes away`() throws {
      try withTemporaryFolder { folder in
        let path = folder.path + "/p%03d.jpg"
        let run = try Run(Self.photo + ["--count", "5", "-o", path], shell: "| head -n 1")
        #expect(run.exitCode == .otherFailure)
        #expect(run.text.split(separator: "\n").count == 1)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
          #expect(name.hasPrefix("p"))
          try expectWholeJPEG(folder.appendingPathComponent(name).path)
        }
      }
    }

    @Test(arguments: ["2>&-", "2>/dev/full", "<&- 2>&-", "<&-", "2> >(exec <&-)"])
    func `a photo does not need an error output`(shell: String) throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("a.jpg").path
        let run = try Run(Self.photo + ["-v", "-o", path], shell: shell)
        #expect(run.exitCode == .done)
        #expect(run.text == "\(path)\n")
        try expectWholeJPEG(path)
      }
    }

    @Test(arguments: ["2>&-", "2>/dev/full"])
    func `a failure has its exit code without an error output, too`(shell: String) throws {
      #expect(try Run(["photo", "--nonsense"], shell: shell).exitCode == .usage)
      #expect(
        try Run(["photo", "--devices", "simulated", "-d", "none"], shell: shell).exitCode == .noSuchCamera)
    }

    @Test func `no file gets the number of a closed stream`() throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("a.jpg").path
        let run = try Run(Self.photo + ["-v", "-o", path], shell: "<&- >&- 2>&-")
        #expect(run.exitCode == .otherFailure)
        try expectWholeJPEG(path)
      }
    }

    @Test func `a limit on the size of files is a sentence, and leaves nothing`() throws {
      try withTemporaryFolder { folder in
        let run = try Run(Self.photo + ["-o", folder.path + "/a.jpg"], shell: "", before: "ulimit -f 8")
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.count == 1 && run.messages.first?.contains("was taken but not kept") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      }
    }

    @Test func `a pipe without a reader is refused before the photo, and one that is read gets all of it`()
      throws
    {
      try withTemporaryFolder { folder in
        let pipe = folder.appendingPathComponent("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let refused = try Run(Self.photo + ["-o", pipe, "-d", "none"])
        #expect(refused.exitCode == .otherFailure)
        #expect(refused.messages.first?.contains("nothing reads that pipe") == true, "\(refused.messages)")
        let copy = folder.appendingPathComponent("copy.jpg").path
        let run = try Run(
          [
            "-c",
            "cat '\(pipe)' >'\(copy)' & exec 3<>'\(pipe)'; '\(Run.program.path)' \"$@\"; code=$?; exec 3<&-; wait; exit $code",
            "sh",
          ]
            + Self.photo + ["-o", pipe], program: URL(fileURLWithPath: "/bin/bash"))
        #expect(run.exitCode == .done, "\(run.messages)")
        try expectWholeJPEG(copy)
      }
    }
  }
}

/// Expects the file at `path` to begin and end as a JPEG picture does.
func expectWholeJPEG(_ path: String) throws {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  #expect(
    data.prefix(2) == Data([0xFF, 0xD8]) && data.suffix(2) == Data([0xFF, 0xD9]),
    "\(path): \(data.count) bytes")
}
