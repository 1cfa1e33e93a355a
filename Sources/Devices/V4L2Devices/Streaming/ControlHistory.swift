internal import CaptureDevice
internal import Linux

/// Which change of a camera's controls a frame shows: the kernel does not say, but its stamps tell before from after.
final class ControlHistory: Sendable {
  private struct State {
    var number: UInt64 = 0
    var latest = FrameConditions.unknown
    var earlier = FrameConditions.unknown
    var changed = MonotonicInstant(nanoseconds: 0)
  }

  private let state = Locked(State())

  /// The number of the latest change.
  var number: UInt64 { state.withLock { $0.number } }

  /// Notes that the driver has taken a change, and numbers it.
  func add(_ controls: ControlState) -> UInt64 {
    state.withLock { state in
      state.number += 1
      state.earlier = state.latest
      state.changed = .now
      var controls = controls
      controls.change = state.number
      state.latest = FrameConditions(controls)
      return state.number
    }
  }

  /// What held for a frame with the given stamp.
  func conditions(at time: MonotonicInstant) -> FrameConditions {
    state.withLock { time >= $0.changed ? $0.latest : $0.earlier }
  }
}
