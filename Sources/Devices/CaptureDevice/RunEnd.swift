internal import Glibc
package import Linux

/// The end of one run of a stream, and who may still tell something until then.
///
/// All calls that may hang in a driver are made on the run's reader thread. Whoever stops waits for the thread for a while and
/// then leaves it behind: it finds the run over and tells nobody anything any more. Thread-safe.
package final class RunEnd: Sendable {
  /// How long a stop waits for the driver.
  package static let timeoutNanoseconds: Int64 = 800_000_000

  private struct State {
    var isStopping = false
    var isOver = false
    var deliveringThread: UInt = 0
  }

  /// Wakes the reader thread.
  package let wake: WakeUp
  private let state = Monitor(State())

  /// The end of a run that has not begun.
  package init(wake: WakeUp) {
    self.wake = wake
  }

  /// A number for the calling thread, unlike that of every other living thread.
  private static var currentThread: UInt { UInt(pthread_self()) }

  /// Whether no event may come any more.
  package var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Whether the reader thread has ended.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether the calling thread is inside what ``deliver(_:)`` calls.
  package var isDeliveringHere: Bool { state.withLock { $0.deliveringThread == Self.currentThread } }

  /// Says that the run shall end; does not wait.
  package func cancel() {
    state.withLock { $0.isStopping = true }
    wake.signal()
  }

  /// Ends the run, and waits until the driver has stopped or the timeout has passed; false when it hangs.
  ///
  /// From inside of ``deliver(_:)`` it only says so: the end comes when that has returned.
  package func stop() -> Bool {
    cancel()
    if isDeliveringHere { return true }
    let limit = MonotonicInstant.now.advanced(byNanoseconds: Self.timeoutNanoseconds)
    return state.wait(until: limit, for: { $0.isOver }, then: { _ in true }) ?? false
  }

  /// Waits for the end of the reader thread, however long its driver hangs.
  package func waitUntilOver() {
    _ = state.wait(for: { $0.isOver }, then: { _ in })
  }

  /// Calls `body` unless the run is being stopped; false then.
  package func deliver(_ body: () -> Void) -> Bool {
    deliver(body, isLast: false)
  }

  /// Ends the run from inside, with `body` for its last news, unless it is being stopped already; false then.
  @discardableResult
  package func deliverLast(_ body: () -> Void) -> Bool {
    deliver(body, isLast: true)
  }

  private func deliver(_ body: () -> Void, isLast: Bool) -> Bool {
    let mayTell = state.withLock { state in
      if state.isStopping { return false }
      state.isStopping = isLast
      state.deliveringThread = Self.currentThread
      return true
    }
    guard mayTell else { return false }
    HeldLocks.assertNone(in: "RunEnd.deliver(_:)")
    body()
    state.withLock { $0.deliveringThread = 0 }
    return true
  }

  /// Marks the end: the reader thread touches nothing any more.
  package func finish() {
    state.withLock { $0.isOver = true }
  }
}
