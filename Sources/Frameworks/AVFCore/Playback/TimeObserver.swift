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

extension PlayerCore {
  func add(_ observer: TimeObserver) {
    observers.append(observer)
    if let current {
      observer.plan(after: current.timebase.time)
      schedule()
    }
  }

  /// Playing begins.
  func startObservers(_ entry: ItemPlayback) {
    firePeriodic(at: entry.timebase.time)
  }

  /// Calls all periodic observers: time has jumped, or playing has begun or ended.
  func firePeriodic(at time: CMTime) {
    for observer in observers {
      guard case .periodic = observer.kind else { continue }
      observer.fire(at: time)
      observer.plan(after: time)
    }
  }

  func fireDuePeriodic(at time: CMTime, due: CMTime) {
    for observer in observers {
      guard case .periodic = observer.kind, let next = observer.next, next <= due else { continue }
      observer.fire(at: time)
      observer.plan(after: due)
    }
  }

  /// Calls the observers of boundaries that playing has passed.
  func fireBoundaries(from begin: CMTime, to end: CMTime) {
    for observer in observers {
      guard case .boundary(let times, _) = observer.kind else { continue }
      if times.contains(where: { $0 > begin && $0 <= end }) { observer.fire(at: end) }
    }
  }

  func nextObserverTime(after time: CMTime) -> CMTime? {
    observers.compactMap { observer in
      switch observer.kind {
      case .periodic: observer.next
      case .boundary(let times, _): times.filter { $0 > time }.min()
      }
    }.min()
  }
}
