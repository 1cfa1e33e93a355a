internal import Glibc

/// A lock, and the state that is reached only under it.
///
/// Copies are the same lock. A thread that takes it twice, or gives back what it does not hold, stops the program. Apple:
/// `OSAllocatedUnfairLock`.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {  // Safe: touched under the mutex.
  /// The holder of a lock.
  ///
  /// Apple: `OSAllocatedUnfairLock.Ownership`.
  public enum Ownership: Hashable, Sendable {
    /// The calling thread.
    case owner
    /// Not the calling thread.
    case notOwner
  }

  private let box: MutexBox<State>

  /// A lock with a state that need not be safe to send.
  public init(uncheckedState initialState: State) {
    box = .make(initialState)
  }

  /// Runs the closure under the lock.
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    box.lock()
    defer { box.unlock() }
    return try box.withState(body)
  }

  /// Runs the closure under the lock.
  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
    try withLockUnchecked(body)
  }

  /// Runs the closure under the lock, if that is free.
  public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
    guard box.lockIfAvailable() else { return nil }
    defer { box.unlock() }
    return try box.withState(body)
  }

  /// Runs the closure under the lock, if that is free.
  public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
    try withLockIfAvailableUnchecked(body)
  }

  /// Stops the program unless the calling thread holds the lock, or does not.
  public func precondition(_ condition: Ownership) {
    let isOwner = box.isHeldByCaller
    Swift.precondition(
      condition == .owner ? isOwner : !isOwner,
      condition == .owner
        ? "The calling thread does not hold the lock." : "The calling thread holds the lock.")
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  /// A lock with a state.
  public init(initialState: State) {
    self.init(uncheckedState: initialState)
  }
}

extension OSAllocatedUnfairLock where State == Void {
  /// A lock without a state.
  public init() {
    self.init(uncheckedState: ())
  }

  /// Runs the closure under the lock.
  public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }

  /// Runs the closure under the lock.
  public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }

  /// Runs the closure under the lock, if that is free.
  public func withLockIfAvailable<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R? {
    try withLockIfAvailableUnchecked { _ in try body() }
  }

  /// Takes the lock.
  @available(*, noasync, message: "Use withLock; the thread may change at an await.")
  public func lock() {
    box.lock()
  }

  /// Gives the lock back.
  @available(*, noasync, message: "Use withLock; the thread may change at an await.")
  public func unlock() {
    box.unlock()
  }

  /// Takes the lock if it is free.
  @available(*, noasync, message: "Use withLockIfAvailable; the thread may change at an await.")
  public func lockIfAvailable() -> Bool {
    box.lockIfAvailable()
  }
}

/// A mutex that checks its owner, and the state behind it.
private final class MutexBox<State>: ManagedBuffer<State, pthread_mutex_t> {
  static func make(_ state: State) -> MutexBox<State> {
    let buffer = create(minimumCapacity: 1) { _ in state }
    buffer.withUnsafeMutablePointerToElements { mutex in
      mutex.initialize(to: pthread_mutex_t())
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
      pthread_mutex_init(mutex, &attributes)
      pthread_mutexattr_destroy(&attributes)
    }
    return unsafeDowncast(buffer, to: MutexBox<State>.self)
  }

  deinit {
    withUnsafeMutablePointerToElements { mutex in _ = pthread_mutex_destroy(mutex) }
  }

  func withState<R>(_ body: (inout State) throws -> R) rethrows -> R {
    try withUnsafeMutablePointerToHeader { try body(&$0.pointee) }
  }

  func lock() {
    let result = withUnsafeMutablePointerToElements { pthread_mutex_lock($0) }
    precondition(result == 0, "A thread takes a lock that it holds already.")
  }

  func lockIfAvailable() -> Bool {
    withUnsafeMutablePointerToElements { pthread_mutex_trylock($0) } == 0
  }

  func unlock() {
    let result = withUnsafeMutablePointerToElements { pthread_mutex_unlock($0) }
    precondition(result == 0, "A thread gives back a lock that it does not hold.")
  }

  var isHeldByCaller: Bool {
    withUnsafeMutablePointerToElements { mutex in
      // A moment that has passed: it waits for no other thread.
      var past = timespec()
      let result = pthread_mutex_timedlock(mutex, &past)
      if result == 0 { pthread_mutex_unlock(mutex) }
      return result == EDEADLK
    }
  }
}
