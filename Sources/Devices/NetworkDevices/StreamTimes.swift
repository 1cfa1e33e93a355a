internal import Linux
internal import StreamParts

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
