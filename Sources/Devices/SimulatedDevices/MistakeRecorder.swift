public import FoundationExtras

/// The programming mistakes of a test: calls that the API forbids, which stop a debug build otherwise.
///
/// ```swift
/// let recorder = MistakeRecorder()
/// camera.start()
/// #expect(recorder.mistakes.isEmpty)
/// ```
///
/// While one lives, mistakes on any thread are recorded, and nothing is logged or stopped. Tests that run side by side see each
/// other's: make them `.serialized`, or use ``mistakes(_:)`` where all happens on one thread. Thread-safe.
public final class MistakeRecorder: Sendable {
  private let recording = ProgrammingMistake.Recording()

  /// Records from now on, until the last reference goes.
  public init() {
    ProgrammingMistake.record(into: recording)
  }

  /// The mistakes until now, in order.
  public var mistakes: [ProgrammingMistake] { recording.mistakes }

  /// Runs `body` and returns the mistakes that it made on the calling thread, or in the calling task, in order.
  public static func mistakes(_ body: () throws -> Void) rethrows -> [ProgrammingMistake] {
    try ProgrammingMistake.collect(notesCalls: true, body)
  }
}
