import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Testing

@Suite("Apple's maker note in image properties")
struct MakerAppleTests {
  private static let key = kCGImagePropertyMakerAppleDictionary
  private static let types = ["public.jpeg", "public.heic"]

  private func note(_ file: Data) throws -> [String: Any]? {
    try properties(file)[Self.key] as? [String: Any]
  }

  @Test(arguments: types)
  func `the name of a Live Photo goes into the file and comes back`(type: String) throws {
    let made = try file(quarters(64, 48), type, [Self.key: ["17": "A name", "20": 2, "8": 0.5]])
    let found = try #require(try note(made))
    #expect(found["17"] as? String == "A name")
    #expect(LooseNumber.integer(found["20"]) == 2 && LooseNumber.double(found["8"]) == 0.5)
    // The version, without which readers take it for no note.
    #expect(LooseNumber.integer(found["1"]) == 16)
  }

  @Test(arguments: types)
  func `a copy keeps the note, and changes what it is asked to`(type: String) throws {
    let made = try file(quarters(64, 48), type, [Self.key: ["17": "A name", "20": 2]])
    func copy(_ properties: CFDictionary?) throws -> Data {
      let source = try #require(CGImageSourceCreateWithData(made, nil))
      let target = NSMutableData()
      let destination = try #require(CGImageDestinationCreateWithData(target, type, 1, nil))
      CGImageDestinationAddImageFromSource(destination, source, 0, properties)
      try #require(CGImageDestinationFinalize(destination))
      return target as Data
    }
    #expect(try note(copy(nil))?["17"] as? String == "A name")
    let renamed = try #require(try note(copy([Self.key: ["17": "Another"]])))
    #expect(renamed["17"] as? String == "Another" && LooseNumber.integer(renamed["20"]) == 2)
    #expect(try note(copy([Self.key: NSNull()])) == nil)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/exiftool")), arguments: types)
  func `exiftool reads the name`(type: String) throws {
    let name = "5B1D2A0C-7E43-4C0E-9D6A-2F1E0B7A9C33"
    let made = try file(quarters(64, 48), type, [Self.key: ["17": name]])
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("note-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: path) }
    try made.write(to: path)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/exiftool")
    // Named so before version 12.65, and otherwise since.
    process.arguments = ["-s3", "-Apple:MediaGroupUUID", "-Apple:ContentIdentifier", path.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.contains(name))
  }
}
