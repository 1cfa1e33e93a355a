package import Dispatch
internal import Linux

/// A task that runs on a queue of its own, once for all requests that come while it is under way.
package final class CombinedTask: Sendable {
  private enum Phase { case idle, running, requested }

  private let phase = Locked(Phase.idle)
  private let queue: DispatchQueue
  private let body: @Sendable () -> Void

  /// - Parameter body: What is run, on a queue of this label.
  package init(label: String, qos: DispatchQoS, _ body: @escaping @Sendable () -> Void) {
    queue = DispatchQueue(label: label, qos: qos)
    self.body = body
  }

  /// Has the task run after this; from any thread.
  ///
  /// - Returns: Whether an earlier request still waits, which the same run serves.
  @discardableResult
  package func request() -> Bool {
    let before = phase.withLock { phase in
      defer { phase = phase == .idle ? .running : .requested }
      return phase
    }
    if before == .idle { queue.async { self.run() } }
    return before == .requested
  }

  private func run() {
    repeat {
      body()
    } while phase.withLock { phase in
      phase = phase == .requested ? .running : .idle
      return phase == .running
    }
  }
}
