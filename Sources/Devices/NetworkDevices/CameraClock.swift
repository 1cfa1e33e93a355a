internal import Linux

/// The relation of a camera's clock to the machine's: packets are late by as much as the network takes, and never early.
///
/// The least lateness of the last seconds is taken for none, so that times do not shake with the network. A camera's clock runs a little
/// faster or slower than ours, so what is taken for none grows again, by a thousandth of the time that passes. One for all streams of a
/// camera that share a clock. Thread-safe.
final class CameraClock: Sendable {
  private struct State {
    /// Nanoseconds that are added to the camera's times.
    var offset: Int64?
    var newest: MonotonicInstant?
  }

  private let state = Locked(State())

  /// When something was seen that the camera's clock stamped with `time` nanoseconds and that arrived at `arrival`: never later than that.
  func instant(of time: Int64, arrival: MonotonicInstant) -> MonotonicInstant {
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

/// The times of one stream's frames: on the camera's own clock once it says what that shows, else as they arrive; always growing.
struct StreamTimes {
  private let shared: CameraClock
  private let own = CameraClock()
  private var last: (time: Int64, instant: MonotonicInstant)?

  /// - Parameter shared: The clock that all streams of the camera share.
  init(_ shared: CameraClock) {
    self.shared = shared
  }

  /// The time of what arrived at `arrival`.
  ///
  /// - Parameters:
  ///   - time: Nanoseconds of the stream's own time; `nil` for none.
  ///   - sent: Nanoseconds of the camera's clock; `nil` while it has not said.
  mutating func instant(_ time: Int64?, sent: Int64?, arrival: MonotonicInstant) -> MonotonicInstant {
    guard let time else { return next(arrival) }
    let ownTime = own.instant(of: time, arrival: arrival)
    let mapped = sent.map { shared.instant(of: $0, arrival: arrival) } ?? ownTime
    // What is taken for the clock changes when the camera tells its own: at most by half of what passes.
    let step = last.map { max(time - $0.time, 0) } ?? 0
    let soonest = last.map { min($0.instant.advanced(byNanoseconds: step / 2), arrival) } ?? mapped
    let result = next(max(mapped, soonest))
    last = (time, result)
    return result
  }

  private mutating func next(_ instant: MonotonicInstant) -> MonotonicInstant {
    guard let last else { return instant }
    let result = max(instant, last.instant.advanced(byNanoseconds: 1))
    self.last = (last.time, result)
    return result
  }
}
