internal import Foundation
internal import Glibc
internal import Linux

/// Finishes photos while the machine has nothing better to do.
///
/// One photo at a time at the lowest priority, as long as no capture session runs and the processors are mostly idle. Photos whose
/// finishing has failed wait longer each time.
final class BackgroundFinishing: Sendable {
  private struct State {
    var isScheduled = false
    /// When a photo whose finishing failed is tried next, by its key.
    var rests: [Int: MonotonicInstant] = [:]
    var sessions = 0
  }

  private static let pauseSeconds = 2.0
  private let queue = DispatchQueue(label: "obscura.background-finishing", qos: .background)
  private let state = Locked(State())
  private let store: LibraryStore
  private let finisher: any DeferredPhotoFinishing
  private let observers: Locked<[any NSObjectProtocol]>

  init(_ store: LibraryStore, _ finisher: any DeferredPhotoFinishing) {
    self.store = store
    self.finisher = finisher
    observers = Locked([])
    // The names of AVCaptureSession's notifications: this module knows no sessions.
    for (name, step) in [("DidStartRunning", 1), ("DidStopRunning", -1)] {
      let observer = NotificationCenter.default.addObserver(
        forName: Notification.Name("AVCaptureSession\(name)Notification"), object: nil, queue: nil
      ) { [state] _ in state.withLock { $0.sessions = max(0, $0.sessions + step) } }
      observers.withLock { $0.append(observer) }
    }
  }

  deinit {
    for observer in observers.withLock({ $0 }) { NotificationCenter.default.removeObserver(observer) }
  }

  /// Looks for unfinished photos soon; call it when the library is opened and after each change.
  func wake() {
    let isNew = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isNew else { return }
    queue.asyncAfter(deadline: .now() + Self.pauseSeconds) { [weak self] in self?.work() }
  }

  /// Whether nothing else needs the processors.
  private var isIdle: Bool {
    guard state.withLock({ $0.sessions == 0 }) else { return false }
    var load = 0.0
    return getloadavg(&load, 1) == 1 && load < Double(ProcessInfo.processInfo.activeProcessorCount) * 0.5
  }

  private func work() {
    state.withLock { $0.isScheduled = false }
    let journal = ProxyJournal(store, finisher)
    try? journal.discardUnneeded()
    guard let entries = try? ProxyJournal.entries(store), !entries.isEmpty else { return }
    let now = MonotonicInstant.now
    let rests = state.withLock { $0.rests }
    if isIdle, let next = entries.first(where: { rests[$0.asset].map { $0 <= now } ?? true }) {
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
