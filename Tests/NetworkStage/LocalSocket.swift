package import Glibc
import Linux

/// Sockets of this machine's own network, which the caller closes.
package enum LocalSocket {
  /// One that takes connections.
  ///
  /// - Parameter port: Its port; 0 for any.
  package static func listening(on port: UInt16 = 0) throws -> (number: Int32, port: UInt16) {
    let made = try open(Int32(SOCK_STREAM.rawValue), port)
    guard listen(made.number, 8) == 0 else {
      close(made.number)
      throw SystemError.last("take connections")
    }
    return made
  }

  /// One of UDP.
  ///
  /// - Parameter port: Its port; 0 for any.
  package static func datagrams(on port: UInt16 = 0) throws -> (number: Int32, port: UInt16) {
    try open(Int32(SOCK_DGRAM.rawValue), port)
  }

  /// The address of a port of this machine.
  package static func place(_ port: UInt16) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return place
  }

  private static func open(_ kind: Int32, _ port: UInt16) throws -> (number: Int32, port: UInt16) {
    let number = socket(AF_INET, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    if kind == Int32(SOCK_STREAM.rawValue) {
      setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    var place = Self.place(port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, size) == 0 && getsockname(number, $0, &size) == 0
      }
    }
    guard isBound else {
      let error = SystemError.last("open a socket of the machine's own network")
      close(number)
      throw error
    }
    return (number, UInt16(bigEndian: place.sin_port))
  }
}
