import Foundation
import MediaStreaming
import Testing

@Suite("Messages by RTSP")
struct RTSPMessageTests {
  /// What a buffer finds in pieces.
  private func found(_ pieces: [[UInt8]]) throws -> [String] {
    let buffer = RTSPBuffer()
    var found: [String] = []
    for piece in pieces {
      try buffer.fill { memory in
        memory.copyBytes(from: piece)
        return piece.count
      }
      while let item = try buffer.next() {
        switch item {
        case .packet(let channel, let bytes): found.append("\(channel): \(Array(bytes))")
        case .message(let message): found.append("\(message.start) \(message.body)")
        }
      }
    }
    return found
  }

  @Test func `messages and packets are found however they are cut`() throws {
    let text = "RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-length: 3\r\n\r\nabc\r\nOPTIONS * RTSP/1.0\nCSeq: 2\n\n"
    let bytes = [36, 7, 0, 2, 13, 10] + Array(text.utf8) + [36, 1, 0, 0]
    let whole = [
      "7: [13, 10]", "answer(status: 200) [97, 98, 99]", "request(method: \"OPTIONS\", address: \"*\") []",
      "1: []",
    ]
    #expect(try found([bytes]) == whole)
    for cut in bytes.indices {
      #expect(try found([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "\(cut)")
    }
    #expect(try found(bytes.map { [$0] }) == whole)
  }

  @Test func `packets pass a buffer that is smaller than all of them`() throws {
    let packet = [36, 0, 0xFF, 0xFF] + [UInt8](repeating: 9, count: 65_535)
    let pieces = stride(from: 0, to: 40 * packet.count, by: 30_000).map { start in
      (start..<min(start + 30_000, 40 * packet.count)).map { packet[$0 % packet.count] }
    }
    #expect(try found(pieces).count == 40)
  }

  @Test func `fields are found by their names in small letters, and may go on in a next line`() throws {
    let head =
      "RTSP/1.0 401 Unauthorized\r\nCSEQ: 5\r\nWWW-Authenticate: Digest realm=\"a: b\",\r\n\tnonce=\"c\"\r\n"
      + "www-authenticate:Basic\r\nnothing\r\n\r\n"
    let message = try #require(RTSPMessage(head: Array(head.utf8)))
    #expect(message.status == 401 && message.number == 5 && message.length == 0)
    #expect(message.values("www-authenticate") == ["Digest realm=\"a: b\", nonce=\"c\"", "Basic"])
    for wrong in [
      "", "RTSP/1.0", "RTSP/1.0 OK 200", "RTSP/1.0 20 OK", "GET /", "GET / HTTP/1.1", "a b c RTSP/1.0",
    ] {
      #expect(RTSPMessage(head: Array(wrong.utf8)) == nil, "\(wrong)")
    }
  }

  @Test func `what is sent is read again`() throws {
    var message = RTSPMessage(
      .request(method: "PLAY", address: "rtsp://a/b"), fields: [("CSeq", "1"), ("Range", "npt=0-")])
    message.body = [1]
    #expect(message.bytes == Array("PLAY rtsp://a/b RTSP/1.0\r\nCSeq: 1\r\nRange: npt=0-\r\n\r\n".utf8) + [1])
    let read = try #require(RTSPMessage(head: message.bytes.dropLast()))
    #expect(read.start == message.start && read["range"] == "npt=0-")
  }

  @Test func `how a stream is sent is read as cameras write it`() {
    let tcp = RTSPTransport("RTP/AVP/TCP;unicast;interleaved=2-3;ssrc=1A")
    #expect(tcp?.isInterleaved == true && tcp?.channels?.media == 2 && tcp?.channels?.reports == 3)
    #expect(RTSPTransport("rtp/avp/tcp;Interleaved=255")?.channels?.reports == 0)
    let udp = RTSPTransport(
      "RTP/AVP;unicast;source=10.0.0.1;client_port=1-2;server_port=5000-5001, RTP/AVP/TCP")
    #expect(udp?.isInterleaved == false && udp?.ports?.media == 5000 && udp?.ports?.reports == 5001)
    #expect(udp?.source == "10.0.0.1" && RTSPTransport("RTP/AVP;server_port=99999")?.ports == nil)
    #expect(RTSPTransport("") == nil && RTSPTransport("MP2T/H2221/UDP") == nil)
  }

  @Test func `addresses of streams are those that cameras mean`() {
    func address(_ control: String?, _ base: String) -> String { RTSPAddress.resolve(control, base: base) }
    #expect(address("track1", "rtsp://a/b/") == "rtsp://a/b/track1")
    #expect(address("track1", "rtsp://a/b") == "rtsp://a/b/track1")
    #expect(address("trackID=1", "rtsp://a/b?c=d") == "rtsp://a/b?c=d/trackID=1")
    #expect(address("*", "rtsp://a/b") == "rtsp://a/b" && address(nil, "rtsp://a/b") == "rtsp://a/b")
    #expect(address("/c", "rtsp://a:5/b") == "rtsp://a:5/c")
    #expect(address("rtsp://a/c", "rtsp://a/b") == "rtsp://a/c")
    #expect(address("rtsp://me:s3cret@a/c", "rtsp://a/b") == "rtsp://a/c")
    for wrong in [
      "http://a/", "rtsp://", "rtsp://a:0/", "rtsp://a b/", "rtsp://a/\u{e4}", "rtsp://a%3Flisten=1/", "",
    ] {
      #expect(RTSPAddress(wrong) == nil, "\(wrong)")
    }
  }
}
