package import Linux

/// The order of a stream's packets by their numbers.
///
/// By TCP they come in order, and a number that is missing is lost. By UDP a packet that comes too early is held until those before it have
/// come, but not longer than a few frames take.
package struct PacketOrder {
  /// The judgement on a packet.
  package enum Verdict: Sendable, Hashable {
    case pass(isAfterLoss: Bool)
    case hold
    /// It was there, or was given up.
    case drop
  }

  /// How long a packet waits for those before it.
  package static let longestWait: Int64 = 200_000_000
  /// How many wait.
  package static let mostHeld = 512
  /// Numbers that are further away are those of a stream that began anew.
  private static let widest = 3000

  private let holds: Bool
  private var expected: UInt16?
  private var held: [(number: UInt16, bytes: [UInt8], since: MonotonicInstant)] = []

  /// - Parameter holds: Whether packets may come in another order.
  package init(holds: Bool) {
    self.holds = holds
  }

  /// Whether packets are held.
  package var isHolding: Bool { !held.isEmpty }

  /// Judges a packet by its number; one that is passed counts as the last one.
  package mutating func judge(_ number: UInt16) -> Verdict {
    guard let expected else {
      self.expected = number &+ 1
      return .pass(isAfterLoss: false)
    }
    let distance = Int(Int16(truncatingIfNeeded: Int(number) - Int(expected)))
    guard distance != 0, holds, abs(distance) < Self.widest else {
      self.expected = number &+ 1
      if distance != 0 { held.removeAll() }
      return .pass(isAfterLoss: distance != 0)
    }
    return distance < 0 || held.contains { $0.number == number } ? .drop : .hold
  }

  /// Holds a packet that was judged so.
  package mutating func hold(_ bytes: [UInt8], number: UInt16, now: MonotonicInstant) {
    guard let expected else { return }
    let place = held.firstIndex { $0.number &- expected > number &- expected } ?? held.endIndex
    held.insert((number, bytes, now), at: place)
  }

  /// The next packet of those that are held whose turn it is, or for which it has become too late to wait for others.
  ///
  /// - Parameter isEnd: Whether no others will come.
  package mutating func release(
    now: MonotonicInstant, isEnd: Bool = false
  ) -> (bytes: [UInt8], isAfterLoss: Bool)? {
    guard let first = held.first, let expected else { return nil }
    let isNext = first.number == expected
    let oldest = held.lazy.map(\.since).min() ?? now
    guard
      isNext || isEnd || held.count >= Self.mostHeld
        || now.nanoseconds - oldest.nanoseconds >= Self.longestWait
    else { return nil }
    held.removeFirst()
    self.expected = first.number &+ 1
    return (first.bytes, !isNext)
  }
}
