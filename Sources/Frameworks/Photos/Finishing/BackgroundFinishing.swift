internal import CaptureDevice
internal import Dispatch
internal import Foundation
internal import FoundationExtras
package import Linux

/// The conditions under which photos are finished in the background.
package struct FinishingConditions: Sendable {
  /// How long the processors are watched before each photo.
  package var pauseSeconds = 2.0
  /// How long after it came into the library a photo is finished on busy processors, too.
  package var longestWaitSeconds = 600.0
  /// What the processors have done until now; those of a simulated world, in whose time work takes none, have rested since it began.
  package var processorTimes: @Sendable () -> ProcessorTimes? = {
    let time = WorldTime.current
    return time.isSimulated ? ProcessorTimes(busy: 0, resting: Int(time.now.nanoseconds)) : ProcessorTimes()
  }

  /// The usual conditions.
  package init() {}
}

/// Finishes photos while the machine has nothing better to do.
///
/// One photo at a time, as long as no capture session of this process is started, and while half of the processors rest; a photo
/// that has waited for long does not ask for that. Photos whose finishing has failed wait longer each time.
final class BackgroundFinishing: Sendable {
  private struct State {
    var isScheduled = false
    /// When a photo whose finishing failed is tried next, by its key.
    var rests: [Int: MonotonicInstant] = [:]
  }

  private static let restingShare = 0.5
  private let queue = DispatchQueue(label: "obscura.background-finishing", qos: .background)
  private let state = Locked(State())
  private let store: LibraryStore
  private let finisher: any DeferredPhotoFinishing
  private let conditions: FinishingConditions

  init(_ store: LibraryStore, _ finisher: any DeferredPhotoFinishing, _ conditions: FinishingConditions) {
    self.store = store
    self.finisher = finisher
    self.conditions = conditions
  }

  /// Looks for unfinished photos soon; call it when the library is opened and after each change.
  func wake() {
    let isNew = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isNew else { return }
    let earlier = conditions.processorTimes()
    let pause = Int64(conditions.pauseSeconds * 1e9)
    store.time.perform(afterNanoseconds: pause, on: queue) { [weak self] in self?.work(since: earlier) }
  }

  /// Whether the processors mostly rest since `earlier`; also `false` where the kernel does not say.
  private func isIdle(since earlier: ProcessorTimes?) -> Bool {
    guard let earlier, let now = conditions.processorTimes() else { return false }
    return now.restingShare(since: earlier).map { $0 >= Self.restingShare } ?? false
  }

  private func work(since earlier: ProcessorTimes?) {
    state.withLock { $0.isScheduled = false }
    let journal = ProxyJournal(store, finisher)
    try? journal.discardUnneeded()
    guard let entries = try? ProxyJournal.entries(store), !entries.isEmpty else { return }
    let isIdle = isIdle(since: earlier)
    let overdue = store.time.date.addingTimeInterval(-conditions.longestWaitSeconds)
    let now = store.time.now
    let rests = state.withLock { $0.rests }
    let next = entries.first { entry in
      (isIdle || entry.added < overdue) && rests[entry.asset].map { $0 <= now } ?? true
    }
    if RunningSession.count == 0, let next {
      do throws(PHPhotosError) {
        _ = try journal.finish(next.asset)
      } catch {
        let wait = 30.0 * Double(1 << min(6, next.attempts))
        state.withLock { $0.rests[next.asset] = now.advanced(bySeconds: wait) }
      }
    }
    wake()
  }
}
