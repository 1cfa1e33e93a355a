package import Linux

/// Chooses each frame's time: the driver's stamp, or the arrival where the stamp cannot be right.
package struct FrameClock: Sendable, Hashable {
  /// A stamp longer ago than this is of another clock: no driver keeps a frame so long.
  package static let credibleNanoseconds: Int64 = 10_000_000_000

  private var last: MonotonicInstant?
  private let start: MonotonicInstant?
  /// The number of frames that bear the time of their arrival.
  package private(set) var arrivalStamps = 0

  /// A clock for a stream that has just been started.
  ///
  /// - Parameter start: When that was, for a source that may still hold pictures of before.
  package init(start: MonotonicInstant? = nil) {
    self.start = start
  }

  /// Whether a frame with this stamp is one of before the start, which a client must not get; none is after the first that has a time.
  package func isOfBefore(stamp nanoseconds: Int64?) -> Bool {
    guard let start, last == nil, let nanoseconds else { return false }
    return nanoseconds < start.nanoseconds && nanoseconds > start.nanoseconds - Self.credibleNanoseconds
  }

  /// The time of a frame that arrives at `arrival` with the driver's stamp on `CLOCK_MONOTONIC`, or with none.
  ///
  /// Times always advance: a stamp that does not, or that lies ahead, is replaced by the arrival.
  package mutating func time(
    stamp nanoseconds: Int64?, arrival: MonotonicInstant
  ) -> MonotonicInstant {
    let credible = arrival.nanoseconds - Self.credibleNanoseconds...arrival.nanoseconds
    var time = arrival
    if let nanoseconds, credible.contains(nanoseconds), last.map({ $0.nanoseconds < nanoseconds }) ?? true {
      time = MonotonicInstant(nanoseconds: nanoseconds)
    } else {
      arrivalStamps += 1
    }
    if let last, time <= last { time = last.advanced(byNanoseconds: 1) }
    last = time
    return time
  }
}
