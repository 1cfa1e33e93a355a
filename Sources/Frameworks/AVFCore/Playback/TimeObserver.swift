internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import Linux

/// A client's observer of a player's time.
final class TimeObserver: Sendable {
  enum Kind: Sendable {
    case periodic(CMTime, @Sendable (CMTime) -> Void)
    case boundary([CMTime], @Sendable () -> Void)
  }

  let kind: Kind
  private let queue: DispatchQueue
  private let isActive = Locked(true)
  /// The next time of a periodic observer; reached on the player's queue.
  nonisolated(unsafe) var next: CMTime?  // Safe because it is reached on the player's queue alone.

  init(_ kind: Kind, queue: DispatchQueue?) {
    self.kind = kind
    self.queue = queue ?? .main
  }

  /// Calls no block any more that has not begun.
  func end() { isActive.withLock { $0 = false } }

  func fire(at time: CMTime) {
    queue.async { [self] in
      guard isActive.withLock({ $0 }) else { return }
      switch kind {
      case .periodic(_, let block): block(time)
      case .boundary(_, let block): block()
      }
    }
  }

  /// Lets a periodic observer be due at the first multiple of its interval after a time, or before it, played backwards.
  func plan(from time: CMTime, backward isBackward: Bool) {
    guard case .periodic(let interval, _) = kind, interval.isNumeric, interval.value > 0,
      interval.timescale > 0, time.isNumeric, time.timescale > 0
    else { return }
    // Exactly how many intervals fit into the time; 63 + 31 bits each.
    let (whole, rest) = (Int128(time.value) * Int128(interval.timescale)).quotientAndRemainder(
      dividingBy: Int128(interval.value) * Int128(time.timescale))
    let count = isBackward ? (rest > 0 ? whole : whole - 1) : (rest < 0 ? whole : whole + 1)
    // A multiple that no time can say is never due.
    next = Int64(exactly: count * Int128(interval.value)).map {
      CMTime(value: $0, timescale: interval.timescale)
    }
  }
}
