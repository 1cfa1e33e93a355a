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
        #expect(listed["width"] as? Int == 480 && listed["schema"] as? String == "obscura.library-asset")
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

    @Test func `photos of simulated cameras are kept in a library of their own, unless one is named`() throws
    {
      try withTemporaryFolder { folder in
        let home = [
          "HOME": folder.path, "OBSCURA_LIBRARY": "", "XDG_PICTURES_DIR": "", "XDG_DATA_HOME": "",
          "OBSCURA_DEVICES": "",
        ]
        let photo = ["photo", "--devices", "simulated", "--immediate", "--preset", "vga"]
        // The photo of the library first: a file beside it is found there once it has rested.
        for words in [photo + ["--library"], photo] {
          let run = try Run(words, environment: home)
          #expect(run.text.hasPrefix("\(folder.path)/.local/share/obscura/simulated/"), "\(run.messages)")
          guard words != photo else { continue }
          let listed = try Run(["library", "list", "--devices", "simulated"], environment: home)
          #expect(listed.text.split(separator: "\n").count == 1, "\(listed.text)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/Pictures"))
        // A timer of the system finishes photos; it makes no library.
        let processed = try Run(["library", "process"], environment: home)
        #expect(processed.exitCode == .done && processed.text.hasPrefix("0 photos finished"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/Pictures"))
        let own = try Run(["library", "list"], environment: home)
        #expect(own.text.isEmpty)
      }
    }

    @Test func `files whose names are not UTF-8 are read, imported, moved, found and named`() throws {
      try withGreyScene { devices, folder in
        let picture = folder.path + "/a.jpg"
        #expect(
          try Run("photo", "--devices", devices, "--immediate", "--preset", "vga", "-o", picture).exitCode
            == .done)
        let library = ["OBSCURA_LIBRARY": folder.path + "/library"]
        // The shell makes the bytes: a process is started with strings.
        func bash(_ words: String..., before: String = ":") throws -> Run {
          try Run(
            Array(words.dropLast()), shell: words.last, before: "cd '\(folder.path)'; \(before)",
            environment: library)
        }
        let copy = "cp a.jpg $'caf\\xe9.jpg'"
        #expect(
          try bash("stamp", "$'caf\\xe9.jpg'", before: copy).messages.first?.contains("no such file") == false
        )
        #expect(try bash("library", "import", "$'caf\\xe9.jpg'").exitCode == .done)
        #expect(try bash("library", "import", "--move", "$'caf\\xe9.jpg'").exitCode == .done)
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.jpg", "library"])
        #expect(try bash("photo", "--devices", devices, "-o", "$'b\\xe9.jpg'").exitCode == .usage)
        for word in ["--output=$'b\\xe9.jpg'", "-o$'b\\xe9.jpg'"] {
          let run = try bash("photo", "--devices", devices, "--immediate", "--preset", "vga", word)
          #expect(run.exitCode == .usage && run.messages.first?.contains("is not UTF-8") == true, "\(word)")
        }
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.jpg", "library"])

        let inside = try bash("library", "verify", "", before: "cp a.jpg library/$'d\\xe9j\\xe0.jpg'")
        #expect(
          inside.exitCode == .otherFailure && inside.text.contains("d\\xE9j\\xE0.jpg"), "\(inside.text)")
        #expect(try bash("library", "recover", "").text.contains("d_j_.jpg was added"))
        #expect(try bash("library", "verify", "").exitCode == .done)
        #expect(try bash("library", "list", "").text.contains("d_j_.jpg"))
      }
    }

    @Test func `a photo goes beside a month's folder that is a link, and is listed and deleted there`() throws
    {
      try withGreyScene { devices, folder in
        let library = folder.appendingPathComponent("library")
        let environment = ["OBSCURA_LIBRARY": library.path]
        let words = ["photo", "--devices", devices, "--library", "--immediate", "--preset", "vga"]
        let first = try Run(words, environment: environment)
        try #require(first.exitCode == .done && first.text.hasPrefix("\(library.path)/"), "\(first.messages)")
        let month = URL(fileURLWithPath: first.text.trimmingCharacters(in: .newlines))
          .deletingLastPathComponent()
        let files = FileManager.default
        try files.moveItem(at: month, to: folder.appendingPathComponent("elsewhere"))
        try files.createSymbolicLink(
          at: month, withDestinationURL: folder.appendingPathComponent("elsewhere"))
        let second = try Run(words, environment: environment)
        #expect(second.exitCode == .done, "\(second.messages)")
        let path = second.text.trimmingCharacters(in: .newlines)
        #expect(path.hasPrefix("\(month.path)-1/IMG_"))
        try expectWholeJPEG(path)
        let asset = try run(folder, "list", "--json").json().first { asset in
          (asset["files"] as? [[String: Any]])?.first?["path"] as? String == path
        }
        let name = try #require(asset?["identifier"] as? String)
        #expect(try run(folder, "delete", name).exitCode == .done)
        #expect(!files.fileExists(atPath: path))
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/elsewhere").count == 1)
      }
    }

    @Test func `a movie that was cut off is not taken in, and found where it lies in the library`() throws {
      try withGreyScene { devices, folder in
        let (movie, whole) = (folder.path + "/a.mp4", folder.path + "/whole.mp4")
        #expect(
          try Run("record", "--devices", devices, "--size", "640x480", "--no-audio", "-t", "1s", "-o", movie)
            .exitCode == .done)
        // The tables come first, so that they survive the cut.
        _ = try Program.run(
          "ffmpeg", ["-v", "error", "-i", movie, "-c", "copy", "-movflags", "faststart", whole])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        for share in [0.5, 0.9] {
          let half = "\(folder.path)/half-\(share).mp4"
          try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(fileURLWithPath: half))
          let refused = try run(folder, "import", "--move", half)
          #expect(refused.exitCode == .otherFailure && refused.messages.count == 1, "\(refused.text)")
          #expect(FileManager.default.fileExists(atPath: half))
        }
        let taken = try run(folder, "import", whole)
        #expect(taken.exitCode == .done)
        let path = try #require(
          taken.text.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) })
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        #expect(try run(folder, "verify", "--deep").text.contains("it is damaged"))
      }
    }

    @Test func `a command that has ended leaves nothing beside the pictures`() throws {
      try withGreyScene { devices, folder in
        let library = folder.path + "/library"
        let run = try Run(
          ["photo", "--devices", devices, "--immediate", "--preset", "vga", "--library"],
          environment: ["OBSCURA_LIBRARY": library])
        #expect(run.exitCode == .done)
        #expect(try FileManager.default.contentsOfDirectory(atPath: library + "/.staging").isEmpty)
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
