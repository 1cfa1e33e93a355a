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

    @Test(arguments: [["-o", "-"], ["-o", "a.png"], ["--format", "png"]])
    func `is not for what has no place for a movie, or no metadata`(words: [String]) throws {
      let run = try Run(["photo", "--devices", "simulated", "--live"] + words)
      #expect(run.exitCode == .usage)
      #expect(run.messages.first?.contains("--live") == true)
    }
  }
}
