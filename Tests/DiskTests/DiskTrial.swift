import Foundation
import SimulatedDevices
import Testing

/// What a child process did on a disk that failed.
struct DiskOutcome {
  let lines: [String]
  /// The exit status; `nil` when a signal ended the process.
  let status: Int32?

  /// Whether it ended where the disk made it.
  var died: Bool { status == SimulatedDisk.exitStatus }
  var calls: [String] { words("calls").first?.split(separator: " ").map(String.init) ?? [] }
  var bytes: Int { words("bytes").first.flatMap { Int($0) } ?? 0 }

  /// What follows a word at the beginning of lines.
  func words(_ word: String) -> [String] {
    lines.filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
  }

  func says(_ word: String) -> Bool { lines.contains { $0 == word || $0.hasPrefix(word + " ") } }
}

/// A folder in which a child works on a disk that fails, and another looks at what is left.
final class DiskTrial: Sendable {
  let folder: URL

  private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("DiskWorker")

  /// A new folder, or a copy of one.
  init(copying other: DiskTrial? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID().uuidString)")
    if let other {
      try FileManager.default.copyItem(at: other.folder, to: folder)
    } else {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Lets a child do `operation`.
  func run(_ operation: String, _ words: [String] = [], fault: DiskFault? = nil) throws -> DiskOutcome {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = [operation, folder.path] + words
    var environment = ProcessInfo.processInfo.environment
    environment["OBSCURA_DISK_FAULT"] = fault?.text
    environment["OBSCURA_DEVICES"] = operation == "command" ? "quick" : "simulated"
    environment["OBSCURA_LIBRARY"] = "\(folder.path)/library"
    // What lies there when a program ends was promised to none.
    let temporary = folder.appendingPathComponent(".temporary")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    environment["TMPDIR"] = temporary.path
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let isExit = process.terminationReason == .exit
    return DiskOutcome(
      lines: text.split(separator: "\n").map(String.init), status: isExit ? process.terminationStatus : nil)
  }
}
