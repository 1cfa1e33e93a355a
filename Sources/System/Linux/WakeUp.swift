internal import Glibc

/// A flag in the kernel that wakes a thread which waits upon descriptors.
///
/// Put ``descriptor`` into a `poll` beside the device's own. Any number of calls of ``signal()`` before a ``clear()``
/// count as one. Thread-safe. C: `pipe`; Swift's Glibc module has no `eventfd`.
package final class WakeUp: Sendable {
  /// Readable while signalled.
  package let descriptor: Descriptor
  private let sender: Descriptor

  /// Makes a flag that is not signalled.
  ///
  /// - Throws: ``SystemError`` when the process has too many files open.
  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last("make a wake-up descriptor") }
    descriptor = Descriptor(adopting: ends[0])
    sender = Descriptor(adopting: ends[1])
    for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) != 0 || fcntl(end, F_SETFL, O_NONBLOCK) != 0 {
      throw .last("make a wake-up descriptor")
    }
  }

  /// Wakes the thread that waits, or the next one that will.
  package func signal() {
    var one: UInt8 = 1
    // Fails only when the pipe is full, and then it is signalled already.
    _ = write(sender.number, &one, 1)
  }

  /// Takes the signal back; does nothing when there is none.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor.number, &bytes, bytes.count) == bytes.count {}
  }

  /// The event that ended a wait.
  package enum Event: Sendable, Hashable {
    /// ``signal()`` was called. Wins when both are true.
    case signalled
    /// The other descriptor can be read, or has an exceptional condition.
    case ready
    /// The other descriptor is gone or broken.
    case hungUp
    /// The deadline passed.
    case timedOut
  }

  /// Blocks until this is signalled, `other` can be read, or the deadline passes.
  ///
  /// - Parameters:
  ///   - other: A descriptor to wait upon, too; `nil` waits for the signal only.
  ///   - deadline: When to give up, rounded up to whole milliseconds; `nil` waits for ever.
  /// - Returns: What came first; the signal is not cleared.
  package func wait(for other: Descriptor? = nil, until deadline: MonotonicInstant? = nil) -> Event {
    var descriptors = [pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)]
    if let other { descriptors.append(pollfd(fd: other.number, events: Int16(POLLIN | POLLPRI), revents: 0)) }
    while true {
      let left = deadline.map { max(0, $0.nanoseconds - MonotonicInstant.now.nanoseconds) }
      let milliseconds = left.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
      let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
      if count == 0 { return .timedOut }
      if count < 0 {
        // A signal handler ran; every other failure means a descriptor that cannot be waited upon.
        if errno == EINTR { continue }
        return .hungUp
      }
      if descriptors[0].revents != 0 { return .signalled }
      let events = Int32(descriptors[1].revents)
      return events & (POLLIN | POLLPRI) != 0 ? .ready : .hungUp
    }
  }
}
