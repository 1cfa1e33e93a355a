package import Linux

/// Chooses each frame's time: the driver's stamp, or the arrival where the stamp cannot be right.
package struct FrameClock: Sendable, Hashable {
  /// A stamp longer ago than this is of another clock: no driver keeps a frame so long.
  package static let credibleNanoseconds: Int64 = 10_000_000_000

  private var last: MonotonicInstant?
  private let start: MonotonicInstant?
  /// So many frames of before the start may still come.
  private var olderCount: Int
  /// The stamp of the newest of them.
  private var newestOlder: Int64?
  /// The number of frames that bear the time of their arrival.
  package private(set) var arrivalStamps = 0

  /// A clock for a stream that has just been started.
  package init() {
    start = nil
    olderCount = 0
  }

  /// A clock for a stream whose source may still hold pictures of before.
  ///
  /// - Parameters:
  ///   - start: When it was started.
  ///   - olderCount: How many such pictures the source can hold: no more than it has buffers.
  package init(start: MonotonicInstant, olderCount: Int) {
    self.start = start
    self.olderCount = olderCount
  }

  /// Whether a frame with this stamp is one of before the start, which a client must not get; none is after the first that has a time.
  ///
  /// A source whose stamps lag, or stand still, sends older ones for ever: so many as it can hold are of before, and none with the stamp
  /// of another.
  package mutating func isOfBefore(stamp nanoseconds: Int64?) -> Bool {
    guard let start, last == nil, let nanoseconds, olderCount > 0, nanoseconds != newestOlder,
      nanoseconds < start.nanoseconds, nanoseconds > start.nanoseconds - Self.credibleNanoseconds
    else { return false }
    olderCount -= 1
    newestOlder = nanoseconds
    return true
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
