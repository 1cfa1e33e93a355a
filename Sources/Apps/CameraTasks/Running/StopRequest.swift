internal import FoundationExtras
package import Linux

/// A wish from outside that a task end early: a signal, or a button.
///
/// Stays requested. Thread-safe.
package final class StopRequest: Sendable {
  private struct State {
    var isRequested = false
    var handlers: [@Sendable () -> Void] = []
  }

  private let state = Monitor(State())

  /// Nothing is requested yet.
  package init() {}

  /// Whether the task is to end.
  package var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Blocks until the end is requested.
  package func wait() {
    _ = state.wait(for: { $0.isRequested }, then: { _ in })
  }

  /// Blocks until the end is requested, or until `moment`; whether it is requested.
  package func wait(until moment: MonotonicInstant) -> Bool {
    state.wait(until: moment, on: .current, for: { $0.isRequested }, then: { _ in true }) ?? false
  }

  /// Asks the task to end; calls the handlers on this thread, once.
  package func request() {
    let handlers = state.withLock { state in
      defer { state = State(isRequested: true) }
      return state.handlers
    }
    for handler in handlers { handler() }
  }

  /// Calls `handler` once when the end is requested, at once if it has been.
  package func whenRequested(_ handler: @escaping @Sendable () -> Void) {
    let isRequested = state.withLock { state in
      if !state.isRequested { state.handlers.append(handler) }
      return state.isRequested
    }
    if isRequested { handler() }
  }
}
