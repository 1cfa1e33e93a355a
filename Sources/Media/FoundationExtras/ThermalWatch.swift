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
    var timer: WorldTimer?
  }

  /// How old a reading may be; temperatures do not change faster.
  private static let ageNanoseconds: Int64 = 1_000_000_000

  private let root: String
  private let time: WorldTime?
  private let report: @Sendable () -> Void
  private let state = Locked(State())
  /// Held while the kernel's files are read; `state` is taken under it.
  private let reading = Lock()
  private let queue = DispatchQueue(label: "obscura.thermal-state")

  /// Watches the thermal zones in the folder `root`, `/` but for tests, and calls `report` after each change.
  ///
  /// - Parameter time: Whose seconds count; `nil` for the time in force.
  package init(root: String, time: WorldTime? = nil, report: @escaping @Sendable () -> Void) {
    self.root = root
    self.time = time
    self.report = report
  }

  /// The present state, at most a second old.
  package var current: MachineThermalState {
    if isOld { refresh() }
    return state.withLock { $0.current }
  }

  /// Reads now, whatever the last reading's age.
  package func refresh() {
    let begins = reading.withLock {
      var machine = PressureReading(root: root)
      // Busy processors are not hot.
      machine.cpuStall = nil
      let now = (time ?? .current).now
      return state.withLock { state in
        let new = MachineThermalState(state.scale.take(machine).level)
        let isFirst = state.readAt == nil
        state.readAt = now
        let begins = isFirst && !machine.zones.isEmpty
        guard new != state.current else { return begins }
        state.current = new
        // Before the first reading no observer has seen another state.
        if !isFirst { queue.carry(report) }
        return begins
      }
    }
    if begins { watch() }
  }

  private var isOld: Bool {
    let now = (time ?? .current).now
    // One of another world's time is of no age that could be told.
    return state.withLock { state in
      state.readAt.map { abs(now.nanoseconds - $0.nanoseconds) >= Self.ageNanoseconds } ?? true
    }
  }

  /// Reads again each second.
  private func watch() {
    let timer = WorldTimer(on: queue, time: time, leeway: .milliseconds(500)) { [weak self] in
      self?.refresh()
      self?.lookAgain()
    }
    state.withLock { $0.timer = timer }
    lookAgain()
  }

  private func lookAgain() {
    state.withLock { $0.timer }?.set(afterNanoseconds: Self.ageNanoseconds)
  }
}
