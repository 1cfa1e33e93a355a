internal import Glibc

/// The address of a machine, of version 4 or 6.
struct SocketPlace: Hashable {
  private static let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  let family: Int32
  /// 4 or 16 bytes; one of version 4 that is written as of version 6 has 4.
  let address: [UInt8]
  /// The interface of an address that holds for one network alone.
  private let scope: UInt32

  private init(family: Int32, address: [UInt8], scope: UInt32 = 0) {
    self.family = family
    self.address = address
    self.scope = scope
  }

  /// Reads the kernel's address; `nil` for one of another kind.
  init?(_ storage: sockaddr_storage) {
    var storage = storage
    switch Int32(storage.ss_family) {
    case AF_INET:
      let place = withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
      }
      self.init(family: AF_INET, address: withUnsafeBytes(of: place) { Array($0) })
    case AF_INET6:
      let place = withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee }
      }
      let address = withUnsafeBytes(of: place.sin6_addr) { Array($0) }
      let isOld = address.starts(with: Self.mapping)
      self.init(
        family: isOld ? AF_INET : AF_INET6, address: isOld ? Array(address.suffix(4)) : address,
        scope: place.sin6_scope_id)
    default: return nil
    }
  }

  /// The addresses of a machine.
  ///
  /// Blocks while the name is looked for.
  /// - Parameter isNumber: Whether it is an address already, so that no name is looked for.
  /// - Throws: ``NetworkProblem``: `unreachable`.
  static func places(of host: String, isNumber: Bool = false) throws(NetworkProblem) -> [SocketPlace] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_flags = isNumber ? AI_NUMERICHOST : 0
    var found: UnsafeMutablePointer<addrinfo>?
    let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    guard getaddrinfo(name, nil, &hints, &found) == 0, let first = found else {
      throw NetworkProblem(.unreachable, "there is no machine of that name, or no way to it")
    }
    defer { freeaddrinfo(first) }
    var places: [SocketPlace] = []
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let one = next {
      next = one.pointee.ai_next
      var storage = sockaddr_storage()
      guard let address = one.pointee.ai_addr,
        Int(one.pointee.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
      else { continue }
      memcpy(&storage, address, Int(one.pointee.ai_addrlen))
      if let place = SocketPlace(storage), !places.contains(place) { places.append(place) }
    }
    return places
  }

  /// Every address of this machine.
  static func any(isNew: Bool) -> SocketPlace {
    SocketPlace(family: isNew ? AF_INET6 : AF_INET, address: [UInt8](repeating: 0, count: isNew ? 16 : 4))
  }

  /// The address for a socket of version 6, which takes both, or of version 4.
  func mapped(isNew: Bool) -> SocketPlace {
    isNew && family == AF_INET ? SocketPlace(family: AF_INET6, address: Self.mapping + address) : self
  }

  /// Calls `body` with the address as sockets take it.
  func withAddress<Result>(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    var size = MemoryLayout<sockaddr_in>.size
    if family == AF_INET6 {
      size = MemoryLayout<sockaddr_in6>.size
      var place = sockaddr_in6()
      place.sin6_family = sa_family_t(AF_INET6)
      place.sin6_port = port.bigEndian
      place.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &place.sin6_addr) { $0.copyBytes(from: address) }
      memcpy(&storage, &place, size)
    } else {
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &place.sin_addr) { $0.copyBytes(from: address) }
      memcpy(&storage, &place, size)
    }
    return withUnsafePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }
}
