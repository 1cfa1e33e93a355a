internal import Foundation
internal import Linux

/// A call that the API forbids, for which Apple raises an exception.
///
/// The offending call has no effect. In a debug build the process stops with a line that names the rule and the client's call;
/// in a release build the line goes to standard error, and the program goes on. `OBSCURA_STRICT=1` in the environment stops
/// release builds too, `OBSCURA_STRICT=0` lets debug builds go on.
public struct ProgrammingMistake: Sendable, CustomStringConvertible {
  /// The rule that was broken: one sentence, what is wrong and what to do.
  public let rule: String
  /// The client's source file, by its path; this library's own, as `Module/File.swift`, where the client's is not known.
  ///
  /// Looked up when it is first asked for, which takes up to a second in a large program.
  public var file: String { stack?.client?.file ?? ownFile }
  /// The line of the client's call; looked up as ``file`` is.
  public var line: UInt { stack?.client?.line ?? ownLine }

  private let stack: CallStack?
  private let ownFile: String
  private let ownLine: UInt

  /// What is logged.
  public var description: String {
    "Programming mistake at \(file):\(line): \(rule)"
  }

  /// Reports that the caller broke `rule`; returns unless the process stops.
  ///
  /// Thread-safe. Costs a walk over the stack, looking it up at the first time, and a write to standard error; never call it
  /// under a lock.
  ///
  /// - Parameters:
  ///   - rule: One sentence: what was done wrong and what to do.
  ///   - file: What to name where the client's call is not known.
  ///   - line: The line in `file`.
  public static func report(rule: String, file: String = #fileID, line: UInt = #line) {
    HeldLocks.assertNone(in: "ProgrammingMistake.report(rule:)")
    let collection = collection
    let mistake = ProgrammingMistake(
      rule: rule, stack: collection?.notesCalls == false ? nil : .current(), ownFile: file, ownLine: line)
    let recordings = collection.map { [$0] } ?? recordings.present
    guard recordings.isEmpty else {
      for recording in recordings { recording.append(mistake) }
      return
    }
    StandardStreams.complain("obscura: \(mistake)\n")
    // Not `fatalError`, whose message names a file of this library.
    if isStrict { abort() }
  }

  // MARK: Recording

  /// Mistakes that were made while it lived.
  package final class Recording: Sendable {
    private let list = Locked<[ProgrammingMistake]>([])
    fileprivate let notesCalls: Bool

    package init(notesCalls: Bool = true) {
      self.notesCalls = notesCalls
    }

    /// The mistakes until now, in order.
    package var mistakes: [ProgrammingMistake] { list.withLock { $0 } }

    fileprivate func append(_ mistake: ProgrammingMistake) {
      list.withLock { $0.append(mistake) }
    }
  }

  /// Runs `body` and returns the mistakes it reported, in order, instead of logging or stopping.
  ///
  /// Collects what is reported on the calling thread, or in the calling task and its children; what `body` causes on
  /// other threads is reported as usual. For tests of misuse.
  ///
  /// - Parameter notesCalls: Whether the mistakes know the client's calls: noting the first one on a thread reads all symbols
  ///   of the program, some 100 MB of a large one, which stay until the thread ends.
  package static func collect(
    notesCalls: Bool = false, _ body: () throws -> Void
  ) rethrows -> [ProgrammingMistake] {
    let recording = Recording(notesCalls: notesCalls)
    try $collection.withValue(recording) { try body() }
    return recording.mistakes
  }

  /// Gives `recording` every mistake of the process as long as it is held, instead of logging or stopping.
  package static func record(into recording: Recording) {
    recordings.add(recording)
  }

  @TaskLocal private static var collection: Recording?
  private static let recordings = WeakObjects<Recording>()

  private static let isStrict: Bool = {
    switch ProcessInfo.processInfo.environment["OBSCURA_STRICT"] {
    case "1": return true
    case "0": return false
    default:
      #if DEBUG
        return true
      #else
        return false
      #endif
    }
  }()
}
