internal import Glibc
internal import Linux

/// A way on which cameras are asked for: a network of this machine, by multicast, or one machine.
package struct ProbeRoute: Sendable, Hashable {
  /// The port on which cameras are asked for.
  package static let port: UInt16 = 3702
  private static let everyCamera = "239.255.255.250"
  // Source: netdevice(7).
  private static let isUp: UInt32 = 0x1
  private static let isLoopback: UInt32 = 0x8
  private static let hasMulticast: UInt32 = 0x1000

  /// The name of the network's interface, or the machine's.
  package let name: String
  /// The own address on which answers come; `nil` for any.
  let source: IPv4Place?
  let destination: IPv4Place

  /// The networks of this machine on which many can be asked at once, without that of the machine itself.
  package static func everyNetwork() -> [ProbeRoute] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var routes: [ProbeRoute] = []
    var next = first
    while let one = next?.pointee {
      next = one.ifa_next
      guard let place = one.ifa_addr, place.pointee.sa_family == sa_family_t(AF_INET),
        let everyone = IPv4Place(everyCamera, port: port)
      else { continue }
      let flags = UInt32(one.ifa_flags)
      guard flags & isUp != 0, flags & hasMulticast != 0, flags & isLoopback == 0 else { continue }
      let address = place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr.s_addr }
      routes.append(
        ProbeRoute(
          name: String(cString: one.ifa_name), source: IPv4Place(address: address, port: 0),
          destination: everyone))
    }
    return routes
  }

  private init(name: String, source: IPv4Place?, destination: IPv4Place) {
    self.name = name
    self.source = source
    self.destination = destination
  }

  /// The way to one machine, `HOST` or `HOST:PORT`; `nil` where there is no such machine.
  ///
  /// Blocks while the name is looked for.
  package init?(to text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, !parts[0].isEmpty,
      let port = parts.count == 2 ? UInt16(parts[1]) : Self.port, port > 0,
      let address = IPv4Place.addresses(of: parts[0]).first
    else { return nil }
    self.init(name: text, source: nil, destination: IPv4Place(address: address, port: port))
  }

  /// A socket on which the question leaves and answers come; `nil` where the kernel gives none.
  func open() -> Descriptor? {
    let number = socket(
      AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return nil }
    let end = Descriptor(adopting: number)
    guard let source else { return end }
    var interface = in_addr(s_addr: source.address)
    let size = socklen_t(MemoryLayout<in_addr>.size)
    guard source.withSocketAddress({ bind(number, $0, $1) }) == 0,
      setsockopt(number, Int32(IPPROTO_IP), IP_MULTICAST_IF, &interface, size) == 0
    else { return nil }
    return end
  }

  /// Sends a question; whether the kernel took it.
  func send(_ bytes: [UInt8], from end: Descriptor) -> Bool {
    destination.withSocketAddress { place, size in
      sendto(end.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), place, size) == bytes.count
    }
  }
}
