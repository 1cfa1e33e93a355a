import Foundation
import FoundationExtras
import Linux
@_spi(Benchmarks) import Photos
import SeededNumbers
import Testing
import Waiting

extension PhotosTests {
  /// Kills processes that change a library, and looks at what they leave; short unless `OBSCURA_STRESS=1`.
  @Suite("Library Stress", .serialized)
  struct LibraryStressTests {
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("obscura")

    @Test func `a process that is killed at any moment leaves a library that is whole`() throws {
      try withLibrary { test in
        let first = "\(test.folder)/.first.jpg"
        try TestLibrary.jpeg(1600, 1200, shade: 3).write(to: URL(fileURLWithPath: first))
        let second = "\(test.folder)/.second.jpg"
        try TestLibrary.jpeg(64, 48, shade: 4).write(to: URL(fileURLWithPath: second))
        var numbers = SeededGenerator(usual: 40)
        for round in 0..<KillCount(usual: 6).value {
          let process = Process()
          process.executableURL = Self.program
          process.arguments =
            ["library", "import", "--album", "Trip"]
            + Array(repeating: [first, second], count: 40).flatMap { $0 }
          process.environment = ProcessInfo.processInfo.environment.merging(["OBSCURA_LIBRARY": test.folder]
          ) { $1 }
          let output = Pipe()
          process.standardOutput = output
          process.standardError = FileHandle.nullDevice
          try process.run()
          // From before the library is open; or from the first file on, however long this machine takes to come to it.
          if round % 2 != 0 { test.waitForPicture(of: process) }
          let moment = Double.random(in: 0...(round % 2 == 0 ? 0.15 : 0.5), using: &numbers)
          pause(seconds: moment, because: "the kill comes at a random moment")
          kill(process.processIdentifier, SIGKILL)
          process.waitUntilExit()
          let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          // Opening finishes what was begun.
          let store = try LibraryStore(test.store.place)
          SharedLibrary.use(store)
          let problems = try Verification(store, readsFiles: round % 10 == 0).run().problems
          #expect(problems.isEmpty, "after \(moment) s in round \(round): \(problems.map(\.sentence))")
          // What a process has reported as kept is there.
          let names = Set(test.names())
          for line in printed.split(separator: "\n").dropLast() {
            #expect(names.contains { $0.lowercased().hasPrefix(line.prefix(8)) }, "\(line)")
          }
          #expect(PHAsset.fetchAssets(with: nil).count == test.files().count)
        }
        let staged = try FileManager.default.contentsOfDirectory(atPath: test.store.place.staging)
        #expect(staged.count <= 2, "\(staged)")
      }
    }

    @Test
    func `a change inside of a hundred thousand assets has exact places, and a page takes little memory`()
      throws
    {
      try withLibrary { test in
        let count = 100_000
        try LibraryMeasurement.fill(count)
        test.library.observers.queue.sync {}
        let all = PHAsset.fetchAssets(with: nil)
        #expect(all.count == count)
        let middle = all[count / 2]
        let grid = ObserverTests.Grid()
        test.library.register(grid)
        try test.library.performChangesAndWait {
          PHAssetChangeRequest(for: middle).isFavorite = true
          PHAssetChangeRequest.deleteAssets([all[count / 3]])
        }
        let details = try #require(grid.wait(for: 1)?.changeDetails(for: all))
        #expect(details.removedIndexes == [count / 3] && details.changedIndexes == [count / 2 - 1])
        #expect(details.insertedIndexes?.isEmpty == true && !details.hasMoves)
        let options = PHFetchOptions()
        options.fetchLimit = 200
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        let newest = PHAsset.fetchAssets(with: options)
        #expect(newest.count == 200 && newest.firstObject?.creationDate == all.lastObject?.creationDate)
      }
    }

    /// Two processes that import a file into a library at the same time.
    private func importTwice(_ file: String, count: Int, into folder: String) throws {
      let processes = try (0..<2).map { _ in
        let process = Process()
        process.executableURL = Self.program
        process.arguments = ["library", "import", "--album", "Both"] + Array(repeating: file, count: count)
        process.environment = ProcessInfo.processInfo.environment.merging(["OBSCURA_LIBRARY": folder]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
      }
      for process in processes {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
    }

    @Test func `two processes make a library at once, and both find it`() throws {
      try withLibrary { test in
        let file = "\(test.folder)/.file.jpg"
        try TestLibrary.jpeg(64, 48).write(to: URL(fileURLWithPath: file))
        for round in 0..<6 {
          let folder = "\(test.folder)/.new-\(round)"
          try importTwice(file, count: 1, into: folder)
          let verified = try Verification(LibraryStore(LibraryFolders(folder: folder)), readsFiles: true)
            .run()
          #expect(verified.problems.isEmpty && verified.assets == 2, "\(verified)")
        }
      }
    }

    @Test func `two processes add at once, and nothing is lost`() throws {
      try withLibrary { test in
        let file = "\(test.folder)/.file.jpg"
        try TestLibrary.jpeg(64, 48).write(to: URL(fileURLWithPath: file))
        try importTwice(file, count: 15, into: test.folder)
        #expect(test.assets.count == 30)
        #expect(test.files().count == 30)
        #expect(try test.problems() == [])
      }
    }
  }
}
