internal import Glibc
internal import Linux

/// Who may change a device's settings: one thread at a time, which may lock again while it holds the lock.
final class ConfigurationLock: Sendable {
  private struct Holder {
    var thread: pthread_t?
    var depth = 0
  }

  /// How long a thread waits for another one before it is told that the device is locked.
  ///
  /// Larger makes user interfaces hang behind a forgotten unlock; smaller makes two threads that both behave well fail.
  private static let patienceNanoseconds: Int64 = 500_000_000

  private let holder = Monitor(Holder())

  /// Takes the lock; `false` when another thread keeps it for longer than half a second.
  func take() -> Bool {
    let me = pthread_self()
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: ConfigurationLock.patienceNanoseconds)
    let taken: Void? = holder.wait(until: deadline) { holder in
      holder.thread == nil || holder.thread == me
    } then: { holder in
      holder.thread = me
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
      if holder.depth == 0 { holder.thread = nil }
      return true
    }
  }

  /// Whether the calling thread holds the lock.
  var isMine: Bool {
    let me = pthread_self()
    return holder.withLock { $0.thread == me }
  }
}
