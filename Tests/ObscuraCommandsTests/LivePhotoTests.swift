import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura photo --live")
  struct LivePhotoTests {
    @Test func `writes photo and movie under one name, which the library takes as one`() throws {
      try withGreyScene { devices, folder in
        let file = folder.path + "/a.jpg"
        let run = try Run(
          "photo", "--devices", devices, "--immediate", "--preset", "vga", "--live", "--json", "-o", file)
        try #require(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(run.json().first)
        #expect(answer["path"] as? String == file)
        #expect(answer["movie"] as? String == folder.path + "/a.mov")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("a.") }
            .sorted() == ["a.jpg", "a.mov"])
        let library = ["OBSCURA_LIBRARY": folder.path + "/library"]
        let taken = try Run(
          ["library", "import", file, folder.path + "/a.mov", "--json"], environment: library)
        try #require(taken.exitCode == .done, "\(taken.messages)")
        let assets = try taken.json()
        #expect(assets.count == 1)
        #expect((assets.first?["files"] as? [[String: Any]])?.count == 2)
      }
    }

    @Test func `goes into the library as one`() throws {
      try withGreyScene { devices, folder in
        let environment = ["OBSCURA_LIBRARY": folder.path + "/library"]
        let run = try Run(
          [
            "photo", "--devices", devices, "--immediate", "--preset", "vga", "--live", "--library",
            "--format",
            "heic", "--json",
          ], environment: environment)
        try #require(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(run.json().first)
        #expect((answer["movie"] as? String)?.hasPrefix(folder.path + "/library/") == true)
        let listed = try Run(["library", "list", "--json"], environment: environment).json()
        #expect(listed.count == 1)
        #expect((listed.first?["files"] as? [[String: Any]])?.count == 2)
      }
    }

    @Test func `writes a raw picture and a movie beside the photo, or all of them into one asset`() throws {
      try withGreyScene { devices, folder in
        let words = [
          "photo", "--devices", devices, "--immediate", "--preset", "vga", "--live", "--raw", "--json",
        ]
        let run = try Run(words + ["-o", folder.path + "/a.jpg"])
        try #require(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(run.json().first)
        #expect(
          ["path", "raw", "movie"].map { answer[$0] as? String }
            == ["jpg", "dng", "mov"].map { folder.path + "/a.\($0)" })
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("a.") }
            .sorted() == ["a.dng", "a.jpg", "a.mov"])
        let environment = ["OBSCURA_LIBRARY": folder.path + "/library"]
        let kept = try Run(words + ["--library"], environment: environment)
        try #require(kept.exitCode == .done, "\(kept.messages)")
        let paths = try ["path", "raw", "movie"].compactMap { try kept.json().first?[$0] as? String }
        #expect(paths.map { ($0 as NSString).pathExtension } == ["jpg", "dng", "mov"])
        let listed = try Run(["library", "list", "--json"], environment: environment).json()
        #expect(listed.count == 1)
        #expect((listed.first?["files"] as? [[String: Any]])?.count == 3)
      }
    }

    @Test func `a raw picture alone has its movie, too`() throws {
      try withGreyScene { devices, folder in
        let run = try Run(
          "photo", "--devices", devices, "--immediate", "--preset", "vga", "--live", "-o",
          folder.path + "/a.dng")
        try #require(run.exitCode == .done, "\(run.messages)")
        #expect(
          run.text.split(separator: "\n").map(String.init) == ["dng", "mov"].map { folder.path + "/a.\($0)" })
      }
    }

    @Test func `photo and movie are kept where the raw picture cannot be`() throws {
      try withGreyScene { devices, folder in
        try FileManager.default.createDirectory(
          atPath: folder.path + "/a.dng/full", withIntermediateDirectories: true)
        let run = try Run(
          "photo", "--devices", devices, "--immediate", "--preset", "vga", "--live", "--raw", "--force", "-o",
          folder.path + "/a.jpg")
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.last?.contains("a.dng") == true, "\(run.messages)")
        #expect(
          run.text.split(separator: "\n").map(String.init) == ["jpg", "mov"].map { folder.path + "/a.\($0)" })
      }
    }

    @Test(arguments: [["-o", "-"], ["-o", "a.png"], ["--format", "png"]])
    func `is not for what has no place for a movie, or no metadata`(words: [String]) throws {
      let run = try Run(["photo", "--devices", "simulated", "--live"] + words)
      #expect(run.exitCode == .usage)
      #expect(run.messages.first?.contains("--live") == true)
    }
  }
}
