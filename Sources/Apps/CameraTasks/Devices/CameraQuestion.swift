internal import FoundationExtras
package import Linux

/// The question of the desktop's to its user whether cameras may be used: asked once in a process.
///
/// A dialog that is closed without an answer leaves the matter open, and is not opened again. Thread-safe.
package final class CameraQuestion: Sendable {
  private enum State {
    case open, asked, answered
  }

  /// The one of this process.
  package static let shared = CameraQuestion()

  private let state = Monitor(State.open)

  /// One that was not asked.
  package init() {}

  /// Asks, unless that was done before, and blocks until there is an answer, or the moment has come.
  ///
  /// - Parameters:
  ///   - stop: Ends the wait, too.
  ///   - deadline: How long the answer is waited for; `nil` for ever.
  ///   - ask: Opens the dialog, and calls what it is given once it is closed, on any thread.
  /// - Throws: ``CameraTaskError/Code/stopped``.
  package func ask(
    stop: StopRequest, until deadline: MonotonicInstant?, _ ask: (@escaping @Sendable () -> Void) -> Void
  ) throws(CameraTaskError) {
    let isFirst = state.withLock { state in
      guard state == .open else { return false }
      state = .asked
      return true
    }
    if isFirst { ask { [state] in state.withLock { $0 = .answered } } }
    guard state.withLock({ $0 != .answered }) else { return }
    // The handler has no part in the answer: it has this look again.
    stop.whenRequested { [state] in state.withLock { $0 = $0 } }
    _ = state.wait(
      until: deadline, on: .current, for: { $0 == .answered || stop.isRequested }, then: { _ in })
    if stop.isRequested { throw CameraTaskError(.stopped, "") }
  }
}
