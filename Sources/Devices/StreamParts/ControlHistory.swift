package import CaptureDevice
package import Linux

/// The changes of a camera's controls by time: drivers do not say which one a frame shows, but its stamp lies before or after.
///
/// Thread-safe.
package final class ControlHistory: Sendable {
  /// As many changes as can lie between a frame's stamp and its arrival.
  fileprivate static let length = 16

  fileprivate struct State {
    var number: UInt64 = 0
    /// Oldest first; the first holds for all before it.
    var entries = [(since: MonotonicInstant(nanoseconds: 0), conditions: FrameConditions.unknown)]
  }

  private let state = Locked(State())

  /// A history without changes.
  package init() {}

  /// The number of the latest change.
  package var number: UInt64 { state.withLock { $0.number } }

  /// Notes that the driver has taken a change, and numbers it.
  package func add(_ controls: ControlState) -> UInt64 {
    state.withLock { state in
      state.number += 1
      state.append(controls)
      return state.number
    }
  }

  /// Notes what the controls stand at now, changed by the camera or another program.
  package func note(_ controls: ControlState) {
    state.withLock { state in
      var present = controls
      present.change = state.number
      if state.entries.last?.conditions.state != present { state.append(controls) }
    }
  }

  /// The conditions of a frame with the given stamp.
  package func conditions(at time: MonotonicInstant) -> FrameConditions {
    state.withLock { state in
      let entry = state.entries.last { $0.since <= time } ?? state.entries.first
      return entry?.conditions ?? .unknown
    }
  }
}

extension ControlHistory.State {
  fileprivate mutating func append(_ controls: ControlState) {
    var controls = controls
    controls.change = number
    entries.append((.now, FrameConditions(controls)))
    if entries.count > ControlHistory.length { entries.removeFirst() }
  }
}
