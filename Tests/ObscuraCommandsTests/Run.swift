import Foundation
import ObscuraCommands
import Testing

/// One command run as its users run it: in a process of its own, so that no other test has its devices.
struct Run {
  var exitCode: ExitCode?
  var output: Data
  var messages: [String]

  var text: String { String(decoding: output, as: UTF8.self) }

  /// The package's products lie beside the test bundle.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("obscura")

  init(_ words: String...) throws {
    try self.init(words)
  }

  /// - Parameters:
  ///   - shell: Redirections that a shell adds to the command: `>/dev/full`, or a pipe.
  ///   - before: What the shell does before.
  ///   - environment: Beside what this process has.
  init(
    _ words: [String], shell: String? = nil, before: String = ":", environment: [String: String] = [:],
    program: URL = Run.program
  ) throws {
    let process = Process()
    if let shell {
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", "set -o pipefail; \(before); \"$0\" \"$@\" \(shell)", program.path] + words
    } else {
      process.executableURL = program
      process.arguments = words
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files and not pipes: a photo on standard output is larger than a pipe holds.
    let names = ["output", "messages"].map { folder.appendingPathComponent($0) }
    let files = try names.map { url in
      try Data().write(to: url)
      return try FileHandle(forWritingTo: url)
    }
    process.standardOutput = files[0]
    process.standardError = files[1]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    exitCode = ExitCode(rawValue: process.terminationStatus)
    output = try Data(contentsOf: names[0])
    messages = String(decoding: try Data(contentsOf: names[1]), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  /// The answer's lines as JSON objects.
  func json() throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}
