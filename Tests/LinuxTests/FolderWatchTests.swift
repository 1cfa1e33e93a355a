import Foundation
import Linux
import Testing

@Suite("Folders that are watched")
struct FolderWatchTests {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent(
    "watched-\(UUID().uuidString)")

  /// The number of calls of `changed` after `change`, at most half a minute later.
  private func count(of places: [FolderWatch.Place], _ change: () throws -> Void) throws -> Int {
    let calls = Monitor(0)
    let watch = try FolderWatch(places) { calls.withLock { $0 += 1 } }
    try change()
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    let count = calls.wait(until: deadline, for: { $0 > 0 }, then: { $0 }) ?? 0
    withExtendedLifetime(watch) {}
    return count
  }

  private func makeFile(_ name: String) throws {
    try Data().write(to: root.appendingPathComponent(name))
  }

  @Test func `a burst of names that matter is reported once`() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    let calls = try count(of: [.init(root.path, prefix: "pcm")]) {
      for name in ["other", "pcmC0D0c", "pcmC0D1c"] { try makeFile(name) }
    }
    #expect(calls == 1)
  }

  @Test func `a folder that comes later is watched from then on`() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    let calls = Monitor(0)
    let watch = try FolderWatch([
      .init(root.path, prefix: "snd"), .init(root.path + "/snd", prefix: "pcm"),
    ]) { calls.withLock { $0 += 1 } }
    func wait(for count: Int) -> Bool {
      calls.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 >= count }, then: { _ in })
        != nil
    }
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("snd"), withIntermediateDirectories: false)
    #expect(wait(for: 1))
    try makeFile("snd/pcmC0D0c")
    #expect(wait(for: 2))
    withExtendedLifetime(watch) {}
  }

  @Test func `nothing to watch is an error`() {
    #expect(throws: SystemError.self) {
      _ = try FolderWatch([.init("/nowhere/at/all", prefix: "")]) {}
    }
  }
}
