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
      let first = try file.write(Data("one".utf8), index: 0, date: noon)
      let second = try file.write(Data("two".utf8), index: 0, date: noon)
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
      let names = try (0..<3).map { try file.write(Data(), index: $0, date: noon).lastPathComponent }
      #expect(names == ["p001.jpg", "p002.jpg", "p003.jpg"])
      #expect(try file.write(Data(), index: 0, date: noon).lastPathComponent == "p004.jpg")
    }
  }

  @Test func `force overwrites`() throws {
    try withTemporaryFolder { folder in
      let file = try PictureFile.named(
        folder.appendingPathComponent("a.jpg").path, overwrites: true, environment: [:])
      _ = try file.write(Data("one".utf8), index: 0, date: noon)
      let second = try file.write(Data("two".utf8), index: 0, date: noon)
      #expect(second.lastPathComponent == "a.jpg")
      #expect(try Data(contentsOf: second) == Data("two".utf8))
    }
  }

  @Test func `a folder that cannot be made is one sentence and leaves nothing`() throws {
    try withTemporaryFolder { folder in
      let blocker = folder.appendingPathComponent("file")
      try Data().write(to: blocker)
      let file = try PictureFile.named(
        blocker.appendingPathComponent("a.jpg").path, overwrites: false, environment: [:])
      let error = #expect(throws: CameraTaskError.self) {
        try file.write(Data("x".utf8), index: 0, date: noon)
      }
      #expect(error?.code == .badFile)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }
  }

  @Test(arguments: [
    (["OBSCURA_LIBRARY": "/l", "XDG_PICTURES_DIR": "/x", "HOME": "/h"], "/l"),
    (["XDG_PICTURES_DIR": "/x", "HOME": "/h"], "/x/Obscura"), (["HOME": "/h"], "/h/Pictures/Obscura"),
  ])
  func `the library's folder follows the environment`(environment: [String: String], path: String) {
    #expect(PictureFile.libraryFolder(environment).path == path)
  }
}

/// Runs `body` with a new folder that is gone afterwards.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}
