internal import Glibc
internal import Linux

/// Who may change a device's settings: one task or thread at a time, which may lock again while it holds the lock.
///
/// A task may go on upon another thread after an `await`, such as one for a setter's completion: the lock stays its own.
final class ConfigurationLock: Sendable {
  private enum Owner: Equatable {
    case task(Int)
    case thread(pthread_t)

    /// The task that runs, or the thread where none does.
    static var current: Owner {
      withUnsafeCurrentTask { task in task.map { .task($0.hashValue) } } ?? .thread(pthread_self())
    }
  }

  private struct Holder {
    var owner: Owner?
    var depth = 0
  }

  /// How long a thread waits for another one before it is told that the device is locked.
  ///
  /// Larger makes user interfaces hang behind a forgotten unlock; smaller makes two threads that both behave well fail.
  private static let timeoutNanoseconds: Int64 = 500_000_000

  private let holder = Monitor(Holder())

  /// Takes the lock; `false` when another thread keeps it for longer than half a second.
  func take() -> Bool {
    let me = Owner.current
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: ConfigurationLock.timeoutNanoseconds)
    let taken: Void? = holder.wait(until: deadline) { holder in
      holder.owner == nil || holder.owner == me
    } then: { holder in
      holder.owner = me
      holder.depth += 1
    }
    return taken != nil
  }

  /// Gives the lock back; `false` when nobody holds it.
  ///
  /// Any thread may, as with AVFoundation: a task that goes on upon another thread after an `await` must not leave the
  /// device locked for ever.
  func giveBack() -> Bool {
    holder.withLock { holder in
      guard holder.depth > 0 else { return false }
      holder.depth -= 1
      if holder.depth == 0 { holder.owner = nil }
      return true
    }
  }

  /// Whether the calling task or thread holds the lock.
  var isMine: Bool {
    let me = Owner.current
    return holder.withLock { $0.owner == me }
  }
}
