import Foundation
import MovieTools
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura library")
  struct LibraryTests {
    private func run(_ folder: URL, _ words: String...) throws -> Run {
      try Run(
        ["library"] + words, environment: ["OBSCURA_LIBRARY": folder.appendingPathComponent("library").path])
    }

    @Test func `a photo is taken into the library, listed, filed, given out and deleted`() throws {
      try withTemporaryFolder { folder in
        let library = folder.appendingPathComponent("library")
        let taken = try Run(
          ["photo", "--devices", "simulated", "--library", "--immediate", "--preset", "vga"],
          environment: ["OBSCURA_LIBRARY": library.path])
        #expect(taken.exitCode == .done, "\(taken.messages)")
        let path = taken.text.trimmingCharacters(in: .newlines)
        #expect(path.hasPrefix("\(library.path)/") && path.contains("/IMG_"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let listed = try #require(try run(folder, "list", "--json").json().first)
        #expect(listed["width"] as? Int == 3024 && listed["schema"] as? String == "obscura.library-asset")
        let name = try #require(listed["identifier"] as? String)
        #expect(try run(folder, "show", String(name.prefix(8))).text.contains(path))
        #expect(try run(folder, "album", "add", "Trip", "newest").exitCode == .done)
        #expect(try run(folder, "album").text.contains("1\tTrip"))
        #expect(try run(folder, "list", "--album", "Trip", "--type", "photo").text.contains(path))
        for copy in ["", "-1"] {
          let given = try run(folder, "export", name, "-o", folder.path)
          let out = given.text.trimmingCharacters(in: .newlines)
          #expect(out.hasSuffix("\(copy).jpg") && FileManager.default.contents(atPath: out) == bytes)
        }
        #expect(try run(folder, "verify", "--deep").exitCode == .done)
        #expect(try run(folder, "process").text == "0 photos finished, 0 kept as they were, 0 failed\n")
        #expect(try run(folder, "delete", name).exitCode == .done)
        #expect(try run(folder, "list").text.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try run(folder, "album", "delete", "Trip").exitCode == .done)
      }
    }

    @Test
    func `files come in by copy or by move, one bad file keeps no other out, and lost ones are noticed`()
      throws
    {
      try withTemporaryFolder { folder in
        let picture = folder.appendingPathComponent("a.jpg")
        let made = try Run(
          ["photo", "--devices", "simulated", "--immediate", "--preset", "vga", "-o", picture.path])
        #expect(made.exitCode == .done)
        try Data("no picture".utf8).write(to: folder.appendingPathComponent("b.jpg"))
        let taken = try run(
          folder, "import", folder.appendingPathComponent("b.jpg").path, "--move", picture.path)
        #expect(taken.exitCode == .otherFailure && taken.messages.count == 1)
        #expect(
          taken.messages.first?.contains("b.jpg") == true
            && !FileManager.default.fileExists(atPath: picture.path))
        let listed = try #require(try run(folder, "list", "--json").json().first)
        let files = try #require(listed["files"] as? [[String: Any]])
        let path = try #require(files.first?["path"] as? String)
        #expect(files.first?["name"] as? String == "a.jpg")
        try FileManager.default.removeItem(atPath: path)
        let check = try run(folder, "verify", "--json")
        #expect(check.exitCode == .otherFailure)
        let problems = try #require(try check.json().first?["problems"] as? [[String: Any]])
        #expect(problems.first?["kind"] as? String == "missingFile")
        #expect(try run(folder, "recover", "--forget").exitCode == .done)
        #expect(try run(folder, "verify").exitCode == .done)
      }
    }

    @Test func `a movie is recorded into the library, and lies beside it where the library does not take it`()
      throws
    {
      try withTemporaryFolder { folder in
        let words = ["record", "--devices", "simulated", "--size", "640x480", "-t", "500ms", "--library"]
        let library = folder.appendingPathComponent("library")
        let taken = try Run(words, environment: ["OBSCURA_LIBRARY": library.path])
        #expect(taken.exitCode == .done, "\(taken.messages)")
        let path = taken.text.trimmingCharacters(in: .newlines)
        let listed = try run(folder, "list", "--json").json()
        #expect(listed.count == 1 && listed.first?["kind"] as? String == "video")
        let files = try #require(listed.first?["files"] as? [[String: Any]])
        #expect(files.first?["path"] as? String == path)
        #expect(try Program.frameTimes(path).count > 0)
        // Nothing is left where it was recorded.
        let left = try FileManager.default.contentsOfDirectory(atPath: library.path)
        #expect(left.allSatisfy { !$0.hasSuffix(".mov") })

        let full = folder.appendingPathComponent("full")
        try FileManager.default.createDirectory(at: full, withIntermediateDirectories: false)
        // In the place of the folder through which files come in.
        try Data().write(to: full.appendingPathComponent(".staging"))
        let refused = try Run(words, environment: ["OBSCURA_LIBRARY": full.path])
        #expect(refused.exitCode == .otherFailure)
        let kept = refused.text.trimmingCharacters(in: .newlines)
        // A busy machine may drop frames, which is said besides.
        let said = refused.messages.filter { !$0.contains("dropped.") }
        #expect(said.count == 1 && said.first?.contains(kept) == true, "\(refused.messages)")
        #expect(try Program.frameTimes(kept).count > 0)
      }
    }

    @Test func `what cannot be done is one sentence and an exit code`() throws {
      try withTemporaryFolder { folder in
        for (words, code) in [
          (["library"], ExitCode.usage), (["library", "fly"], .usage), (["library", "show"], .usage),
          (["library", "show", "abcd"], .otherFailure),
          (["library", "list", "--album", "None"], .otherFailure),
          (["library", "album", "delete", "Recents"], .otherFailure),
          (["library", "album", "create", ""], .usage),
          (["library", "album", "create", "two\nlines"], .usage),
          (["library", "album", "create", String(repeating: "x", count: 256)], .usage),
          (["library", "import", "/nowhere.jpg"], .otherFailure),
          (["photo", "--library", "-o", "a.jpg"], .usage), (["record", "--library", "-o", "a.mov"], .usage),
        ] {
          let run = try Run(words, environment: ["OBSCURA_LIBRARY": folder.path])
          #expect(run.exitCode == code && run.messages.count == 1, "\(words): \(run.messages)")
        }
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        let run = try Run(["library", "list"], environment: ["OBSCURA_LIBRARY": "\(file.path)/library"])
        #expect(run.exitCode == .otherFailure && run.messages.count == 1)
      }
    }
  }
}
