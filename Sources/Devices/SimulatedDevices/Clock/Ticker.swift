internal import CaptureDevice
internal import Linux

/// Calls a function at the moments that the function itself names, on a simulated clock.
///
/// On the real clock a ``ThreadRelay`` does, whose thread clients may borrow; on a manual clock the thread that advances it calls. The
/// moments are absolute, so a late call does not push the later ones. Thread-safe.
final class Ticker: Sendable {
  private let clock: SimulatedClock
  private let tick: @Sendable () -> MonotonicInstant?
  private let isCancelled = Locked(false)
  private let relay: ThreadRelay?

  /// Begins ticking.
  ///
  /// - Parameters:
  ///   - name: What the thread is called in `ps -L`; at most 15 bytes.
  ///   - clock: The time to live in.
  ///   - first: When to call first.
  ///   - footprint: What each call touches.
  ///   - tick: Returns when it wants to be called again, or `nil` for never.
  /// - Throws: `outOfMemory` when the process may have no more threads.
  init(
    name: String, clock: SimulatedClock, first: MonotonicInstant, footprint: Footprint = Footprint(),
    tick: @escaping @Sendable () -> MonotonicInstant?
  ) throws(CaptureDeviceError) {
    self.clock = clock
    self.tick = tick
    do {
      relay =
        clock.isManual ? nil : try ThreadRelay(name: name, first: first, footprint: footprint, step: tick)
    } catch {
      throw CaptureDeviceError(.outOfMemory, "No thread could be started for a simulated device: \(error)")
    }
    if clock.isManual { schedule(at: first) }
  }

  /// Whether a call is late, or under way, for longer than half a second: the machine is too busy.
  ///
  /// Never on a manual clock, which waits.
  var isBehind: Bool { (relay?.lateness ?? 0) > 500_000_000 }

  /// Ends ticking: no call begins after this one; a call that is under way goes on.
  func cancel() {
    isCancelled.withLock { $0 = true }
    relay?.cancel()
  }

  private func schedule(at time: MonotonicInstant) {
    clock.schedule(at: time) { [self] in
      if isCancelled.withLock({ $0 }) { return }
      if let next = tick() { schedule(at: next) }
    }
  }
}
