internal import CaptureDevice
internal import Linux

/// Calls a function at the moments that the function itself names, on a simulated clock.
///
/// On the real clock a thread of the ticker's own calls it; on a manual clock the thread that advances the clock does. The moments are
/// absolute, so a late call does not delay the later ones. Thread-safe.
final class Ticker: Sendable {
  private let clock: SimulatedClock
  private let tick: @Sendable () -> MonotonicInstant?
  private let state = Monitor(State())

  private struct State {
    var isCancelled = false
    /// The moment of the call that is due next or under way, on the real clock; `nil` on a manual one.
    var due: MonotonicInstant?
  }

  /// Begins ticking.
  ///
  /// - Parameters:
  ///   - name: What the thread is called in `ps -L`; at most 15 bytes.
  ///   - clock: The clock of the moments.
  ///   - first: When to call first.
  ///   - tick: Returns when it wants to be called again, or `nil` for never.
  /// - Throws: `outOfMemory` when the process may have no more threads.
  init(
    name: String, clock: SimulatedClock, first: MonotonicInstant,
    tick: @escaping @Sendable () -> MonotonicInstant?
  ) throws(CaptureDeviceError) {
    self.clock = clock
    self.tick = tick
    guard !clock.isManual else {
      schedule(at: first)
      return
    }
    // A thread that the machine lets wait is late, too.
    state.withLock { $0.due = first }
    do {
      _ = try ReaderThread(name: name) { [self] in run(from: first) }
    } catch {
      throw CaptureDeviceError(.outOfMemory, "No thread could be started for a simulated device: \(error)")
    }
  }

  /// Whether a call is late, or under way, for longer than half a second: the machine is too busy.
  ///
  /// Never on a manual clock, which waits.
  var isBehind: Bool {
    guard let due = state.withLock({ $0.due }) else { return false }
    return MonotonicInstant.now.nanoseconds - due.nanoseconds > 500_000_000
  }

  /// Ends ticking: no call begins after this one; a call that is under way goes on.
  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  private func run(from first: MonotonicInstant) {
    var next: MonotonicInstant? = first
    while let moment = next {
      state.withLock { $0.due = moment }
      if state.wait(until: moment, for: { $0.isCancelled }, then: { _ in true }) == true { return }
      next = tick()
    }
  }

  private func schedule(at time: MonotonicInstant) {
    clock.schedule(at: time) { [self] in
      if state.withLock({ $0.isCancelled }) { return }
      if let next = tick() { schedule(at: next) }
    }
  }
}
