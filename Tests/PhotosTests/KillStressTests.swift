import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Linux
import Photos
import SeededNumbers
import Testing
import Waiting

extension PhotosTests {
  /// Kills a process that saves, defers, finishes, edits and deletes; as often as ``KillCount`` says.
  @Suite("Killed library Stress", .serialized)
  struct KillStressTests {
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("LibraryWorker")

    /// The words of a process before it was killed.
    private struct Words {
      var kept: Set<String> = []
      /// Those whose deletion was at least begun.
      var given: Set<String> = []
      var deleted: Set<String> = []
      var edited: Set<String> = []
      var failure: String?

      init(_ text: String) {
        // The last line may be a part of one.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
          let words = line.split(separator: " ", maxSplits: 1).map(String.init)
          guard words.count == 2 else { continue }
          switch words[0] {
          case "kept": kept.insert(words[1])
          case "deleting": given.insert(words[1])
          case "deleted": deleted.insert(words[1])
          case "edited": edited.insert(words[1])
          default: failure = String(line)
          }
        }
      }
    }

    private func run(
      _ picture: String, in test: TestLibrary, seed: Int, until moment: Double, waits: Bool
    ) throws -> Words {
      let process = Process()
      process.executableURL = Self.program
      process.arguments = [picture, "\(seed)"]
      // What a killed editor leaves goes with the library.
      let scratch = "\(test.folder)/.scratch"
      try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["OBSCURA_LIBRARY": test.folder, "TMPDIR": scratch]) { $1 }
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      if waits { test.waitForPicture(of: process) }
      pause(seconds: moment, because: "the kill comes at a random moment")
      kill(process.processIdentifier, SIGKILL)
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return Words(text)
    }

    /// Whether every pixel of a file can be decoded.
    private func isWhole(_ path: String) -> Bool {
      guard let source = CGImageSourceCreateWithURL(URL(fileURLWithPath: path), nil) else { return false }
      return CGImageSourceCreateImageAtIndex(source, 0, nil) != nil
    }

    @Test func `a process that is killed while it saves, defers, finishes, edits or deletes loses nothing`()
      throws
    {
      try withLibrary { test in
        let picture = "\(test.folder)/.picture.jpg"
        let bytes = try TestLibrary.jpeg(400, 300, shade: 5)
        try bytes.write(to: URL(fileURLWithPath: picture))
        var expected: Set<String> = []
        var (kills, finished) = (0, 0)
        var numbers = SeededGenerator(usual: 200)
        for round in 0..<KillCount(usual: 6).value {
          SharedLibrary.use(nil)
          let moment = Double.random(in: 0.02...(round % 2 == 0 ? 0.3 : 0.9), using: &numbers)
          let words = try run(
            picture, in: test, seed: round + 1, until: moment, waits: round % 2 != 0)
          #expect(words.failure == nil, "\(words.failure ?? "")")
          kills += 1
          // Opening finishes what was begun.
          let store = try LibraryStore(test.store.place)
          SharedLibrary.use(store)
          let problems = try Verification(store, readsFiles: round % 10 < 2).run().problems
          #expect(problems.isEmpty, "after \(moment) s in round \(round): \(problems.map(\.sentence))")
          let names = Set(test.names())
          expected = expected.union(words.kept).subtracting(words.given)
          #expect(expected.isSubset(of: names), "round \(round) lost \(expected.subtracting(names))")
          #expect(words.deleted.isDisjoint(with: names))
          // What was killed before it said so may be there, too, or be gone as it was about to be.
          expected = names
          for asset in (0..<test.assets.count).map({ test.assets[$0] })
          where words.edited.contains(asset.localIdentifier) {
            #expect(asset.hasAdjustments && asset.pixelWidth == 400)
          }
          let entries = try ProxyJournal.entries(store)
          if let finisher = DeferredFinishing.finisher, round % 5 == 4 {
            for entry in entries {
              #expect(try ProxyJournal(store, finisher).finish(entry.asset) == .finished)
              finished += 1
            }
            #expect(try ProxyJournal.entries(store).isEmpty)
            for file in test.files() {
              let path = "\(test.pictures)/\(file)"
              #expect(isWhole(path), "\(file)")
            }
          }
        }
        let staged = try FileManager.default.contentsOfDirectory(atPath: test.store.place.staging)
        #expect(staged.count <= 2, "\(staged)")
        print(
          "Figure: \(kills) kills, \(finished) proxies finished after them, \(expected.count) photos kept")
      }
    }
  }
}
