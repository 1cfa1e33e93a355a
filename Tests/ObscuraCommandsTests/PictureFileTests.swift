import CameraTasks
import Foundation
import Testing

@Suite("File names of pictures")
struct PictureFileTests {
  private let noon = Date(timeIntervalSince1970: 1_767_355_200)  // 2026-01-02 12:00:00 UTC

  @Test(arguments: [
    ("a.jpg", "a.jpg"), ("IMG_%04d.jpg", "IMG_0007.jpg"), ("%02d-%Y.png", "07-2026.png"),
    ("100%%.jpg", "100%.jpg"),
    ("%%04d.jpg", "%04d.jpg"), ("%1d", "7"), ("%06d%06d", "000007000007"),
  ])
  func `numbers and times fill their places`(pattern: String, name: String) {
    #expect(FileNamePattern(pattern).name(number: 7, date: noon) == name)
  }

  @Test func `a bare d is strftime's day of the month and no number`() {
    #expect(!FileNamePattern("%d.jpg").hasNumber)
    #expect(FileNamePattern("%03d.jpg").hasNumber)
  }

  @Test func `a clash gets the next free number and loses nothing`() throws {
    try withTemporaryFolder { folder in
      let file = try PictureFile.named(
        folder.appendingPathComponent("a.jpg").path, overwrites: false, environment: [:])
      let first = try file.write(Data("one".utf8), date: noon)
      let second = try file.write(Data("two".utf8), date: noon)
      #expect(first.lastPathComponent == "a.jpg")
      #expect(second.lastPathComponent == "a-1.jpg")
      #expect(try Data(contentsOf: first) == Data("one".utf8))
      #expect(try Data(contentsOf: second) == Data("two".utf8))
    }
  }

  @Test func `a numbered pattern counts on from what is there`() throws {
    try withTemporaryFolder { folder in
      let file = try PictureFile.named(
        folder.appendingPathComponent("p%03d.jpg").path, overwrites: false, environment: [:])
      let names = try (0..<3).map { _ in try file.write(Data(), date: noon).lastPathComponent }
      #expect(names == ["p001.jpg", "p002.jpg", "p003.jpg"])
      #expect(try file.write(Data(), date: noon).lastPathComponent == "p004.jpg")
    }
  }

  @Test func `force overwrites`() throws {
    try withTemporaryFolder { folder in
      let file = try PictureFile.named(
        folder.appendingPathComponent("a.jpg").path, overwrites: true, environment: [:])
      _ = try file.write(Data("one".utf8), date: noon)
      // Another run; the pictures of one are kept beside each other.
      let later = try PictureFile.named(
        folder.appendingPathComponent("a.jpg").path, overwrites: true, environment: [:])
      let names = try ["two", "three"].map { try later.write(Data($0.utf8), date: noon).lastPathComponent }
      #expect(names == ["a.jpg", "a-1.jpg"])
      #expect(try Data(contentsOf: folder.appendingPathComponent("a.jpg")) == Data("two".utf8))
    }
  }

  @Test func `by force the target of a link gives way, and the link leads to the new file`() throws {
    try withTemporaryFolder { folder in
      let (target, link) = (folder.path + "/target.jpg", folder.path + "/link.jpg")
      try Data("one".utf8).write(to: URL(fileURLWithPath: target))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.jpg")
      let named = try file("link.jpg", folder, overwrites: true).write(Data("two".utf8), date: noon)
      #expect(named.lastPathComponent == "link.jpg")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.jpg")
      #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("two".utf8))
    }
  }

  private func file(_ name: String, _ folder: URL, overwrites: Bool = false) throws -> PictureFile {
    try .named("\(folder.path)/\(name)", overwrites: overwrites, environment: [:])
  }

  @Test func `later pictures have higher numbers, also where earlier ones were deleted`() throws {
    try withTemporaryFolder { folder in
      for name in ["p003.jpg", "p007.jpg", "p9.jpg", "p020.png", "p20260102.jpg", "q099.jpg"] {
        try Data().write(to: folder.appendingPathComponent(name))
      }
      #expect(try file("p%03d.jpg", folder).write(Data(), date: noon).lastPathComponent == "p008.jpg")
      for name in ["a.jpg", "a-4.jpg", "100%-2.jpg", "100%.jpg"] {
        try Data().write(to: folder.appendingPathComponent(name))
      }
      #expect(try file("a.jpg", folder).write(Data(), date: noon).lastPathComponent == "a-5.jpg")
      #expect(try file("100%%.jpg", folder).write(Data(), date: noon).lastPathComponent == "100%-3.jpg")
    }
  }

  @Test(arguments: [false, true])
  func `names of different seconds are not numbered, and those of one are`(overwrites: Bool) throws {
    try withTemporaryFolder { folder in
      let file = try file("p-%S.jpg", folder, overwrites: overwrites)
      let names = try [0, 1, 1, 2].map {
        try file.write(Data(), date: noon.addingTimeInterval($0)).lastPathComponent
      }
      #expect(names == ["p-00.jpg", "p-01.jpg", "p-01-1.jpg", "p-02.jpg"])
    }
  }

  @Test func `a place that was taken is no one else's, before there is a file`() throws {
    try withTemporaryFolder { folder in
      let first = try file("a%02d.mov", folder).takePlace(date: noon)
      #expect(first.url.lastPathComponent == "a01.mov" && !first.replaces)
      let second = try file("a%02d.mov", folder).takePlace(date: noon)
      #expect(second.url.lastPathComponent == "a02.mov")
      let forced = try file("a%02d.mov", folder, overwrites: true).takePlace(date: noon)
      #expect(forced.url.lastPathComponent == "a03.mov")
      withExtendedLifetime((first, second, forced)) {}
    }
  }

  @Test func `a place that is let go of is free, and leaves nothing`() throws {
    try withTemporaryFolder { folder in
      do { _ = try file("a.mov", folder).takePlace(date: noon) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
      #expect(try file("a.mov", folder).takePlace(date: noon).url.lastPathComponent == "a.mov")
    }
  }

  @Test func `by force a file gives way, but not one that is written at present`() throws {
    try withTemporaryFolder { folder in
      let path = "\(folder.path)/a.mov"
      try Data("old".utf8).write(to: URL(fileURLWithPath: path))
      let writer = open(path, O_RDWR)
      defer { close(writer) }
      #expect(try file("a.mov", folder, overwrites: true).takePlace(date: noon).replaces)
      #expect(flock(writer, LOCK_EX) == 0)
      let other = try file("a.mov", folder, overwrites: true).takePlace(date: noon)
      #expect(other.url.lastPathComponent == "a-1.mov" && !other.replaces)
    }
  }

  @Test func `a folder that cannot be made is one sentence and leaves nothing`() throws {
    try withTemporaryFolder { folder in
      let blocker = folder.appendingPathComponent("file")
      try Data().write(to: blocker)
      let file = try PictureFile.named(
        blocker.appendingPathComponent("a.jpg").path, overwrites: false, environment: [:])
      let error = #expect(throws: CameraTaskError.self) {
        try file.write(Data("x".utf8), date: noon)
      }
      #expect(error?.code == .badFile)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }
  }

  @Test(arguments: [
    (["OBSCURA_LIBRARY": "/l", "XDG_PICTURES_DIR": "/x", "HOME": "/h"], "/l"),
    (["OBSCURA_LIBRARY": "~", "HOME": "/h"], "/h"), (["HOME": "/h"], "/h/Pictures/Obscura"),
  ])
  func `the library's folder follows the environment`(environment: [String: String], path: String) {
    let file = PictureFile.inLibrary(fileExtension: "jpg", environment: environment)
    #expect(file.folder.path == path)
  }
}

/// Runs `body` with a new folder that is gone afterwards.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}
