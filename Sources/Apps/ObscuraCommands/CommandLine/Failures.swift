internal import Linux

/// The failures of a command that goes on after one: each is said at once, and the exit code is the first one's.
///
/// A sentence that was said is not repeated: what ends a session ends all that was under way in it. Thread-safe.
final class Failures: Sendable {
  private let terminal: Terminal
  private let said = Locked<[CommandError]>([])

  init(_ terminal: Terminal) {
    self.terminal = terminal
  }

  /// Says why something failed.
  func report(_ error: any Error) {
    let error = CommandError(error)
    let isNew = said.withLock { said in
      guard !said.contains(error) else { return false }
      said.append(error)
      return true
    }
    if isNew { _ = terminal.report(error) }
  }

  /// What `work` gives; `nil` where it fails, which is said.
  @discardableResult
  func attempt<Value>(_ work: () throws -> Value) -> Value? {
    do {
      return try work()
    } catch {
      report(error)
      return nil
    }
  }

  /// The exit code of what failed first; `nil` while nothing has.
  var exitCode: ExitCode? { said.withLock { $0.first?.exitCode } }

  /// - Throws: the exit code of what failed first, whose sentence was said.
  func check() throws(CommandError) {
    if let exitCode { throw CommandError(silent: exitCode) }
  }
}
