internal import Glibc
internal import Linux

/// Two neighbouring ports of this machine: one for a stream's packets, the next one for reports on them.
///
/// Takes what comes of the camera's machine alone. Used by one thread.
///
/// Source: RFC 3550, section 11.
final class UDPPair {
  private static let tries = 32
  /// Behind those that the kernel gives to programs that ask for any.
  private static let lowest: UInt16 = 20_000
  private static let highest: UInt16 = 32_000
  private static let memory: Int32 = 1 << 20
  private static let mostBytes = 1 << 16

  /// The first one's number, which is even.
  let port: UInt16
  private let ends: [Descriptor]
  /// Whether they are of version 6, which takes packets of both.
  private let isNew: Bool
  private var senders: Set<[UInt8]>
  private var places: [SocketPlace]
  private var ports: (media: UInt16, reports: UInt16)?
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: mostBytes, alignment: 16)

  /// Opens the ports for a machine.
  ///
  /// - Throws: ``NetworkProblem``: `unreachable` for a machine of no name, `other` where no ports are free.
  init(for host: String) throws(NetworkProblem) {
    places = try SocketPlace.places(of: host)
    senders = Set(places.map(\.address))
    var found = places.contains { $0.family == AF_INET6 } ? Self.open(isNew: true) : nil
    isNew = found != nil
    // A machine may know of addresses of version 6, and have none.
    if found == nil { found = Self.open(isNew: false) }
    guard let found else { throw NetworkProblem(.other, "no two ports are free for what it sends") }
    (port, ends) = found
  }

  deinit { bytes.deallocate() }

  private static func open(isNew: Bool) -> (UInt16, [Descriptor])? {
    for _ in 0..<tries {
      let port = UInt16.random(in: lowest..<highest) & ~1
      let ends = [port, port + 1].compactMap { open($0, isNew: isNew) }
      if ends.count == 2 { return (port, ends) }
    }
    return nil
  }

  private static func open(_ port: UInt16, isNew: Bool) -> Descriptor? {
    let number = socket(
      isNew ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
      0)
    guard number >= 0 else { return nil }
    let end = Descriptor(adopting: number)
    var memory = Self.memory
    setsockopt(number, SOL_SOCKET, SO_RCVBUF, &memory, socklen_t(MemoryLayout<Int32>.size))
    if isNew {
      var no: Int32 = 0
      setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
    }
    return SocketPlace.any(isNew: isNew).withAddress(port: port) { bind(number, $0, $1) == 0 } ? end : nil
  }

  /// The descriptors to wait for.
  var waits: [pollfd] { ends.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) } }

  /// Takes the camera's word for its ports and for the machine that sends, and opens the way to them through what lies between.
  func begin(_ transport: RTSPTransport) {
    ports = transport.ports
    if let source = transport.source, let others = try? SocketPlace.places(of: source, isNumber: true) {
      // Some give an address of a network of their own.
      places += others.filter { !places.contains($0) }
      senders.formUnion(others.map(\.address))
    }
    // A packet without content, and a report without one.
    send([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], isReport: false)
    send([0x80, 201, 0, 1, 0, 0, 0, 0], isReport: true)
  }

  /// Sends to the camera; what cannot be sent is lost.
  func send(_ packet: [UInt8], isReport: Bool) {
    guard let ports else { return }
    for place in places where isNew || place.family == AF_INET {
      place.mapped(isNew: isNew).withAddress(port: isReport ? ports.reports : ports.media) {
        _ = sendto(ends[isReport ? 1 : 0].number, packet, packet.count, Int32(MSG_NOSIGNAL), $0, $1)
      }
    }
  }

  /// The next packet that has come, whose bytes live until the next call; `nil` for none.
  func next(isReport: Bool) -> UnsafeRawBufferPointer? {
    while true {
      var place = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(ends[isReport ? 1 : 0].number, bytes.baseAddress, bytes.count, 0, $0, &size)
        }
      }
      guard count >= 0 else { return nil }
      guard senders.contains(SocketPlace(place)?.address ?? []), count > 0 else { continue }
      return UnsafeRawBufferPointer(rebasing: bytes[..<count])
    }
  }
}
