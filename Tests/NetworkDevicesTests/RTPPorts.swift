import Glibc
import Linux
import NetworkStage

/// Two neighbouring ports of UDP: from the first an RTSP server sends packets, on the second it takes reports, which it does not read.
final class RTPPorts: Sendable {
  /// The first one's number.
  let number: UInt16
  private let packets: Descriptor
  private let reports: Descriptor

  init() throws {
    (number, packets, reports) = try Self.pair()
  }

  /// Sends a packet to a port of this machine.
  func send(_ bytes: [UInt8], to port: UInt16) {
    var place = LocalSocket.place(port)
    _ = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          packets.number, bytes, bytes.count, Int32(MSG_DONTWAIT), $0,
          socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func pair() throws -> (UInt16, Descriptor, Descriptor) {
    // The neighbour of a port that is free may be taken.
    for _ in 0..<100 {
      let first = try LocalSocket.datagrams()
      let packets = Descriptor(adopting: first.number)
      guard first.port < .max, let second = try? LocalSocket.datagrams(on: first.port + 1) else { continue }
      return (first.port, packets, Descriptor(adopting: second.number))
    }
    throw SystemError("find two neighbouring ports", errno: EADDRINUSE)
  }
}
