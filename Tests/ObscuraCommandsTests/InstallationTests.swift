import Foundation
import Testing

/// Tests of what `make install` places, from the command that lies beside the tests.
@Suite("Installation")
struct InstallationTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func run(_ script: String, _ words: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = root.appendingPathComponent("scripts/\(script)")
    process.arguments = words
    let build = Run.program.deletingLastPathComponent().path
    // The scripts look for builds in .build, where all of ours are.
    let configuration = try #require(build.range(of: "/.build/")).upperBound
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["CONFIGURATION": String(build[configuration...])]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func files(_ folder: URL) -> Set<String> {
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return Set(
      found.filter { name in
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
        return facts?[.type] as? FileAttributeType != .typeDirectory
      })
  }

  @Test func `what is installed has a timer that finishes photos, and is removed without a trace`() throws {
    try withTemporaryFolder { folder in
      let prefix = folder.appendingPathComponent("staged/usr"), units = "share/systemd/user"
      #expect(try run("install", prefix.path, "/usr 100%") == 0)
      let placed = files(prefix)
      #expect(
        placed.isSuperset(of: [
          "bin/obscura", "share/man/man1/obscura.1", "include/obscura_ring.h",
          "share/obscura/obscura_ring.py",
        ]))
      let service = try String(
        contentsOf: prefix.appendingPathComponent("\(units)/obscura-library.service"), encoding: .utf8)
      // A packager's folder is not where the command will be, and systemd reads a per cent sign as a specifier.
      #expect(service.contains("\nExecStart=\"/usr 100%%/bin/obscura\" library process\n"))
      let begun = prefix.appendingPathComponent("\(units)/timers.target.wants/obscura-library.timer")
      let timer = begun.resolvingSymlinksInPath().path
      #expect(
        timer.hasSuffix("\(units)/obscura-library.timer") && FileManager.default.fileExists(atPath: timer))
      let kept = prefix.appendingPathComponent("\(units)/other.timer")
      try Data().write(to: kept)
      #expect(try run("uninstall", prefix.path) == 0)
      #expect(files(prefix) == ["\(units)/other.timer"])
    }
  }

  @Test func `without a packager's folder the timer runs the command where it was placed`() throws {
    try withTemporaryFolder { folder in
      #expect(try run("install", folder.path) == 0)
      let service = try String(
        contentsOf: folder.appendingPathComponent("share/systemd/user/obscura-library.service"),
        encoding: .utf8)
      let command = "\(folder.path)/bin/obscura"
      #expect(service.contains("\nExecStart=\"\(command)\" library process\n"))
      #expect(FileManager.default.isExecutableFile(atPath: command))
    }
  }
}
