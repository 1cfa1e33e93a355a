import Foundation
import Testing

@Suite("Documents")
struct DocumentTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test(arguments: [
    ("README.md", "Examples/FirstTest/Package.swift"),
    ("README.md", "Examples/FirstTest/Tests/CameraTests/CameraTests.swift"),
    ("Documentation/TestingYourApp.md", "Examples/TestingYourApp/Package.swift"),
    ("Documentation/TestingYourApp.md", "Examples/TestingYourApp/.github/workflows/test.yml"),
    ("Documentation/TestingYourApp.md", "Examples/TestingYourApp/Dockerfile"),
  ])
  func `what a page shows is what is built`(page: String, example: String) throws {
    #expect(try text(page).contains("\n\(text(example))```"))
  }

  @Test(arguments: [
    ("Documentation/TestingYourApp.md", "Examples/TestingYourApp/Tests/ScannerTests/ScannerTests.swift"),
    ("Documentation/Obscura.docc/CustomCamera.md", "Examples/CustomCamera/CustomCamera.swift"),
    ("Documentation/Obscura.docc/ResponsiveCamera.md", "Examples/ResponsiveCamera/main.swift"),
    ("Documentation/Obscura.docc/DeferredPhotos.md", "Examples/ResponsiveCamera/main.swift"),
    ("Documentation/Obscura.docc/QRScanning.md", "Examples/QRGate/QRGate.swift"),
    ("Documentation/Obscura.docc/SynchronizedOutputs.md", "Examples/RobotEye/RobotEye.swift"),
    ("Documentation/Obscura.docc/TrueDepthStreaming.md", "Examples/DepthStreaming/main.swift"),
  ])
  func `each line of code on a page is a line of a program that is built`(page: String, example: String)
    throws
  {
    func lines(_ text: some StringProtocol) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let built = try Set(lines(text(example)))
    let recipes = try text(page).components(separatedBy: "## Recipes").last ?? ""
    let blocks = recipes.components(separatedBy: "```swift\n").dropFirst()
    #expect(!blocks.isEmpty)
    for line in blocks.flatMap({ lines($0.components(separatedBy: "```")[0]) }) {
      #expect(built.contains(line), "\(line)")
    }
  }

  @Test(arguments: [
    "README.md", "Examples/TestingYourApp/Dockerfile", "Examples/TestingYourApp/.github/workflows/test.yml",
  ])
  func `what must be installed is what the build needs`(page: String) throws {
    // Not what the project's own tests need.
    var packages: [Substring] = []
    var isForTests = false
    for line in try text("scripts/packages.txt").split(separator: "\n") {
      if line.hasPrefix("#") { isForTests = line.hasPrefix("# The tests") }
      if !isForTests, line.hasPrefix("lib"), line.hasSuffix("-dev") { packages.append(line) }
    }
    #expect(packages.count > 10)
    let page = try text(page)
    #expect(packages.allSatisfy { page.contains($0) })
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
