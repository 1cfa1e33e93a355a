internal import Glibc

/// An address and port of the network, version 4.
package struct IPv4Place: Sendable, Hashable {
  /// The address in the order of the network.
  let address: UInt32
  /// The port; 0 lets the kernel choose.
  package var port: UInt16

  init(address: UInt32, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Reads four numbers with points between them; `nil` for anything else.
  package init?(_ text: String, port: UInt16) {
    var address = in_addr()
    guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
    self.init(address: address.s_addr, port: port)
  }

  /// The address as text.
  package var host: String {
    let number = UInt32(bigEndian: address)
    return [24, 16, 8, 0].map { "\(number >> $0 & 0xFF)" }.joined(separator: ".")
  }

  /// The addresses of a machine's name; none where there is no such machine.
  ///
  /// Blocks while the name is looked for.
  static func addresses(of name: String) -> [UInt32] {
    var hints = addrinfo()
    hints.ai_family = AF_INET
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &found) == 0, let first = found else { return [] }
    defer { freeaddrinfo(first) }
    var result: [UInt32] = []
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let one = next {
      next = one.pointee.ai_next
      guard let place = one.pointee.ai_addr, place.pointee.sa_family == sa_family_t(AF_INET) else { continue }
      place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { result.append($0.pointee.sin_addr.s_addr) }
    }
    return result
  }

  /// Calls `body` with the address as sockets take it.
  func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = address
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}
