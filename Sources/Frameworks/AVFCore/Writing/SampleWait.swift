package import Dispatch
internal import Linux

/// Notices on a queue that no sample has come for a while, so that none waits in memory for the next one.
///
/// Used on its queue only.
package final class SampleWait: @unchecked Sendable {  // Safe because only `queue` uses what changes.
  /// How long samples may fail to come.
  private static let nanoseconds: Int64 = 250_000_000

  private let queue: DispatchQueue
  private let ended: () -> Void
  private var last = MonotonicInstant.now
  private var isWaiting = false

  /// - Parameter ended: Called on the queue, once for each time without samples.
  package init(on queue: DispatchQueue, ended: @escaping () -> Void) {
    self.queue = queue
    self.ended = ended
  }

  /// Notes that a sample has come.
  ///
  /// Called when it is coded: the time that coding takes is not one without samples.
  package func note() {
    last = .now
    if !isWaiting { wait(Self.nanoseconds) }
  }

  private func wait(_ nanoseconds: Int64) {
    isWaiting = true
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in self?.look() }
  }

  private func look() {
    let left = last.nanoseconds + Self.nanoseconds - MonotonicInstant.now.nanoseconds
    guard left <= 0 else { return wait(left) }
    isWaiting = false
    ended()
  }
}
