internal import CaptureDevice
internal import Linux

/// Calls a function at the moments that the function itself names, on a simulated clock.
///
/// On the real clock a thread sleeps until each moment; on a manual clock the thread that advances it calls. The
/// moments are absolute, so a late call does not push the later ones. Thread-safe.
final class Ticker: Sendable {
  private struct State {
    var isCancelled = false
  }

  private let clock: SimulatedClock
  private let state = Monitor(State())
  private let tick: @Sendable () -> MonotonicInstant?

  /// Begins ticking.
  ///
  /// - Parameters:
  ///   - name: What the thread is called in `ps -L`; at most 15 bytes.
  ///   - clock: The time to live in.
  ///   - first: When to call first.
  ///   - tick: Returns when it wants to be called again, or `nil` for never.
  /// - Throws: `outOfMemory` when the process may have no more threads.
  init(
    name: String, clock: SimulatedClock, first: MonotonicInstant,
    tick: @escaping @Sendable () -> MonotonicInstant?
  ) throws(CaptureDeviceError) {
    self.clock = clock
    self.tick = tick
    if clock.isManual {
      schedule(at: first)
    } else {
      do {
        _ = try ReaderThread(name: name) { [self] in run(from: first) }
      } catch {
        throw CaptureDeviceError(.outOfMemory, "No thread could be started for a simulated device: \(error)")
      }
    }
  }

  /// Ends ticking: no call begins after this one; a call that is under way goes on.
  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  private func schedule(at time: MonotonicInstant) {
    clock.schedule(at: time) { [self] in
      if state.withLock({ $0.isCancelled }) { return }
      if let next = tick() { schedule(at: next) }
    }
  }

  private func run(from first: MonotonicInstant) {
    var next: MonotonicInstant? = first
    while let deadline = next {
      let isCancelled = state.wait(until: deadline, for: { $0.isCancelled }, then: { _ in true })
      if isCancelled == true { return }
      next = tick()
    }
  }
}
