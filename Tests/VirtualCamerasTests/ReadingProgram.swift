import Foundation

/// Another program that reads a ring, and prints a line for each frame.
final class ReadingProgram {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var text = ""

  /// Starts it, by a name of the `PATH`.
  init(_ words: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
    process.standardOutput = output
    process.standardInput = input
    try process.run()
  }

  /// Has it read a line that is empty.
  func proceed() { input.fileHandleForWriting.write(Data("\n".utf8)) }

  /// Blocks until it has printed another line; `nil` when it ends before.
  func line() -> String? {
    while true {
      if let end = text.firstIndex(of: "\n") {
        defer { text = String(text[text.index(after: end)...]) }
        return String(text[..<end])
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      text += String(decoding: data, as: UTF8.self)
    }
  }

  /// Blocks until it has ended.
  func exitStatus() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Whether a program of this name is installed.
  static func isInstalled(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }
}
