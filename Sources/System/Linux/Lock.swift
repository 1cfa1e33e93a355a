internal import Glibc

/// A mutual-exclusion lock over `pthread_mutex_t`.
///
/// ThreadSanitizer understands it, which it does not of `Synchronization.Mutex` on Linux. Not recursive: taking
/// it twice on one thread deadlocks. Thread-safe. Blocks only while another thread holds it.
public final class Lock: @unchecked Sendable {  // Safe because the mutex is the only state.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Makes an unlocked lock.
  public init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let result = pthread_mutex_init(mutex, nil)
    precondition(result == 0, "pthread_mutex_init failed with \(result)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` while holding the lock and returns what it returns.
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Takes the lock; for the few places where a scope does not fit.
  ///
  /// C: `pthread_mutex_lock`.
  public func lock() {
    pthread_mutex_lock(mutex)
  }

  /// Gives the lock back.
  ///
  /// C: `pthread_mutex_unlock`.
  public func unlock() {
    pthread_mutex_unlock(mutex)
  }

  fileprivate func wait(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
    pthread_cond_wait(condition, mutex)
  }

  fileprivate func wait(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, until deadline: MonotonicInstant
  ) -> Bool {
    var time = deadline.timespec
    return pthread_cond_timedwait(condition, mutex, &time) == 0
  }
}

/// A value that is reached only under its own ``Lock``.
public final class Locked<Value>: @unchecked Sendable {  // Safe because `value` is touched only under `lock`.
  private let lock = Lock()
  private var value: Value

  /// Wraps `value`; the caller must keep no other reference into it.
  public init(_ value: sending Value) {
    self.value = value
  }

  /// Runs `body` on the value while holding the lock.
  ///
  /// `body` must not call out to a client: a callback that came back here would deadlock.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

/// A value under a lock that threads can wait upon until it satisfies a condition.
///
/// Waits run on `CLOCK_MONOTONIC`, so a change of the wall clock does not stretch them.
public final class Monitor<Value>: @unchecked Sendable {  // Safe: `value` is touched only under `lock`.
  private let lock = Lock()
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  /// Wraps `value`; the caller must keep no other reference into it.
  public init(_ value: sending Value) {
    self.value = value
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deinitialize(count: 1)
    condition.deallocate()
  }

  /// Runs `body` on the value while holding the lock, then wakes every waiting thread.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer {
      pthread_cond_broadcast(condition)
      lock.unlock()
    }
    return try body(&value)
  }

  /// Blocks until `isSatisfied` is true of the value, then runs `body` on it under the same hold of the lock.
  ///
  /// - Parameter deadline: When to give up; `nil` waits for ever.
  /// - Returns: What `body` returned, or `nil` when the deadline passed first.
  public func wait<Result>(
    until deadline: MonotonicInstant? = nil,
    for isSatisfied: (Value) -> Bool,
    then body: (inout Value) -> Result
  ) -> Result? {
    lock.lock()
    defer { lock.unlock() }
    while !isSatisfied(value) {
      if let deadline {
        if !lock.wait(condition, until: deadline), !isSatisfied(value) { return nil }
      } else {
        lock.wait(condition)
      }
    }
    let result = body(&value)
    pthread_cond_broadcast(condition)
    return result
  }
}
