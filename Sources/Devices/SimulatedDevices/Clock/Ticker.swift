internal import CaptureDevice
internal import Linux

/// Calls a function at the moments that the function itself names, on a simulated clock.
///
/// On the real clock a thread sleeps until each moment; on a manual clock the thread that advances it calls. The
/// moments are absolute, so a late call does not push the later ones. Thread-safe.
final class Ticker: Sendable {
  private let clock: SimulatedClock
  private let isCancelled = Monitor(false)
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
    isCancelled.withLock { $0 = true }
  }

  private func schedule(at time: MonotonicInstant) {
    clock.schedule(at: time) { [self] in
      if isCancelled.withLock({ $0 }) { return }
      if let next = tick() { schedule(at: next) }
    }
  }

  /// Shorter waits are slept through: nobody waits for the end of a thread that ticks no more, and a sleep that can be
  /// ended costs more than one that cannot.
  private static let sleepNanoseconds: Int64 = 500_000_000

  private func run(from first: MonotonicInstant) {
    var last = MonotonicInstant.now
    var next: MonotonicInstant? = first
    while let deadline = next {
      if deadline.nanoseconds - last.nanoseconds < Self.sleepNanoseconds {
        deadline.sleepUntil()
        if isCancelled.withLock({ $0 }) { return }
      } else if isCancelled.wait(until: deadline, for: { $0 }, then: { _ in true }) == true {
        return
      }
      last = deadline
      next = tick()
    }
  }
}
