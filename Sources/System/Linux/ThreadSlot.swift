internal import Glibc

/// A reference that each thread has for itself while a scope lasts.
///
/// Made once for the process, as a static constant; slots are never given back. Thread-safe; reading costs some nanoseconds.
public struct ThreadSlot<Object: AnyObject & Sendable>: Sendable {
  private let key: pthread_key_t

  /// A slot that is empty on every thread.
  ///
  /// C: `pthread_key_create`.
  public init() {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "The process has no room for another thread-specific value.")
    self.key = key
  }

  /// What the calling thread has.
  public var object: Object? {
    pthread_getspecific(key).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` while the calling thread has `object`, which is kept meanwhile; then it has what it had before.
  public func with<Result, Failure: Error>(
    _ object: Object, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let former = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(object).toOpaque())
    defer {
      pthread_setspecific(key, former)
      withExtendedLifetime(object) {}
    }
    return try body()
  }
}
