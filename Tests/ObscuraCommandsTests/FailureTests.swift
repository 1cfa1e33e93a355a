import Foundation
import Glibc
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura: several failures of one command")
  struct FailureTests {
    /// A command whose only disk, `/mnt`, has so much room; it exists for the command alone.
    private func run(_ words: [String], room kilobytes: Int) throws -> Run {
      let script = "mount -t tmpfs -o size=\(kilobytes)k none /mnt && exec \"$0\" \"$@\""
      return try Run(
        [geteuid() == 0 ? "-m" : "-Urm", "bash", "-c", script, Run.program.path] + words,
        environment: ["OBSCURA_LIBRARY": "/mnt/library"],
        program: URL(fileURLWithPath: "/usr/bin/unshare"))
    }

    private let photo = [
      "photo", "--immediate", "--preset", "vga", "--raw", "--live", "--devices", "simulated",
    ]

    @Test func `a raw picture and a movie without room are both said, and the photo is kept`() throws {
      let run = try run(photo + ["-o", "/mnt/a.jpg"], room: 400)
      #expect(run.exitCode == .diskFull)
      #expect(run.text == "/mnt/a.jpg\n")
      #expect(run.messages.count == 2, "\(run.messages)")
      for (message, name) in zip(run.messages, ["a.dng", "a.mov"]) {
        #expect(message.contains(name) && message.contains("the disk is full"))
      }
    }

    @Test func `the library keeps a photo for whose raw picture and movie there is no room`() throws {
      let run = try run(photo + ["--library", "--json"], room: 700)
      #expect(run.exitCode == .diskFull)
      let answer = try #require(run.json().first)
      #expect((answer["path"] as? String)?.hasSuffix(".jpg") == true)
      #expect(answer["raw"] == nil && answer["movie"] == nil)
      #expect(run.messages.count == 2, "\(run.messages)")
      for (message, part) in zip(run.messages, ["raw picture", "movie"]) {
        #expect(message.contains("without its \(part)") && message.contains("the disk is full"))
      }
    }

    @Test func `a photo, its raw picture and its movie without room are three failures`() throws {
      let run = try run(photo + ["-o", "/mnt/a.jpg"], room: 16)
      #expect(run.exitCode == .diskFull && run.output.isEmpty)
      #expect(run.messages.count == 2, "\(run.messages)")
      #expect(run.messages.first?.contains("a.jpg") == true)
      #expect(run.messages.last?.contains("a.dng") == true && run.messages.last?.contains("movie") == true)
    }

    @Test func `what is not imported after the disk is full is counted`() throws {
      try withTemporaryFolder { folder in
        let files = ["a", "b", "c"].map { "\(folder.path)/\($0).jpg" }
        let words = ["photo", "--devices", "simulated", "--immediate", "--preset", "vga", "-o"]
        for file in files { try #require(try Run(words + [file]).exitCode == .done) }
        let run = try run(["library", "import"] + files, room: 300)
        #expect(run.exitCode == .diskFull)
        #expect(run.messages.count == 2 && run.messages.first?.contains("the disk is full") == true)
        #expect(
          run.messages.last?.contains("The 2 files after that were not imported") == true, "\(run.messages)")
      }
    }

    @Test func `each photo that is not known is said, and the others are shown and given out`() throws {
      try withGreyScene { devices, folder in
        let environment = ["OBSCURA_LIBRARY": folder.path + "/library"]
        let photo = try Run(
          ["photo", "--devices", devices, "--immediate", "--preset", "vga", "--library"],
          environment: environment)
        try #require(photo.exitCode == .done, "\(photo.messages)")
        for words in [["library", "show"], ["library", "export", "-o", folder.path]] {
          let run = try Run(words + ["zzzz", "newest", "yyyy"], environment: environment)
          #expect(run.exitCode == .otherFailure)
          #expect(run.messages.count == 2, "\(run.messages)")
          #expect(zip(run.messages, ["zzzz", "yyyy"]).allSatisfy { $0.contains("'\($1)'") })
          #expect(run.text.contains(".jpg"))
        }
      }
    }
  }
}
