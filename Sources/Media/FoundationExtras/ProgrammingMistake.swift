internal import Foundation
internal import Linux

/// A call that the API forbids, for which Apple raises an exception.
///
/// The offending call has no effect. One line naming the rule and the call site goes to standard error; with
/// `OBSCURA_STRICT=1` in the environment the process traps with the same text instead.
public struct ProgrammingMistake: Sendable, Hashable, CustomStringConvertible {
  /// The rule that was broken: one sentence, what is wrong and what to do.
  public let rule: String
  /// The source file of the call, as `Module/File.swift`.
  public let file: String
  /// The line of the call.
  public let line: UInt

  /// What is logged.
  public var description: String {
    "Programming mistake at \(file):\(line): \(rule)"
  }

  /// Reports that the caller broke `rule`; returns unless strict mode traps.
  ///
  /// Thread-safe. Costs a write to standard error; never call it under a lock.
  ///
  /// - Parameter rule: One sentence: what was done wrong and what to do.
  public static func report(rule: String, file: String = #fileID, line: UInt = #line) {
    HeldLocks.assertNone(in: "ProgrammingMistake.report(rule:)")
    let mistake = ProgrammingMistake(rule: rule, file: file, line: line)
    if let collection {
      collection.withLock { $0.append(mistake) }
      return
    }
    if isStrict { fatalError(mistake.description) }
    StandardStreams.complain("obscura: \(mistake)\n")
  }

  /// Runs `body` and returns the mistakes it reported, in order, instead of logging or trapping.
  ///
  /// Collects what is reported on the calling thread, or in the calling task and its children; what `body` causes on
  /// other threads is reported as usual. For tests of misuse.
  package static func collect(_ body: () throws -> Void) rethrows -> [ProgrammingMistake] {
    let list = Locked<[ProgrammingMistake]>([])
    try $collection.withValue(list) { try body() }
    return list.withLock { $0 }
  }

  @TaskLocal private static var collection: Locked<[ProgrammingMistake]>?

  private static let isStrict = ProcessInfo.processInfo.environment["OBSCURA_STRICT"] == "1"
}
