internal import Linux

/// The events after which a condition may have come true: what observes them notes each, and a test waits.
///
/// ```swift
/// let changes = Changes()
/// let observation = session.observe(\.isRunning) { _, _ in changes.note() }
/// #expect(changes.wait { !session.isRunning })
/// ```
///
/// Thread-safe.
package final class Changes: Sendable {
  private let count = Monitor(0)

  package init() {}

  /// Notes an event, which wakes the test to look again.
  package func note() { count.withLock { $0 += 1 } }

  /// Blocks until `isTrue`, asking at first and after each event; false when half a minute brings none that makes it so.
  package func wait(until isTrue: () throws -> Bool) rethrows -> Bool {
    while true {
      let seen = count.now
      if try isTrue() { return true }
      guard count.wait({ $0 > seen }) else { return false }
    }
  }
}
