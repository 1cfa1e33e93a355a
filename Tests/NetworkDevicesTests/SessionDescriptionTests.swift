import Foundation
import MediaStreaming
import Testing

@Suite("Descriptions of streams")
struct SessionDescriptionTests {
  @Test func `streams have their lines, and those of the whole`() throws {
    let text = """
      v=0
      o=- 1 1 IN IP4 10.0.0.1
      a=control:rtsp://a/b/
      m=video 0 RTP/AVP 96 97
      b=AS:5000
      a=framerate:12.5
      a=rtpmap:96 H264/90000
      a=rtpmap:97 H265/90000
      a=fmtp:96 packetization-mode=1
      a=control:track1
      a=IsRealDataType:integer;1
      m=application 0 RTP/AVP 98
      a=control:track2
      m=audio 0 RTP/AVP 8
      """
    let description = SessionDescription(Array(text.utf8))
    #expect(description.control == "rtsp://a/b/" && description.media.map(\.payloadType) == [96, 8])
    let video = try #require(description.media.first)
    #expect(video.isVideo && video.rate == 12.5 && video.control == "track1")
    #expect(
      video.text.hasSuffix(
        "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1\r\n"))
    let audio = try #require(description.media.last)
    #expect(!audio.isVideo && audio.rate == 0 && audio.control == nil)
  }

  @Test func `what is no stream by RTP is passed over`() {
    for line in [
      "m=video 0 udp 33", "m=video 0 RTP/AVP", "m=video 0 RTP/AVP 128", "m=video 0 RTP/AVP x", "m=", "video",
    ] {
      #expect(SessionDescription(Array("v=0\r\n\(line)\r\n".utf8)).media.isEmpty, "\(line)")
    }
    let many = String(repeating: "m=audio 0 RTP/AVP 0\r\n", count: 100)
    #expect(SessionDescription(Array(many.utf8)).media.count == SessionDescription.mostMedia)
    #expect(SessionDescription([]).media.isEmpty && SessionDescription([0xFF, 0x6D, 0x3D]).media.isEmpty)
  }
}
