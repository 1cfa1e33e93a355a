package import Dispatch
internal import FoundationExtras
internal import Linux

/// Notices on a queue that no sample has come for a while, so that none waits in memory for the next one.
///
/// Used on its queue only.
package final class SampleWait: @unchecked Sendable {  // Safe because only `queue` uses what changes.
  /// How long samples may fail to come.
  private static let nanoseconds: Int64 = 250_000_000

  private let queue: DispatchQueue
  private let ended: () -> Void
  private var last = WorldTime.current.now
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
    last = WorldTime.current.now
    if !isWaiting { wait(Self.nanoseconds) }
  }

  private func wait(_ nanoseconds: Int64) {
    isWaiting = true
    WorldTime.current.perform(afterNanoseconds: nanoseconds, on: queue) { [weak self] in self?.look() }
  }

  private func look() {
    let passed = WorldTime.current.now.nanoseconds - last.nanoseconds
    // A world that has ended meanwhile brings no more samples.
    guard passed >= Self.nanoseconds || passed < 0 else { return wait(Self.nanoseconds - passed) }
    isWaiting = false
    ended()
  }
}
