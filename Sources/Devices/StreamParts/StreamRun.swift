package import CaptureDevice
internal import Glibc
package import Linux

/// One run of a stream, from its start to its end: keeps the promise of ``CaptureStream/stop()`` for every backend.
///
/// Once ``stop()`` has returned no event begins, and none is under way unless the caller is inside it. Events come one at a
/// time, from whatever thread, and `.failed` is the last. A driver that may hang is called on one reader thread alone, which
/// ends with ``finish()``: a stop waits for that thread up to a limit and then leaves it behind. Thread-safe.
package final class StreamRun: Sendable {
  /// The handler of a stream's events.
  package typealias Receiver = @Sendable (StreamEvent) -> Void

  /// The time that a stop waits for the driver, and for a receiver on another thread.
  package static let timeoutNanoseconds: Int64 = 800_000_000

  private struct State {
    var isStopping = false
    /// Whether a reader thread may still be inside the driver.
    var isReading: Bool
    /// Released when the run is over: it may hold its own stream, which would then never be closed.
    var receiver: Receiver?
    var deliveringThread: UInt = 0
    /// The depth of receivers that the delivering thread is in: a receiver may cause another delivery.
    var depth = 0

    var isOver: Bool { isStopping && !isReading && depth == 0 }

    mutating func takeReceiverAtEnd() -> Receiver? {
      guard isOver else { return nil }
      defer { receiver = nil }
      return receiver
    }
  }

  /// Wakes the reader thread; `nil` for a run without one.
  package let wake: WakeUp?
  private let state: Monitor<State>

  /// A run that begins now; one with a `wake` has a reader thread, which calls ``finish()``.
  package init(wake: WakeUp? = nil, receiver: @escaping Receiver) {
    self.wake = wake
    state = Monitor(State(isReading: wake != nil, receiver: receiver))
  }

  /// A number for the calling thread, unlike that of every other living thread.
  private static var currentThread: UInt { UInt(pthread_self()) }

  /// Whether no event may come any more.
  package var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Whether nothing of the run is under way any more.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether the calling thread is inside an event or a completion of the run.
  package var isDeliveringHere: Bool {
    state.withLock { $0.depth > 0 && $0.deliveringThread == Self.currentThread }
  }

  // MARK: Ending

  /// Ends the run without waiting; false when it was ended before.
  @discardableResult
  package func cancel() -> Bool {
    let (wasRunning, released) = state.withLock { state in
      let wasRunning = !state.isStopping
      state.isStopping = true
      return (wasRunning, state.takeReceiverAtEnd())
    }
    withExtendedLifetime(released) {}
    wake?.signal()
    return wasRunning
  }

  /// Ends the run, and waits until nothing of it is under way or the timeout has passed; false when something hangs.
  ///
  /// Inside an event it does not wait: the end comes when the event's receiver has returned.
  @discardableResult
  package func stop() -> Bool {
    cancel()
    let thread = Self.currentThread
    return state.wait(
      until: HangLimit(nanoseconds: Self.timeoutNanoseconds).deadline,
      for: { $0.isOver || ($0.depth > 0 && $0.deliveringThread == thread) }, then: { _ in true }) ?? false
  }

  /// Waits until nothing of the run is under way, however long its driver hangs.
  package func waitUntilOver() {
    _ = state.wait(for: { $0.isOver }, then: { _ in })
  }

  /// Called last by the reader thread, which touches nothing of the run afterwards.
  package func finish() {
    let released = state.withLock { state in
      state.isStopping = true
      state.isReading = false
      return state.takeReceiverAtEnd()
    }
    withExtendedLifetime(released) {}
  }

  // MARK: Events

  /// Hands over an event; false when the run is being stopped.
  @discardableResult
  package func deliver(_ event: StreamEvent) -> Bool {
    call(isLast: false) { $0(event) }
  }

  /// Calls `body` as if it were an event, for completions, which a stop waits for too; false when the run is being stopped.
  @discardableResult
  package func perform(_ body: () -> Void) -> Bool {
    call(isLast: false) { _ in body() }
  }

  /// Ends the run with its last event, after `first`; false when it is being stopped already.
  @discardableResult
  package func fail(_ error: CaptureDeviceError, first: () -> Void = {}) -> Bool {
    call(isLast: true) { receiver in
      first()
      receiver(.failed(error))
    }
  }

  private func call(isLast: Bool, _ body: (Receiver) -> Void) -> Bool {
    HeldLocks.assertNone(in: "StreamRun.call(isLast:_:)")
    // The receiver is released before the call counts as over, so that the end of its stream knows that it is inside.
    if let receiver = enter(isLast: isLast) { body(receiver) } else { return false }
    let released = state.withLock { state in
      state.depth -= 1
      return state.takeReceiverAtEnd()
    }
    withExtendedLifetime(released) {}
    return true
  }

  private func enter(isLast: Bool) -> Receiver? {
    let thread = Self.currentThread
    // Two threads may have events at once, a reader and an unplugging. The last event does not wait for a receiver that hangs.
    let limit = isLast ? HangLimit(nanoseconds: Self.timeoutNanoseconds) : nil
    let receiver = state.wait(
      until: limit?.deadline, for: { $0.depth == 0 || $0.deliveringThread == thread || $0.isStopping },
      then: { state -> Receiver? in
        guard !state.isStopping else { return nil }
        state.isStopping = isLast
        state.deliveringThread = thread
        state.depth += 1
        return state.receiver
      })
    return receiver ?? nil
  }
}
