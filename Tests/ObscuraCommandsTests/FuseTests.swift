import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura fuse")
  struct FuseTests {
    /// Three photos of the simulated camera in little light, in a folder.
    private func photos(in folder: URL, preset: String = "vga") throws -> [String] {
      let scene = folder.appendingPathComponent("scene.json")
      try Data(#"{"version": 1, "lux": 2, "background": {"depth": 2.0}}"#.utf8).write(to: scene)
      let run = try Run(
        "photo", "--devices", "simulated:\(scene.path)", "--preset", preset, "--quality", "speed", "--count",
        "3",
        "-o", folder.appendingPathComponent("\(preset)_%04d.jpg").path)
      #expect(run.exitCode == .done, "\(run.messages)")
      return run.text.split(separator: "\n").map(String.init)
    }

    @Test func `several pictures become one, and a map says where how many served`() throws {
      try withTemporaryFolder { folder in
        let names = try photos(in: folder)
        try #require(names.count == 3)
        let (out, map) = (folder.appendingPathComponent("out.jpg"), folder.appendingPathComponent("map.png"))
        let run = try Run(["fuse"] + names + ["-o", out.path, "--weights", map.path, "--json"])
        #expect(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(run.json().first)
        #expect(answer["taken"] as? Int == 3 && answer["merged"] as? Int == 3)
        #expect(answer["width"] as? Int == 640 && answer["height"] as? Int == 480)
        #expect(answer["schema"] as? String == "obscura.fuse")
        #expect(try Data(contentsOf: out).prefix(2) == Data([0xFF, 0xD8]))
        #expect(try Data(contentsOf: map).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        let written = try Data(contentsOf: out)
        let again = try Run(["fuse"] + names + ["-o", out.path, "--plain"])
        #expect(again.exitCode == .done && again.text != out.path + "\n")
        #expect(try Data(contentsOf: out) == written, "a picture is not overwritten unasked")
        let heic = try Run(
          ["fuse"] + names + ["-o", folder.appendingPathComponent("out.heic").path, "--plain"])
        #expect(heic.exitCode == .done)
      }
    }

    @Test func `pictures that cannot be fused are named, and nothing is written`() throws {
      try withTemporaryFolder { folder in
        let (small, large) = (try photos(in: folder), try photos(in: folder, preset: "720p"))
        try Data("no picture".utf8).write(to: folder.appendingPathComponent("text.jpg"))
        let out = folder.appendingPathComponent("out.jpg").path
        let differing = try Run(["fuse", small[0], large[0], "-o", out])
        #expect(differing.exitCode == .otherFailure)
        #expect(differing.messages.first?.contains("one size") == true, "\(differing.messages)")
        for name in ["text.jpg", "missing.jpg"] {
          let run = try Run(["fuse", small[0], folder.appendingPathComponent(name).path, "-o", out])
          #expect(run.exitCode == .otherFailure && run.messages.count == 1)
          #expect(run.messages.first?.contains(name) == true)
        }
        #expect(!FileManager.default.fileExists(atPath: out))
      }
    }

    @Test(arguments: [
      ["fuse"], ["fuse", "a.jpg"], ["fuse", "a.jpg", "-o", "b.gif"], ["fuse", "-o", "b.jpg"],
      ["fuse", "a.jpg", "-o", "b.jpg", "--weights", "b.jpg"],
      ["fuse", "a.jpg", "-o", "b.jpg", "--tone", "bright"],
      ["fuse", "a.jpg", "-o", "b.jpg", "--plain", "--tone", "local"],
    ])
    func `a picture and a place are needed`(words: [String]) throws {
      let run = try Run(words)
      #expect(run.exitCode == .usage && run.messages.count == 1)
    }
  }
}
