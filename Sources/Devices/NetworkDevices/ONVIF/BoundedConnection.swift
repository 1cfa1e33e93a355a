internal import Glibc
internal import Linux
package import MediaStreaming

/// A source of an answer's bytes.
package protocol AnswerSource {
  /// The next bytes; empty at the end.
  mutating func next() throws(NetworkProblem) -> [UInt8]
}

/// A connection by TCP whose every wait ends with one deadline.
struct BoundedConnection: AnswerSource {
  /// How often the clock is asked while nothing comes.
  static let tick: Int32 = 50

  private let end: Descriptor
  private let deadline: MonotonicInstant
  private let now: @Sendable () -> MonotonicInstant

  /// Connects.
  ///
  /// - Throws: ``NetworkProblem``: `unreachable`, `refused`, `silent`.
  init(
    to place: IPv4Place, until deadline: MonotonicInstant, _ now: @escaping @Sendable () -> MonotonicInstant
  ) throws(NetworkProblem) {
    let number = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw NetworkProblem(.other, "there is no descriptor left for it") }
    end = Descriptor(adopting: number)
    self.deadline = deadline
    self.now = now
    var error: Int32 = place.withSocketAddress { Glibc.connect(number, $0, $1) == 0 ? 0 : errno }
    if error == EINPROGRESS {
      try wait(for: Int16(POLLOUT))
      var size = socklen_t(MemoryLayout<Int32>.size)
      error = 0
      getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size)
    }
    switch error {
    case 0: break
    case ECONNREFUSED: throw NetworkProblem(.refused, "nothing listens there")
    case ETIMEDOUT: throw NetworkProblem(.silent, "it does not answer")
    default: throw NetworkProblem(.unreachable, "there is no way to it")
    }
  }

  /// Sends all of it.
  func send(_ bytes: [UInt8]) throws(NetworkProblem) {
    var sent = 0
    while sent < bytes.count {
      try wait(for: Int16(POLLOUT))
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(end.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { throw NetworkProblem(.ended, "it hangs up") }
      sent += count
    }
  }

  func next() throws(NetworkProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 8192)
    while true {
      try wait(for: Int16(POLLIN))
      let count = recv(end.number, &bytes, bytes.count, 0)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count >= 0 else { throw NetworkProblem(.ended, "it hangs up") }
      return Array(bytes.prefix(count))
    }
  }

  private func wait(for events: Int16) throws(NetworkProblem) {
    while now() < deadline {
      var watched = pollfd(fd: end.number, events: events, revents: 0)
      if poll(&watched, 1, Self.tick) > 0 { return }
    }
    throw NetworkProblem(.silent, "it does not answer")
  }
}
