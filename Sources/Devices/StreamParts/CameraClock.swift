package import Linux

/// The relation of a camera's clock to the machine's: what it sends is late by as much as the way here takes, and never early.
///
/// The least lateness of the last seconds is taken for none, so that times do not shake with the way. A camera's clock runs a little
/// faster or slower than ours, so what is taken for none grows again, by a thousandth of the time that passes. One for all streams of a
/// camera that share a clock. Thread-safe.
package final class CameraClock: Sendable {
  private struct State {
    /// Nanoseconds that are added to the camera's times.
    var offset: Int64?
    var newest: MonotonicInstant?
  }

  private let state = Locked(State())

  /// A clock of which nothing is known yet.
  package init() {}

  /// When something was seen that the camera's clock stamped with `time` nanoseconds and that arrived at `arrival`: never later than that.
  package func instant(of time: Int64, arrival: MonotonicInstant) -> MonotonicInstant {
    state.withLock { state in
      let late = arrival.nanoseconds - time
      if let offset = state.offset, let newest = state.newest {
        let passed = max(arrival.nanoseconds - newest.nanoseconds, 0)
        let grown = offset + passed / 1000
        // A camera that was set to another time, or a stream that began anew.
        state.offset = abs(late - grown) > 10_000_000_000 ? late : min(late, grown)
      } else {
        state.offset = late
      }
      state.newest = max(state.newest ?? arrival, arrival)
      return MonotonicInstant(nanoseconds: time + (state.offset ?? late))
    }
  }
}
