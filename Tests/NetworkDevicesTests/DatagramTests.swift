import Foundation
import Glibc
import MediaStreaming
import Testing

@Suite("Pictures by RTSP and UDP")
struct DatagramTests {
  /// A camera that sends by UDP alone, and these packets once it plays.
  private func camera(_ pictures: StreamPictures, _ packets: [[UInt8]]) throws -> ScriptedCamera {
    let plain = ScriptedCamera.stream(pictures.description(), [])
    let sender = try Sender()
    return try ScriptedCamera { request in
      switch request.method {
      case "SETUP":
        let wanted = request.value("Transport") ?? ""
        guard
          let port = wanted.components(separatedBy: "client_port=").dropFirst().first?.prefix(
            while: \.isNumber),
          let number = UInt16(port)
        else { return request.answer(461) }
        sender.port = number
        return request.answer(
          200,
          [
            "Session: 7",
            "Transport: RTP/AVP;unicast;client_port=\(number)-\(number + 1);server_port=\(sender.own)",
          ])
      case "PLAY":
        for packet in packets { sender.send(packet) }
        return request.answer()
      default: return plain(request)
      }
    }
  }

  /// The camera's end.
  private final class Sender: @unchecked Sendable {  // Safe: used by one connection's thread at a time.
    private let number: Int32
    let own: UInt16
    var port: UInt16 = 0

    init() throws {
      let end = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var place = Self.place(0)
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(end, $0, size) == 0 && getsockname(end, $0, &size) == 0
        }
      }
      number = end
      own = UInt16(bigEndian: place.sin_port)
      try #require(isBound)
    }

    deinit { close(number) }

    private static func place(_ port: UInt16) -> sockaddr_in {
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return place
    }

    func send(_ packet: [UInt8]) {
      var place = Self.place(port)
      withUnsafePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = sendto(number, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `a camera that refuses the connection's channels is asked for UDP`(usesUDP: Bool) throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let units = try pictures.first
    let camera = try camera(pictures, maker.picture(units, time: 3000))
    let packet = try #require(try camera.open { $0.usesUDP = usesUDP }.next())
    #expect(packet.copied == StreamPictures.joined(units) && !packet.isBroken)
    #expect(camera.requests.count { $0.method == "SETUP" } == (usesUDP ? 1 : 2))
  }

  @Test func `packets that come in another order are put in order`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let first = try pictures.first
    let slice = pictures.furtherSlice(try #require(first.last))
    let units = first + [slice, slice]
    let packets = maker.picture(units, time: 3000)
    // The first one says where numbers begin.
    let input = try camera(pictures, [packets[0]] + Array(packets.dropFirst().reversed())).open {
      $0.usesUDP = true
    }
    let packet = try #require(try input.next())
    #expect(packet.copied == StreamPictures.joined(units) && !packet.isBroken)
  }

  @Test func `a packet that never comes is a loss once others have waited for it`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    var sent = try maker.picture(pictures.first, time: 3000)
    maker.number &+= 1
    let second = try pictures.later(1)
    sent += maker.picture(second, time: 6000)
    sent += maker.picture(try pictures.later(2), time: 9000)
    let input = try camera(pictures, sent).open { $0.usesUDP = true }
    #expect(try input.next()?.isBroken == false)
    let broken = try #require(try input.next())
    #expect(broken.copied == StreamPictures.joined(second) && broken.isBroken)
    #expect(try input.next()?.isBroken == false)
  }

  @Test func `the connection's end is the stream's`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let camera = try camera(pictures, try maker.picture(pictures.first, time: 3000))
    let input = try camera.open { $0.usesUDP = true }
    #expect(try input.next()?.isBroken == false)
    camera.close()
    let problem = #expect(throws: NetworkProblem.self) { _ = try input.next() }
    #expect(problem?.kind == .ended)
  }
}
