import CaptureDevice
import MediaStreaming
import SeededNumbers
import Testing

@Suite("Stress: RTSP")
struct RTSPStressTests {
  private static let conversation =
    Array("RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: A, B\r\n\r\n".utf8)
    + PacketMaker.interleaved([1, 2, 3, 4, 5])
    + Array("OPTIONS * RTSP/1.0\r\nCSeq: 2\r\nContent-Length: 4\r\n\r\nabcd".utf8)
    + PacketMaker.interleaved([UInt8](repeating: 0x0A, count: 300), channel: 9)

  @Test func `changed conversations are read or refused, and never more`() throws {
    var numbers = SeededGenerator(usual: 2326)
    for _ in 0..<FuzzCount(usual: 300, all: 20_000).value {
      let bytes = numbers.changed(Self.conversation)
      let buffer = RTSPBuffer()
      var taken = 0
      var place = 0
      do {
        while place < bytes.count {
          let piece = Array(bytes[place..<min(bytes.count, place + Int.random(in: 1...90, using: &numbers))])
          place += piece.count
          try buffer.fill { memory in
            memory.copyBytes(from: piece)
            return piece.count
          }
          while let item = try buffer.next() {
            switch item {
            case .packet(_, let packet): taken += 4 + packet.count
            case .message(let message): taken += message.body.count
            }
          }
        }
      } catch {
        #expect(!"\(error)".isEmpty)
      }
      #expect(taken <= bytes.count)
    }
  }

  @Test func `changed descriptions give streams of known kinds, or none`() {
    var numbers = SeededGenerator(usual: 8866)
    let whole = Array(
      CodedUnits.description(.h264, sets: [[0x67, 1, 2, 3], [0x68, 1]], hasAudio: true).utf8)
    for _ in 0..<FuzzCount(usual: 300, all: 20_000).value {
      for medium in SessionDescription(numbers.changed(whole)).media {
        #expect((0...127).contains(medium.payloadType) && medium.text.utf8.count < 2 * whole.count)
        #expect(medium.rate >= 0 && medium.rate.isFinite)
      }
    }
    #expect(SessionDescription(whole).media.count == 2)
  }

  @Test(arguments: [FrameEncoding.h264, .hevc])
  func `changed packets give pictures, or none, and the stream goes on`(encoding: FrameEncoding) throws {
    var numbers = SeededGenerator(usual: 3550)
    let pictures = try StreamPictures(encoding)
    let units = try pictures.first
    let last = try #require(units.last)
    for _ in 0..<FuzzCount(usual: 20, all: 1000).value {
      var maker = PacketMaker()
      let whole = maker.picture(units, time: 3000)
      var wrong = maker.picture(pictures.sets + units, time: 6000)
      wrong += maker.fragments(last, of: last.count / 3, time: 9000, isHEVC: encoding == .hevc)
      wrong = wrong.map { numbers.changed($0) }
      let farewell = Array("TEARDOWN rtsp://a/ RTSP/1.0\r\nCSeq: 7\r\n\r\n".utf8)
      let camera = try ScriptedCamera(
        ScriptedCamera.stream(
          pictures.description(), (whole + wrong).flatMap { PacketMaker.interleaved($0) } + farewell))
      let input = try camera.open()
      #expect(try input.next()?.copied == StreamPictures.joined(units))
      var count = 0
      var end: NetworkProblem?
      while end == nil {
        do throws(NetworkProblem) {
          _ = try input.next()
          count += 1
        } catch {
          end = error
        }
      }
      #expect(end?.kind == .ended && count <= wrong.count)
    }
  }
}
