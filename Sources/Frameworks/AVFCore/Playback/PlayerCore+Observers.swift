internal import CoreMedia
internal import Foundation

/// The client's observers of time.
extension PlayerCore {
  func add(_ observer: TimeObserver) {
    observers.append(observer)
    if let current {
      observer.plan(from: current.timebase.time, backward: current.isBackward)
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
      observer.plan(from: time, backward: isBackward)
    }
  }

  func fireDuePeriodic(at time: CMTime, due: CMTime) {
    for observer in observers {
      guard case .periodic = observer.kind, let next = observer.next,
        isBackward ? next >= due : next <= due
      else { continue }
      observer.fire(at: time)
      observer.plan(from: due, backward: isBackward)
    }
  }

  /// Calls the observers of boundaries that playing has passed.
  func fireBoundaries(from begin: CMTime, to end: CMTime) {
    for observer in observers {
      guard case .boundary(let times, _) = observer.kind else { continue }
      if times.contains(where: { isBackward ? $0 < begin && $0 >= end : $0 > begin && $0 <= end }) {
        observer.fire(at: end)
      }
    }
  }

  /// When the next observer is due, in the direction of playing.
  func nextObserverTime(after time: CMTime) -> CMTime? {
    let times = observers.compactMap { observer in
      switch observer.kind {
      case .periodic: observer.next
      case .boundary(let times, _):
        isBackward ? times.filter { $0 < time }.max() : times.filter { $0 > time }.min()
      }
    }
    return isBackward ? times.max() : times.min()
  }

  private var isBackward: Bool { current?.isBackward ?? false }
}
