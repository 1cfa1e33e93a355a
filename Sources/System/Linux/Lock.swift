public import Glibc

// Everything here is one allocation, mutex and value side by side, and is inlined where it is used: a frame passes some ten
// of these locks on a thread that has just woken, where each other piece of memory or code is a miss in the caches.

/// A mutual-exclusion lock over `pthread_mutex_t`.
///
/// ThreadSanitizer understands it, which it does not of `Synchronization.Mutex` on Linux. Not recursive: a thread that takes
/// it twice waits for itself for ever, and is stopped in debug builds (``HeldLocks``). Copies are the same lock. Thread-safe.
/// Blocks only while another thread holds it.
///
/// Under a lock nothing runs that others wrote: no closure of a client, no `deinit` of what a client may hold last. Strong
/// references are taken and released outside: return them from the closure.
public struct Lock: @unchecked Sendable {  // Safe because the mutex is the only state.
  @usableFromInline let storage: LockStorage<Void>

  /// Makes an unlocked lock.
  public init() {
    storage = .make(())
  }

  /// Runs `body` while holding the lock and returns what it returns.
  @inlinable
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    let mutex = storage.mutex
    take(mutex)
    defer {
      giveBack(mutex)
      withExtendedLifetime(storage) {}
    }
    return try body()
  }

  /// Takes the lock; for the few places where a scope does not fit.
  ///
  /// C: `pthread_mutex_lock`.
  @inlinable
  public func lock() {
    take(storage.mutex)
  }

  /// Gives the lock back.
  ///
  /// C: `pthread_mutex_unlock`.
  @inlinable
  public func unlock() {
    giveBack(storage.mutex)
  }
}

/// A value that is reached only under its own ``Lock``.
///
/// Copies share the value. A function, or an optional one, belongs in a ``Hook``.
public struct Locked<Value>: @unchecked Sendable {  // Safe because the value is touched only under the mutex.
  @usableFromInline let storage: LockStorage<Value>

  /// Wraps `value`; the caller must keep no other reference into it.
  @inlinable
  public init(_ value: sending Value) {
    storage = .make(value)
  }

  /// Runs `body` on the value while holding the lock.
  ///
  /// `body` must not call out to a client: a callback that came back here would deadlock. What it takes out of the value or
  /// makes strong it returns, so that nothing is released under the lock.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let mutex = storage.mutex
    take(mutex)
    defer {
      giveBack(mutex)
      withExtendedLifetime(storage) {}
    }
    return try body(&storage.value.pointee)
  }
}

/// A value under a lock that threads can wait upon until it satisfies a condition.
///
/// Waits run on `CLOCK_MONOTONIC`, so a change of the wall clock does not stretch them. Copies share the value.
public struct Monitor<Value>: @unchecked Sendable {  // Safe: the value is touched only under the mutex.
  @usableFromInline let storage: LockStorage<Value>

  /// Wraps `value`; the caller must keep no other reference into it.
  @inlinable
  public init(_ value: sending Value) {
    storage = .make(value, hasCondition: true)
  }

  /// Runs `body` on the value while holding the lock, then wakes every waiting thread.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let mutex = storage.mutex
    take(mutex)
    defer { leaveAndWake() }
    return try body(&storage.value.pointee)
  }

  /// Blocks until `isSatisfied` is true of the value, then runs `body` on it under the same hold of the lock.
  ///
  /// - Parameter deadline: When to give up; `nil` waits for ever.
  /// - Returns: What `body` returned, or `nil` when the deadline passed first.
  @inlinable
  public func wait<Result>(
    until deadline: MonotonicInstant? = nil,
    for isSatisfied: (Value) -> Bool,
    then body: (inout Value) -> Result
  ) -> Result? {
    take(storage.mutex)
    while !isSatisfied(storage.value.pointee) {
      guard LockWords.waitForChange(storage.words, until: deadline) || isSatisfied(storage.value.pointee)
      else {
        giveBack(storage.mutex)
        return nil
      }
    }
    defer { leaveAndWake() }
    return body(&storage.value.pointee)
  }

  /// Wakes after the lock is left: who is woken under it would only wait for it.
  @inlinable
  func leaveAndWake() {
    let isAwaited = LockWords.waiters(storage.words).pointee > 0
    giveBack(storage.mutex)
    if isAwaited { LockWords.wakeAll(storage.words) }
    withExtendedLifetime(storage) {}
  }
}

/// The one allocation of a lock: the value, and behind it the mutex, and for a ``Monitor`` the condition.
///
/// The addresses stay, which those of a class's properties do not promise.
@usableFromInline
final class LockStorage<Value>: ManagedBuffer<Value, UInt64> {
  /// - Parameter hasCondition: Whether there is room for a condition, too.
  @inlinable
  static func make(_ value: Value, hasCondition: Bool = false) -> LockStorage<Value> {
    let words = hasCondition ? LockWords.withCondition : LockWords.mutexOnly
    let buffer = create(minimumCapacity: words) { _ in value }
    let storage = unsafeDowncast(buffer, to: LockStorage<Value>.self)
    LockWords.begin(storage.words, hasCondition: hasCondition)
    return storage
  }

  deinit {
    // Nothing waits here any more; what a condition keeps beside the words, Linux has nothing of.
    pthread_mutex_destroy(mutex)
  }

  @inlinable @inline(__always)
  var value: UnsafeMutablePointer<Value> {
    withUnsafeMutablePointerToHeader { $0 }
  }

  @inlinable @inline(__always)
  var words: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(withUnsafeMutablePointerToElements { $0 })
  }

  @inlinable @inline(__always)
  var mutex: UnsafeMutablePointer<pthread_mutex_t> {
    words.assumingMemoryBound(to: pthread_mutex_t.self)
  }
}

/// The layout of the words behind a locked value: the mutex, the condition and the count of waiting threads.
@usableFromInline
enum LockWords {
  @inlinable static var mutexOnly: Int { 5 }
  @inlinable static var withCondition: Int { 12 }
  private static var conditionOffset: Int { 40 }
  @inlinable static var waitersOffset: Int { 88 }

  @usableFromInline
  static func begin(_ words: UnsafeMutableRawPointer, hasCondition: Bool) {
    precondition(
      MemoryLayout<pthread_mutex_t>.size <= conditionOffset
        && MemoryLayout<pthread_cond_t>.size <= waitersOffset - conditionOffset)
    words.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
    pthread_mutex_init(words.assumingMemoryBound(to: pthread_mutex_t.self), nil)
    guard hasCondition else { return }
    (words + conditionOffset).initializeMemory(as: pthread_cond_t.self, to: pthread_cond_t())
    (words + waitersOffset).initializeMemory(as: Int.self, to: 0)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition(words), &attributes)
    pthread_condattr_destroy(&attributes)
  }

  private static func condition(_ words: UnsafeMutableRawPointer) -> UnsafeMutablePointer<pthread_cond_t> {
    (words + conditionOffset).assumingMemoryBound(to: pthread_cond_t.self)
  }

  /// The number of waiting threads; under the mutex.
  @inlinable @inline(__always)
  static func waiters(_ words: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Int> {
    (words + waitersOffset).assumingMemoryBound(to: Int.self)
  }

  /// Gives the mutex up until a change is signalled; `false` when the deadline passed first.
  @usableFromInline
  static func waitForChange(_ words: UnsafeMutableRawPointer, until deadline: MonotonicInstant?) -> Bool {
    let mutex = words.assumingMemoryBound(to: pthread_mutex_t.self)
    waiters(words).pointee += 1
    defer { waiters(words).pointee -= 1 }
    guard let deadline else {
      pthread_cond_wait(condition(words), mutex)
      return true
    }
    var time = deadline.timespec
    return pthread_cond_timedwait(condition(words), mutex, &time) == 0
  }

  @usableFromInline
  static func wakeAll(_ words: UnsafeMutableRawPointer) {
    pthread_cond_broadcast(condition(words))
  }
}
