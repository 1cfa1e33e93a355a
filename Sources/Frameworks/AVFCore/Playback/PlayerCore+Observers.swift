internal import CoreMedia
internal import Foundation

/// The client's observers of time.
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
