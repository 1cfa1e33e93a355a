internal import CameraTasks
internal import Dispatch
internal import Foundation

/// A command that is run for each finished file: `--then 'upload "$OBSCURA_FILE"'`.
///
/// By `/bin/sh`, one after the other, beside what goes on; the file's path is `$OBSCURA_FILE`, and `$1`. Thread-safe.
final class FollowingCommand: Sendable {
  private let command: String
  private let failures: Failures
  private let queue = DispatchQueue(label: "obscura.following-command")

  init(_ command: String, _ failures: Failures) {
    self.command = command
    self.failures = failures
  }

  /// Runs it for a file, once it has ended for those before.
  func run(for path: String) {
    queue.async { [command, failures] in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", command, "obscura", path]
      process.environment = ProcessInfo.processInfo.environment.merging(["OBSCURA_FILE": path]) { $1 }
      process.standardInput = FileHandle.nullDevice
      // Standard output is the answer's.
      process.standardOutput = FileHandle.standardError
      do {
        try process.run()
      } catch {
        return failures.report(CommandError(.otherFailure, "The command of --then cannot be run: \(error)."))
      }
      process.waitUntilExit()
      guard process.terminationReason == .exit, process.terminationStatus == 0 else {
        let how =
          process.terminationReason == .exit
          ? "ended with \(process.terminationStatus)" : "was ended by signal \(process.terminationStatus)"
        return failures.report(CommandError(.otherFailure, "The command of --then \(how) for \(path)."))
      }
    }
  }

  /// Does something once it has ended for all files so far.
  func afterwards(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Waits until it has ended for all files.
  func finish() { queue.sync {} }
}
