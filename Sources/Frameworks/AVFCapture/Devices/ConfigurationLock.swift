internal import Linux

/// The lock of this process on a device's settings, which counts how often it is taken.
///
/// The lock is the process's, as Apple's is: it keeps other processes out, not other threads. So a thread may set what
/// another one has locked, and a task that goes on upon another thread after an `await` keeps the lock. Linux has no lock
/// that keeps other processes from a camera's controls, so taking it never fails.
final class ConfigurationLock: Sendable {
  private let depth = Locked(0)

  /// Takes the lock once more; each call needs its ``giveBack()``.
  func take() {
    depth.withLock { $0 += 1 }
  }

  /// Gives the lock back once; `false` when it is not held.
  func giveBack() -> Bool {
    depth.withLock { depth in
      guard depth > 0 else { return false }
      depth -= 1
      return true
    }
  }

  /// Whether a thread of this process holds the lock.
  var isHeld: Bool { depth.withLock { $0 > 0 } }
}
