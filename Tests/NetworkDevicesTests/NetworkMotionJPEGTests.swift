import CameraFrames
import CaptureDevice
import CoreMedia
import CoreVideo
import Foundation
import Linux
import NetworkDevices
import Testing
import Waiting

@Suite("Network cameras: motion JPEG", .serialized)
struct NetworkMotionJPEGTests {
  /// The frames that came, and those of them that a decoder took.
  private struct Tally: Sendable {
    /// Those that are one of the server's pictures, byte for byte, and marked as carried whole.
    var whole = 0
    /// Those of them that the decoder refused.
    var refused = 0
    /// Those that are none, and of these the ones that the decoder took all the same.
    var others = 0
    var othersTaken = 0
    var drops: [DropReason] = []
    var failure: CaptureDeviceError?
  }

  private let tally = Monitor(Tally())

  /// A stream of the server's camera, whose frames are decoded as they come.
  private func start(_ server: MotionJPEGServer) throws -> any CaptureStream {
    let provider = NetworkDeviceProvider(
      try NetworkAddress(server.address), name: "Door", timeout: 10_000_000_000)
    let camera = try #require(provider.devices().first)
    let format = try #require(camera.facts.formats.first)
    #expect(format.encoding == .motionJPEG && format.size == MotionJPEGServer.size)
    let stream = try camera.openStream(
      StreamConfiguration(format: format, frameDuration: format.frameDurations[0].lowerBound))
    let decoder = FrameDecoder()
    try stream.start { [tally, pictures = Set(server.pictures)] event in
      switch event {
      case .frame(let frame):
        let isTaken = (try? decoder.open(frame)).map { $0.width == MotionJPEGServer.size.width } ?? false
        var isWhole = false
        if case .jpeg(let data, MotionJPEGServer.size) = frame.picture, let bytes = try? data.dataBytes() {
          isWhole = pictures.contains(bytes) && frame.content.isIntact
        }
        tally.withLock { tally in
          if isWhole {
            tally.whole += 1
            if !isTaken { tally.refused += 1 }
          } else {
            tally.others += 1
            if isTaken { tally.othersTaken += 1 }
          }
        }
      case .dropped(let drop): tally.withLock { $0.drops.append(drop.reason) }
      case .failed(let error): tally.withLock { $0.failure = error }
      default: break
      }
    }
    return stream
  }

  @Test func `pictures come as they were sent, and are decoded`() throws {
    let server = try MotionJPEGServer()
    defer { server.close() }
    let stream = try start(server)
    #expect(tally.wait { $0.whole >= 30 })
    stream.stop()
    let seen = tally.now
    #expect(seen.refused == 0 && seen.others == 0 && seen.drops.isEmpty && seen.failure == nil)
  }

  @Test func `half a picture is refused by the decoder, and those behind it come whole`() throws {
    let server = try MotionJPEGServer()
    defer { server.close() }
    let stream = try start(server)
    #expect(tally.wait { $0.whole >= 3 })
    server.sendHalf()
    #expect(tally.wait { $0.others == 1 })
    let before = tally.now.whole
    #expect(tally.wait { $0.whole >= before + 3 })
    stream.stop()
    let seen = tally.now
    #expect(seen.others == 1 && seen.othersTaken == 0 && seen.refused == 0)
    #expect(seen.drops.isEmpty && seen.failure == nil)
  }

  @Test func `a picture in which the camera hangs up is dropped, and the stream fails`() throws {
    let server = try MotionJPEGServer()
    defer { server.close() }
    let stream = try start(server)
    #expect(tally.wait { $0.whole >= 3 })
    server.hangUpInPicture()
    #expect(tally.wait { $0.failure != nil })
    stream.stop()
    let seen = tally.now
    #expect(seen.failure?.code == .disconnected)
    #expect(seen.failure?.message.contains("it has ended its stream") == true)
    #expect(seen.drops == [.discontinuity] && seen.others == 0 && seen.refused == 0)
  }
}
