import Foundation
import Glibc
import Linux
import Testing

/// A folder of its own that goes away with the test.
private final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "obscura-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

@Suite("AtomicFile")
struct AtomicFileTests {
  @Test func `a new file holds the bytes and nothing else is left`() throws {
    let folder = try Folder()
    try AtomicFile.write([1, 2, 3], to: folder.path + "/a.bin")
    #expect(try folder.names == ["a.bin"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.bin")) == Data([1, 2, 3]))
  }

  @Test func `sequences without contiguous bytes are written, too`() throws {
    let folder = try Folder()
    try AtomicFile.write((0..<5).lazy.map { UInt8($0) }, to: folder.path + "/a.bin")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.bin")) == Data([0, 1, 2, 3, 4]))
  }

  @Test func `an existing file stays when it must not be replaced`() throws {
    let folder = try Folder()
    let path = folder.path + "/a.bin"
    try AtomicFile.write([1], to: path, replacing: false)
    let error = #expect(throws: SystemError.self) { try AtomicFile.write([2], to: path, replacing: false) }
    #expect(error?.reason == .alreadyExists)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
    #expect(try folder.names == ["a.bin"])
  }

  @Test func `of many writers of one new name exactly one wins`() throws {
    let folder = try Folder()
    let path = folder.path + "/a.bin"
    let winners = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      if (try? AtomicFile.write([UInt8(index)], to: path, replacing: false)) != nil {
        winners.withLock { $0 += 1 }
      }
    }
    #expect(winners.withLock { $0 } == 1)
    #expect(try folder.names == ["a.bin"])
  }

  @Test func `an existing file is replaced and keeps its permissions`() throws {
    let folder = try Folder()
    let path = folder.path + "/a.bin"
    try AtomicFile.write(Data(repeating: 7, count: 100), to: path)
    #expect(chmod(path, 0o640) == 0)
    try AtomicFile.write(Data([9]), to: path)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
    #expect(status.st_size == 1)
  }

  @Test func `a new file obeys the umask`() throws {
    let folder = try Folder()
    let path = folder.path + "/a.bin"
    try AtomicFile.write([1], to: path)
    // The plain way of making a file says what is right here.
    #expect(FileManager.default.createFile(atPath: folder.path + "/b.bin", contents: nil))
    let descriptor = open(folder.path + "/c.bin", O_CREAT | O_WRONLY, 0o666)
    close(descriptor)
    var ours = stat()
    var plain = stat()
    #expect(stat(path, &ours) == 0)
    #expect(stat(folder.path + "/c.bin", &plain) == 0)
    #expect(ours.st_mode == plain.st_mode)
  }

  @Test func `a missing folder is reported as not found`() throws {
    let folder = try Folder()
    let error = #expect(throws: SystemError.self) {
      try AtomicFile.write([1], to: folder.path + "/none/a.bin")
    }
    #expect(error?.reason == .notFound)
    #expect(error?.description == "Cannot write \(folder.path)/none/a.bin: it does not exist.")
  }

  @Test func `a folder's own path is reported as a bad name`() throws {
    let folder = try Folder()
    let error = #expect(throws: SystemError.self) { try AtomicFile.write([1], to: folder.path) }
    #expect(error?.reason == .invalidName)
    #expect(try folder.names.isEmpty)
  }

  @Test func `a name that is too long is reported as a bad name`() throws {
    let folder = try Folder()
    let name = String(repeating: "x", count: 300)
    let error = #expect(throws: SystemError.self) { try AtomicFile.write([1], to: folder.path + "/" + name) }
    #expect(error?.reason == .invalidName)
  }

  @Test func `a full disk is reported and leaves a device a device`() throws {
    let error = #expect(throws: SystemError.self) { try AtomicFile.write([1], to: "/dev/full") }
    #expect(error?.reason == .diskFull)
    try AtomicFile.write([1, 2, 3], to: "/dev/null", replacing: false)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func `a pipe gets the bytes`() throws {
    let folder = try Folder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try AtomicFile.write([1, 2, 3], to: path)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(reader, &bytes, 8) == 3)
    #expect(bytes.prefix(3) == [1, 2, 3])
    #expect(try folder.names == ["pipe"])
  }

  @Test func `a link keeps leading to the file`() throws {
    let folder = try Folder()
    try AtomicFile.write([1], to: folder.path + "/a.bin")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: "a.bin")
    try AtomicFile.write([2, 3], to: folder.path + "/link")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.bin")) == Data([2, 3]))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") == "a.bin")
    #expect(try folder.names == ["a.bin", "link"])
  }

  /// A file size limit stands in for a full disk: the write breaks off in the middle.
  @Test func `a write that breaks off leaves the old file and no half-written one`() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      let path = folder.path + "/a.bin"
      try AtomicFile.write([1, 2, 3], to: path)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #expect(throws: (any Error).self) {
        try AtomicFile.write(Data(repeating: 5, count: 10_000), to: path)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
      #expect(try folder.names == ["a.bin"])
    }
  }
}

extension AtomicFileTests {
  private static let leftover = ".obscura-0123456789abcdef.part"

  @Test func `what a killed process left is removed by the next process that writes there`() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      try Data([1]).write(to: URL(fileURLWithPath: "\(folder.path)/.obscura-0123456789abcdef.part"))
      try Data([1]).write(to: URL(fileURLWithPath: "\(folder.path)/.obscura-notes"))
      try AtomicFile.write([2], to: folder.path + "/a.bin")
      #expect(try folder.names == [".obscura-notes", "a.bin"])
    }
  }

  @Test func `what a living process writes is not swept away`() throws {
    let folder = try Folder()
    let file = try UnfinishedFile(in: folder.path + "/", mode: 0o666, hasName: true, "write")
    try file.write([1, 2])
    UnfinishedFile.sweep(folder.path + "/")
    #expect(try folder.names.count == 1)
    try file.keep(asNew: folder.path + "/a.bin")
    #expect(try folder.names == ["a.bin"])
  }

  @Test func `a pipe of that name is no leftover`() throws {
    let folder = try Folder()
    #expect(mkfifo("\(folder.path)/\(Self.leftover)", 0o600) == 0)
    UnfinishedFile.sweep(folder.path + "/")
    #expect(try folder.names == [Self.leftover])
  }

  @Test(arguments: [false, true])
  func `a file is not to be seen under its name before it is kept`(hasName: Bool) throws {
    let folder = try Folder()
    let file = try UnfinishedFile(in: folder.path + "/", mode: 0o666, hasName: hasName, "write")
    try file.write([1, 2, 3])
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/a.bin"))
    try file.keep(asNew: folder.path + "/a.bin")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.bin")) == Data([1, 2, 3]))
    #expect(try folder.names == ["a.bin"])
  }

  @Test(arguments: [false, true])
  func `an unfinished file that is let go leaves nothing`(hasName: Bool) throws {
    let folder = try Folder()
    try UnfinishedFile(in: folder.path + "/", mode: 0o666, hasName: hasName, "write").write([1])
    #expect(try folder.names.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a taken name can be followed by another one`(hasName: Bool) throws {
    let folder = try Folder()
    try AtomicFile.write([1], to: folder.path + "/a.bin")
    let file = try UnfinishedFile(in: folder.path + "/", mode: 0o666, hasName: hasName, "write")
    try file.write([2])
    let error = #expect(throws: SystemError.self) { try file.keep(asNew: folder.path + "/a.bin") }
    #expect(error?.reason == .alreadyExists)
    try file.keep(asNew: folder.path + "/b.bin")
    #expect(try folder.names == ["a.bin", "b.bin"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a.bin")) == Data([1]))
  }

  @Test func `of names the first free one is taken, and many writers lose nothing`() throws {
    let folder = try Folder()
    let names = (0..<40).map { "\(folder.path)/p\($0).bin" }
    let taken = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      if let name = try? AtomicFile.write([UInt8(index)], toFirstFreeOf: names) {
        taken.withLock { $0.append(name) }
      }
    }
    #expect(Set(taken.withLock { $0 }) == Set(names.prefix(16)))
    let bytes = try names.prefix(16).map { try Data(contentsOf: URL(fileURLWithPath: $0)).first }
    #expect(Set(bytes) == Set((0..<16).map { UInt8($0) }))
    #expect(try AtomicFile.write([0], toFirstFreeOf: names.prefix(16)) == nil)
  }

  @Test func `a pipe without a reader fails at once`() throws {
    let folder = try Folder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: SystemError.self) { try AtomicFile.write([1], to: path) }
    #expect(error?.reason == .readerGone)
  }
}

@Suite("SystemError")
struct SystemErrorTests {
  @Test(arguments: [
    (ENOSPC, SystemError.Reason.diskFull), (EDQUOT, .diskFull), (EACCES, .permissionDenied),
    (EPERM, .permissionDenied), (EROFS, .permissionDenied), (ENOENT, .notFound), (ENODEV, .deviceGone),
    (ENXIO, .deviceGone), (EBUSY, .busy), (ENOMEM, .outOfMemory), (ETIMEDOUT, .timedOut),
    (ENAMETOOLONG, .invalidName), (EIO, .other),
  ])
  func `each errno has its reason and one sentence`(errno: Int32, reason: SystemError.Reason) {
    let error = SystemError("write a.jpg", errno: errno)
    #expect(error.reason == reason)
    #expect(error.description.hasPrefix("Cannot write a.jpg: "))
    #expect(error.description.hasSuffix("."))
    #expect(error.description.filter { $0 == "\n" }.isEmpty)
  }

  @Test func `a full disk and a read-only one are distinguished`() {
    #expect(SystemError("write a", errno: ENOSPC).description.contains("full"))
    #expect(SystemError("write a", errno: EROFS).description.contains("read-only"))
  }
}
