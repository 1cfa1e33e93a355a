import Foundation
import FoundationExtras
import Glibc
import Testing

@Suite("Files that users name")
struct InputFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "input-\(UUID().uuidString)")

  private func withFolder(_ body: (String) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  @Test func `a pipe without a writer is refused at once`() throws {
    try withFolder { folder in
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      #expect(throws: FileReadError.pipe) { try InputFile("\(folder)/pipe") }
    }
  }

  @Test func `folders, devices and sockets are refused by name`() throws {
    #expect(throws: FileReadError.folder) { try InputFile("/tmp") }
    #expect(throws: FileReadError.device) { try InputFile("/dev/zero") }
    try withFolder { folder in
      #expect(mknod("\(folder)/socket", S_IFSOCK | 0o600, 0) == 0)
      #expect(throws: FileReadError.socket) { try InputFile("\(folder)/socket") }
    }
  }

  @Test func `what is missing or beyond the bound says so`() throws {
    let missing = #expect(throws: FileReadError.self) { try InputFile("/nowhere/file") }
    #expect(missing?.isMissing == true && missing?.description == "there is no such file")
    try withFolder { folder in
      let path = "\(folder)/sparse"
      try Data().write(to: URL(fileURLWithPath: path))
      #expect(truncate(path, 3 << 30) == 0)
      let error = #expect(throws: FileReadError.self) { try InputFile.contents(of: path, atMost: 16 << 20) }
      #expect(error?.description == "it has 3.0 GB and at most 16 MB are read")
    }
  }

  @Test func `the head and all of a file are read, up to the bound and no byte beyond`() throws {
    try withFolder { folder in
      let path = "\(folder)/file"
      let bytes = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
      try bytes.write(to: URL(fileURLWithPath: path))
      let file = try InputFile(path)
      #expect(try file.size == 10_000 && file.head(100) == bytes.prefix(100))
      #expect(try file.contents(atMost: 10_000) == bytes)
      #expect(throws: FileReadError.tooLarge(size: 10_000, bound: 9999)) { try file.contents(atMost: 9999) }
    }
  }

  @Test func `a file that grows after it was opened is still bounded`() throws {
    try withFolder { folder in
      let path = "\(folder)/file"
      try Data(count: 10).write(to: URL(fileURLWithPath: path))
      let file = try InputFile(path)
      #expect(truncate(path, 1 << 30) == 0)
      #expect(throws: FileReadError.tooLarge(size: nil, bound: 5000)) { try file.contents(atMost: 5000) }
    }
  }

  @Test func `a file without a size, such as those of proc, is read and bounded`() throws {
    let file = try InputFile("/proc/self/status")
    #expect(file.size == 0)
    #expect(try file.contents(atMost: 1 << 20).starts(with: "Name:".utf8))
    #expect(throws: FileReadError.tooLarge(size: nil, bound: 20)) { try file.contents(atMost: 20) }
  }

  @Test func `counts of bytes are written for people`() {
    let texts = [100, 2048, 16 << 20, 3 << 29, 3 << 30].map(ByteCount.text)
    #expect(texts == ["100 bytes", "2 KB", "16 MB", "1.5 GB", "3.0 GB"])
  }
}
