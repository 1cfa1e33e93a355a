import Foundation
import ObscuraCommands
import Testing

/// A command that was started and goes on, for tests of signals.
final class Started {
  let process = Process()
  private let messages = Pipe()
  private let output = Pipe()
  private let guardian: DispatchWorkItem

  /// - Parameters:
  ///   - words: The words of the command line, with `-v` where ``waitForCamera()`` is used.
  ///   - environment: Beside what this process has.
  init(_ words: [String], environment: [String: String] = [:]) throws {
    process.executableURL = Run.program
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.arguments = words
    process.standardError = messages
    process.standardOutput = output
    // Ends a command that does not end, so that the test fails instead of waiting for ever.
    guardian = DispatchWorkItem { [process] in kill(process.processIdentifier, SIGKILL) }
    try process.run()
    DispatchQueue.global().asyncAfter(deadline: .now() + 40, execute: guardian)
  }

  /// Blocks until the command says that its camera runs.
  func waitForCamera() {
    wait(for: " runs.", in: messages)
  }

  /// Blocks until the command has said something.
  func waitForMessage(_ sentence: String) {
    wait(for: sentence, in: messages)
  }

  /// Blocks until the command has printed a line of its answer.
  func waitForAnswer() {
    wait(for: "\n", in: output)
  }

  private func wait(for word: String, in pipe: Pipe) {
    var text = ""
    while !text.contains(word) {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { return }
      text += String(decoding: data, as: UTF8.self)
    }
  }

  /// Reads no more of what the command prints.
  func hangUp() throws {
    try output.fileHandleForReading.close()
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Blocks until the command has ended; `nil` when a signal ended it.
  func exitCode() -> ExitCode? {
    process.waitUntilExit()
    guardian.cancel()
    return process.terminationReason == .exit ? ExitCode(rawValue: process.terminationStatus) : nil
  }
}

/// A scene that is quick to paint.
func withGreyScene<Result>(_ body: (_ devices: String, _ folder: URL) throws -> Result) throws -> Result {
  try withTemporaryFolder { place in
    let scene = place.appendingPathComponent("scene.json")
    try Data(#"{"version": 1, "lux": 250, "background": {"depth": 2.0}}"#.utf8).write(to: scene)
    let folder = place.appendingPathComponent("photos")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return try body("simulated:\(scene.path)", folder)
  }
}
