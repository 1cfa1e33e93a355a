public import Glibc

/// The locks that the calling thread holds, as debug builds count them; release builds count nothing.
///
/// Two mistakes are found where they are made, not where they hang: taking a lock that the thread holds already, and calling
/// a client, or closing a device, while a lock is held.
public enum HeldLocks {
  /// Stops the program when the calling thread holds a lock: `place` calls clients or waits for devices, and a lock that they
  /// need would never come free.
  ///
  /// Does nothing in release builds.
  @inlinable @inline(__always)
  public static func assertNone(in place: StaticString) {
    #if DEBUG
      let count = HeldLockStack.count
      if count > 0 { HeldLockStack.fail(place, count) }
    #endif
  }
}

#if DEBUG
  /// The addresses of the mutexes that the calling thread holds, in the order in which it took them.
  @usableFromInline
  enum HeldLockStack {
    private static let capacity = 64

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key) { free($0) }
      return key
    }()

    /// The count, and behind it the addresses; made when the thread takes its first lock.
    private static var words: UnsafeMutablePointer<UInt> {
      if let words = pthread_getspecific(key) { return words.assumingMemoryBound(to: UInt.self) }
      let words = UnsafeMutablePointer<UInt>.allocate(capacity: capacity + 1)
      words.initialize(repeating: 0, count: capacity + 1)
      pthread_setspecific(key, words)
      return words
    }

    @usableFromInline
    static var count: Int {
      pthread_getspecific(key).map { Int($0.assumingMemoryBound(to: UInt.self).pointee) } ?? 0
    }

    /// Notes a mutex that is about to be locked.
    @usableFromInline
    static func push(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
      let words = words
      let count = Int(words[0])
      let address = UInt(bitPattern: mutex)
      for index in 0..<count where words[index + 1] == address {
        preconditionFailure(
          "A thread takes a lock that it holds already, and would wait for itself for ever.")
      }
      precondition(
        count < capacity, "A thread holds \(count) locks and takes one more; is one never given back?")
      words[count + 1] = address
      words[0] += 1
    }

    /// Forgets a mutex that is about to be unlocked.
    @usableFromInline
    static func pop(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
      let words = words
      let address = UInt(bitPattern: mutex)
      var index = Int(words[0])
      while index > 0, words[index] != address { index -= 1 }
      precondition(index > 0, "A thread gives back a lock that it does not hold.")
      while index < Int(words[0]) {
        words[index] = words[index + 1]
        index += 1
      }
      words[0] -= 1
    }

    @usableFromInline
    static func fail(_ place: StaticString, _ count: Int) -> Never {
      preconditionFailure(
        "\(place) runs while its thread holds \(count) lock(s); give them back first, since it may need one of them."
      )
    }
  }
#endif

/// Takes a mutex; in debug builds a thread that holds it already is stopped with a sentence.
@inlinable @inline(__always)
func take(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
  #if DEBUG
    HeldLockStack.push(mutex)
  #endif
  pthread_mutex_lock(mutex)
}

/// Gives a mutex back.
@inlinable @inline(__always)
func giveBack(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
  pthread_mutex_unlock(mutex)
  #if DEBUG
    HeldLockStack.pop(mutex)
  #endif
}
