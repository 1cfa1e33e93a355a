/// A timer of a running device's silence, counted in time in which this process ran.
///
/// A watch waits for news, and counts each wait that has ended without. A wait that took longer than it was asked to counts as
/// long as it was asked for. When it took much longer, the process was stopped or starved (a debugger, a frozen machine), and
/// the device gets the whole timeout anew: what it sent meanwhile may still be on its way.
package struct SilenceTimer: Sendable, Hashable {
  /// The greatest delay of a wait's end, in nanoseconds, with which its device is still judged by it.
  package static let latenessNanoseconds: Int64 = 1_000_000_000

  /// The longest wait to ask for, in nanoseconds: what a stopped process can be charged for at most.
  private static let longestWaitNanoseconds: Int64 = 1_000_000_000

  /// The silence that is allowed, in nanoseconds; may change with what the device does.
  package var nanoseconds: Int64
  /// The silence so far, in nanoseconds.
  package private(set) var silence: Int64 = 0

  /// A timer of a device that has just been started.
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Whether the silence is too long.
  package var isOver: Bool { silence >= nanoseconds }

  /// The longest next wait, in nanoseconds.
  package var nextWait: Int64 { min(Self.longestWaitNanoseconds, max(nanoseconds - silence, 0)) }

  /// Notes that the device has sent something.
  package mutating func heard() {
    silence = 0
  }

  /// Notes a wait that took `elapsed` nanoseconds and was asked to take `asked`.
  ///
  /// - Parameter quiet: How long the device has sent nothing, where the wait was not without news.
  package mutating func waited(_ elapsed: Int64, asked: Int64, quiet: Int64 = .max) {
    if elapsed > asked + Self.latenessNanoseconds {
      silence = 0
    } else {
      silence += max(min(elapsed, asked, quiet), 0)
    }
  }
}
