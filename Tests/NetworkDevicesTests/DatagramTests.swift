import Foundation
import Linux
import MediaStreaming
import Testing

@Suite("Pictures by RTSP and UDP")
struct DatagramTests {
  /// A camera that sends by UDP alone, and these packets once it plays.
  private func camera(_ pictures: StreamPictures, _ packets: [[UInt8]]) throws -> ScriptedCamera {
    let plain = ScriptedCamera.stream(pictures.description(), [])
    let ports = try RTPPorts()
    let asked = Locked<UInt16>(0)
    return try ScriptedCamera { request in
      switch request.method {
      case "SETUP":
        let words = (request.value("Transport") ?? "").components(separatedBy: "client_port=")
        guard words.count == 2, let port = UInt16(words[1].prefix { $0.isNumber }) else {
          return request.answer(461)
        }
        asked.withLock { $0 = port }
        let answer =
          "RTP/AVP;unicast;client_port=\(port)-\(port + 1);server_port=\(ports.number)-\(ports.number + 1)"
        return request.answer(200, ["Session: 7", "Transport: \(answer)"])
      case "PLAY":
        let port = asked.withLock { $0 }
        for packet in packets { ports.send(packet, to: port) }
        return request.answer()
      default: return plain(request)
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

  @Test func `a camera that is asked for UDP, and sends by its connection alone, is not read`() throws {
    let pictures = try StreamPictures()
    let plain = ScriptedCamera.stream(pictures.description(), [])
    let camera = try ScriptedCamera { $0.method == "SETUP" ? $0.answer(461) : plain($0) }
    let problem = #expect(throws: NetworkProblem.self) { _ = try camera.open { $0.usesUDP = true } }
    #expect(problem?.kind == .noDatagrams)
  }

  @Test func `the error names a camera that refuses both TCP and UDP`() throws {
    let plain = ScriptedCamera.stream(try StreamPictures().description(), [])
    let camera = try ScriptedCamera { $0.method == "SETUP" ? $0.answer(461) : plain($0) }
    let problem = #expect(throws: NetworkProblem.self) { _ = try camera.open() }
    #expect(problem?.description == "it sends neither by its connection nor by UDP")
  }

  @Test func `packets that come in another order are put in order`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    let first = try pictures.first
    let slice = pictures.furtherSlice(try #require(first.last))
    let units = first + [slice, slice]
    let packets = maker.picture(units, time: 3000)
    // The first one says where numbers begin.
    let camera = try camera(pictures, [packets[0]] + Array(packets.dropFirst().reversed()))
    let input = try camera.open { $0.usesUDP = true }
    let packet = try #require(try input.next())
    #expect(packet.copied == StreamPictures.joined(units) && !packet.isBroken)
    withExtendedLifetime(camera) {}
  }

  @Test func `a packet that never comes is a loss once others have waited for it`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    var sent = try maker.picture(pictures.first, time: 3000)
    maker.number &+= 1
    let second = try pictures.later(1)
    sent += maker.picture(second, time: 6000)
    sent += maker.picture(try pictures.later(2), time: 9000)
    let camera = try camera(pictures, sent)
    let input = try camera.open { $0.usesUDP = true }
    #expect(try input.next()?.isBroken == false)
    let broken = try #require(try input.next())
    #expect(broken.copied == StreamPictures.joined(second) && broken.isBroken)
    #expect(try input.next()?.isBroken == false)
    withExtendedLifetime(camera) {}
  }

  @Test func `a farewell lets go of what waited for a packet that never came`() throws {
    let pictures = try StreamPictures()
    var maker = PacketMaker()
    var sent = try maker.picture(pictures.first, time: 3000)
    maker.number &+= 1
    sent += try maker.picture(pictures.later(1), time: 6000)
    let camera = try camera(pictures, sent + [PacketMaker.goodbye])
    let input = try camera.open { $0.usesUDP = true }
    #expect(try input.next()?.isBroken == false)
    #expect(try input.next()?.isBroken == true)
    let problem = #expect(throws: NetworkProblem.self) { _ = try input.next() }
    #expect(problem?.kind == .ended)
    withExtendedLifetime(camera) {}
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
