internal import Glibc

extension WakeUp {
  /// Blocks until this is signalled, or until one of several descriptors has something: bytes, a connection, or the news that its other end
  /// is gone.
  ///
  /// - Returns: The places in `others` of those that have; `nil` when this is signalled, which is not cleared, and when the system has no
  ///   memory to wait with.
  package func wait(forAnyOf others: [Descriptor]) -> [Int]? {
    var polled = ([descriptor] + others).map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, nfds_t(polled.count), -1) < 0 {
      guard errno == EINTR else { return nil }
    }
    guard polled[0].revents == 0 else { return nil }
    return others.indices.filter { polled[$0 + 1].revents != 0 }
  }
}
