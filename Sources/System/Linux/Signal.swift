internal import Glibc

/// What one thread sleeps upon and others wake it by; a wake-up before the sleep is not lost.
///
/// Nothing but a sleep and a wake-up: what they are about is kept under a lock elsewhere. A ``Monitor`` can do the same;
/// this passes less code on the way, which is what counts on a thread that wakes for each frame. Thread-safe.
/// C: `sem_t`.
package final class Signal: @unchecked Sendable {  // Safe because the semaphore is the only state.
  private let semaphore: UnsafeMutablePointer<sem_t>

  /// Nobody has sent yet.
  package init() {
    semaphore = .allocate(capacity: 1)
    semaphore.initialize(to: sem_t())
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deinitialize(count: 1)
    semaphore.deallocate()
  }

  /// Wakes the thread that sleeps, or lets the next sleep end at once.
  package func send() {
    sem_post(semaphore)
  }

  /// Sleeps until somebody sends; may wake without a reason.
  package func wait() {
    sem_wait(semaphore)
  }
}
