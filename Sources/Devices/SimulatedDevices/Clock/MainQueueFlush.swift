internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Has the main queue do what it was given, so that what a client left to it has happened when a manual clock's move returns.
///
/// A program whose main thread does something else never does it: then this waits for a second, once, and not again until the main queue has answered.
enum MainQueueFlush {
  private static let isUnanswered = Locked(false)

  /// Whether the caller is on the main thread, and this therefore the one to serve the main queue.
  static var isNeeded: Bool { Thread.isMainThread }

  /// Returns when what the main queue was given until now is done; `false` where that cannot be waited for.
  static func run() -> Bool {
    if isNeeded {
      serve()
      return true
    }
    guard !MainQueue.isCurrent, !isUnanswered.withLock({ $0 }) else { return false }
    let answered = DispatchSemaphore(value: 0)
    DispatchQueue.main.async {
      isUnanswered.withLock { $0 = false }
      answered.signal()
    }
    if answered.wait(timeout: .now() + .seconds(1)) == .success { return true }
    isUnanswered.withLock { $0 = true }
    return false
  }

  /// Does what the main queue has to do now, on the main thread; a millisecond at most where that is nothing.
  static func serve() {
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
  }
}
