internal import CaptureDevice
internal import Glibc
internal import Linux

/// Whether a stream runs, for whom, and who is inside its receiver: the part that streams of every medium share.
///
/// Keeps the promise of ``CaptureStream/stop()``: once it has returned, no event begins, and none is under way unless the
/// caller is inside it. Thread-safe.
final class Delivery: Sendable {
  private struct State {
    var run: UInt64 = 0
    var isRunning = false
    var receiver: Receiver?
    var deliveringThread: UInt = 0
    /// How deep the delivering thread is in receivers: a receiver may do what delivers again.
    var depth = 0

    mutating func enter(_ thread: UInt) {
      deliveringThread = thread
      depth += 1
    }

    mutating func leave() {
      depth -= 1
      if depth == 0 { deliveringThread = 0 }
    }
  }

  /// An object, because a closure in an optional gets a layer of code around it that each event would pass.
  private final class Receiver: Sendable {
    let take: @Sendable (StreamEvent) -> Void

    init(_ take: @escaping @Sendable (StreamEvent) -> Void) {
      self.take = take
    }
  }

  private let state = Monitor(State())

  /// How long an end waits for a receiver that is under way; a receiver may only enqueue, so this is for broken ones.
  private static let timeoutNanoseconds: Int64 = 900_000_000

  private static var thisThread: UInt { UInt(pthread_self()) }

  /// Whether a run is under way.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// The run that is under way.
  var run: UInt64? { state.withLock { $0.isRunning ? $0.run : nil } }

  /// Whether `run` is the one under way.
  func isCurrent(_ run: UInt64) -> Bool {
    state.withLock { $0.isRunning && $0.run == run }
  }

  /// Begins a run and returns its number, or `nil` when one is under way.
  func begin(_ receiver: @escaping @Sendable (StreamEvent) -> Void) -> UInt64? {
    state.withLock { state in
      guard !state.isRunning else { return nil }
      state.run += 1
      state.isRunning = true
      state.receiver = Receiver(receiver)
      return state.run
    }
  }

  /// Ends the run that is under way and waits for a receiver on another thread; `false` when there was none.
  @discardableResult
  func end() -> Bool {
    let (wasRunning, old) = state.withLock { state in
      defer {
        state.isRunning = false
        state.receiver = nil
      }
      return (state.isRunning, state.receiver)
    }
    withExtendedLifetime(old) {}
    let me = Self.thisThread
    _ = state.wait(
      until: MonotonicInstant.now.advanced(byNanoseconds: Self.timeoutNanoseconds),
      for: { $0.deliveringThread == 0 || $0.deliveringThread == me }, then: { _ in })
    return wasRunning
  }

  /// Hands `event` to the receiver of `run`; `false` when that run has ended.
  func deliver(_ event: StreamEvent, run: UInt64) -> Bool {
    let me = Self.thisThread
    // Two threads may have events at once: the reader, and the device's own that unplugs it.
    let receiver = state.wait(
      for: { $0.deliveringThread == 0 || $0.deliveringThread == me || !$0.isRunning || $0.run != run },
      then: { state -> Receiver? in
        guard state.isRunning, state.run == run else { return nil }
        state.enter(me)
        return state.receiver
      })
    guard let receiver = receiver ?? nil else { return false }
    HeldLocks.assertNone(in: "Delivery.deliver(_:run:)")
    receiver.take(event)
    return state.withLock { state in
      state.leave()
      return state.isRunning && state.run == run
    }
  }

  /// Runs `body` as if it were a receiver of `run`: for completions, which an end must wait for too.
  func perform(run: UInt64, _ body: () -> Void) -> Bool {
    let me = Self.thisThread
    let mayRun = state.wait(
      for: { $0.deliveringThread == 0 || $0.deliveringThread == me || !$0.isRunning || $0.run != run },
      then: { state -> Bool in
        guard state.isRunning, state.run == run else { return false }
        state.enter(me)
        return true
      })
    guard mayRun == true else { return false }
    HeldLocks.assertNone(in: "Delivery.perform(run:_:)")
    body()
    state.withLock { $0.leave() }
    return true
  }

  /// Ends the run that is under way with a last event; `false` when there was none.
  func fail(_ error: CaptureDeviceError) -> Bool {
    let me = Self.thisThread
    let receiver = state.wait(
      until: MonotonicInstant.now.advanced(byNanoseconds: Self.timeoutNanoseconds),
      for: { $0.deliveringThread == 0 || $0.deliveringThread == me || !$0.isRunning },
      then: { state -> Receiver? in
        guard state.isRunning else { return nil }
        state.isRunning = false
        state.enter(me)
        defer { state.receiver = nil }
        return state.receiver
      })
    guard let receiver = receiver ?? nil else { return false }
    HeldLocks.assertNone(in: "Delivery.fail(_:)")
    receiver.take(.failed(error))
    state.withLock { $0.leave() }
    return true
  }
}
