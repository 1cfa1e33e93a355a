internal import Dispatch
internal import Foundation
internal import Linux

/// The machine's thermal state, read when asked for and watched from then on.
///
/// Thread-safe. Changes are reported on a queue of its own, in order.
package final class ThermalWatch: Sendable {
  static let shared = ThermalWatch(root: "/") {
    NotificationCenter.default.post(
      name: ProcessInfo.thermalStateDidChangeNotification, object: ProcessInfo.processInfo)
  }

  private struct State {
    var scale = PressureScale()
    var current = MachineThermalState.nominal
    /// When it was read last; `nil` before the first time.
    var readAt: MonotonicInstant?
    var timer: (any DispatchSourceTimer)?
  }

  /// How old a reading may be; temperatures do not change faster.
  private static let ageNanoseconds: Int64 = 1_000_000_000

  private let root: String
  private let report: @Sendable () -> Void
  private let state = Locked(State())
  /// Held while the kernel's files are read; `state` is taken under it.
  private let reading = Lock()
  private let queue = DispatchQueue(label: "obscura.thermal-state")

  /// Watches the thermal zones in the folder `root`, `/` but for tests, and calls `report` after each change.
  package init(root: String, report: @escaping @Sendable () -> Void) {
    self.root = root
    self.report = report
  }

  deinit {
    state.withLock { $0.timer }?.cancel()
  }

  /// The present state, at most a second old.
  package var current: MachineThermalState {
    if isOld { refresh() }
    return state.withLock { $0.current }
  }

  /// Reads now, whatever the last reading's age.
  package func refresh() {
    reading.withLock {
      var machine = PressureReading(root: root)
      // Busy processors are not hot.
      machine.cpuStall = nil
      state.withLock { state in
        let new = MachineThermalState(state.scale.take(machine).level)
        let isFirst = state.readAt == nil
        state.readAt = .now
        if isFirst && !machine.zones.isEmpty { state.timer = makeTimer() }
        guard new != state.current else { return }
        state.current = new
        // Before the first reading no observer has seen another state.
        if !isFirst { queue.async(execute: report) }
      }
    }
  }

  private var isOld: Bool {
    state.withLock { state in
      state.readAt.map { MonotonicInstant.now >= $0.advanced(byNanoseconds: Self.ageNanoseconds) } ?? true
    }
  }

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(500))
    timer.setEventHandler { [weak self] in self?.refresh() }
    timer.resume()
    return timer
  }
}
