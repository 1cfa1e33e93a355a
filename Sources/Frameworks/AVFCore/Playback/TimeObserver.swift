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

  /// Lets a periodic observer be due at the first multiple of its interval after a time.
  func plan(after time: CMTime) {
    guard case .periodic(let interval, _) = kind, interval.isNumeric, interval > .zero, time.isNumeric else {
      return
    }
    let count = (time.seconds / interval.seconds + 1e-9).rounded(.down)
    var next = CMTimeMultiply(interval, multiplier: Int32(clamping: Int(count)))
    while next <= time { next = next + interval }
    self.next = next
  }
}
