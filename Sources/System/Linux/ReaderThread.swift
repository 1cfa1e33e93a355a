internal import Glibc

/// A named thread that can be joined with a deadline: one per streaming device.
///
/// The thread begins at once and ends when its body returns; nothing can stop it from outside, so a body that waits must
/// wait upon something its owner can signal, such as a ``WakeUp``. Thread-safe.
package final class ReaderThread: Sendable {
  private let hasEnded: Monitor<Bool>
  private let handle: Locked<pthread_t?>
  private let identity: Locked<pthread_t?>

  /// Starts a thread that runs `body` once.
  ///
  /// - Parameters:
  ///   - name: What `top -H` and debuggers show; Linux keeps the first 15 bytes.
  ///   - stackByteCount: The size of the stack.
  /// - Throws: ``SystemError`` when the process may not have another thread.
  package init(
    name: String, stackByteCount: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    hasEnded = Monitor(false)
    handle = Locked(nil)
    identity = Locked(nil)

    let start = Start(name: name, body: body, hasEnded: hasEnded)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, max(stackByteCount, 1 << 17))
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(start).toOpaque()
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument)
    guard result == 0 else {
      Unmanaged<Start>.fromOpaque(argument).release()
      throw SystemError("start the thread \(name)", errno: result)
    }
    handle.withLock { $0 = thread }
    identity.withLock { $0 = thread }
  }

  deinit {
    // No thread joined it: the kernel frees the thread when it ends.
    if let thread = handle.withLock({ $0 }) { pthread_detach(thread) }
  }

  /// Whether the caller runs on this thread: then a join would wait for itself.
  package var isCurrent: Bool {
    identity.withLock { thread in thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Blocks until the body has returned.
  ///
  /// - Parameter deadline: When to give up; `nil` waits for ever.
  /// - Returns: Whether the thread has ended. `false` at once when called on the thread itself.
  @discardableResult
  package func join(until deadline: MonotonicInstant? = nil) -> Bool {
    guard !isCurrent else { return false }
    guard hasEnded.wait(until: deadline, for: { $0 }, then: { _ in true }) != nil else { return false }
    // The body is done, so this waits only for the thread's last instructions. The first caller does it.
    let thread = handle.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let thread { pthread_join(thread, nil) }
    return true
  }

  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void
    let hasEnded: Monitor<Bool>

    init(name: String, body: @escaping @Sendable () -> Void, hasEnded: Monitor<Bool>) {
      self.name = name
      self.body = body
      self.hasEnded = hasEnded
    }

    func run() {
      setName()
      body()
      hasEnded.withLock { $0 = true }
    }

    /// Swift's Glibc module has no `pthread_setname_np`.
    ///
    /// A thread without its name works as well.
    private func setName() {
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      let bytes = Array(name.utf8.prefix(15))
      _ = write(file, bytes, bytes.count)
      close(file)
    }
  }
}
