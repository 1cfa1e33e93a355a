internal import Glibc
internal import Linux
internal import MediaStreaming

/// Whether a machine of the network takes connections.
enum NetworkReach {
  private static let timeout: Int64 = 3_000_000_000

  /// Connects by TCP, and hangs up.
  ///
  /// Blocks for three seconds at most, beside the search for the name.
  /// - Throws: ``NetworkProblem``: `unreachable`, `refused`, `silent`, `over`.
  static func connect(to host: String, _ port: UInt16, isOver: () -> Bool) throws(NetworkProblem) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    // Brackets are the URL's.
    let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    guard getaddrinfo(name, "\(port)", &hints, &found) == 0, let first = found else {
      throw NetworkProblem(.unreachable, "there is no machine of that name, or no way to it")
    }
    defer { freeaddrinfo(first) }
    var problem = NetworkProblem(.unreachable, "there is no way to it")
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let place = next, !isOver() {
      next = place.pointee.ai_next
      switch outcome(place.pointee) {
      case 0: return
      case ECONNREFUSED: problem = NetworkProblem(.refused, "nothing listens there")
      case ETIMEDOUT: problem = NetworkProblem(.silent, "it does not answer")
      default: break
      }
    }
    throw problem
  }

  /// 0, or the error of a connection to one address.
  private static func outcome(_ place: addrinfo) -> Int32 {
    let number = socket(
      place.ai_family, place.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return errno }
    let end = Descriptor(adopting: number)
    if Glibc.connect(end.number, place.ai_addr, place.ai_addrlen) == 0 { return 0 }
    guard errno == EINPROGRESS else { return errno }
    var waiting = pollfd(fd: end.number, events: Int16(POLLOUT), revents: 0)
    guard poll(&waiting, 1, Int32(timeout / 1_000_000)) > 0 else { return ETIMEDOUT }
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(end.number, SOL_SOCKET, SO_ERROR, &error, &size)
    return error
  }
}
