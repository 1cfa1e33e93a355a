import Foundation
import Testing

@Suite("Documents")
struct DocumentTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `the README's example is the one that is built`() throws {
    #expect(try text("README.md").contains("```swift\n\(text("Examples/FirstPhoto/main.swift"))```"))
  }

  @Test(arguments: ["README.md", "README.ko.md"])
  func `a README is short and its links lead somewhere`(name: String) throws {
    let readme = try text(name)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    for part in readme.components(separatedBy: "](").dropFirst() {
      let target = String(part.prefix { $0 != ")" && $0 != "#" })
      guard !target.isEmpty, !target.hasPrefix("http") else { continue }
      #expect(
        FileManager.default.fileExists(atPath: root.appendingPathComponent(target).path), "\(name): \(target)"
      )
    }
  }
}
