internal import Linux

/// A capture session that was started and has not stopped yet; the process counts these.
///
/// A session keeps one from its start until its devices are closed, through interruptions, too: it goes on by itself at any moment.
/// It counts until nothing keeps it any more. Thread-safe.
package final class RunningSession: Sendable {
  private static let number = Locked(0)

  /// How many there are in this process.
  package static var count: Int { number.withLock { $0 } }

  /// Counts one more.
  package init() { Self.number.withLock { $0 += 1 } }

  deinit { Self.number.withLock { $0 -= 1 } }
}
