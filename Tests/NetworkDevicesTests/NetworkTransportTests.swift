import CaptureDevice
import Linux
import NetworkDevices
import Testing

@Suite("Network cameras: TCP and UDP", .serialized)
struct NetworkTransportTests {
  private func provider(_ server: RTSPServer, asked transport: RTSPServer.Transport) throws
    -> NetworkDeviceProvider
  {
    var address = try NetworkAddress(server.address)
    address.usesUDP = transport == .udp
    return NetworkDeviceProvider(address, name: "Door", timeout: 10_000_000_000)
  }

  private func stream(of camera: any CaptureDeviceDriver) throws -> any CaptureStream {
    try camera.openStream(
      StreamConfiguration(format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30)))
  }

  private var deadline: MonotonicInstant { .now.advanced(byNanoseconds: 30_000_000_000) }

  @Test func `a camera that is asked for datagrams streams from a key frame on`() throws {
    let server = try RTSPServer(over: .udp, hasAudio: true)
    defer { server.close() }
    let provider = try provider(server, asked: .udp)
    let devices = provider.devices()
    try #require(devices.map(\.facts.name) == ["Door", "Door, microphone"])
    let (pictures, sound) = (try stream(of: devices[0]), try devices[1].openStream(.audio()))
    let (frames, chunks) = (FrameLog(), FrameLog())
    try pictures.start(frames.receive)
    try sound.start(chunks.receive)
    #expect(frames.wait(until: deadline) { $0.frames.count >= 30 })
    #expect(chunks.wait(until: deadline) { $0.chunks >= 20 })
    pictures.stop()
    sound.stop()
    #expect(frames.now.frames.first?.isKeyFrame == true)
    #expect(frames.now.failure == nil && chunks.now.failure == nil)
  }

  @Test
  func
    `a camera that is asked for datagrams, and sends none, is not there, and the sentence says what to name`()
    throws
  {
    let server = try RTSPServer(over: .tcp)
    defer { server.close() }
    let provider = try provider(server, asked: .udp)
    #expect(provider.devices().isEmpty)
    #expect(
      provider.absences.map(\.message) == [
        "Door is not there: it does not send by UDP, as it was asked to; name tcp as its transport in cameras.json."
      ])
  }

  @Test func `a camera that refuses to send by its connection is asked for datagrams`() throws {
    let server = try RTSPServer(over: .udp)
    defer { server.close() }
    let stream = try stream(of: try #require(try provider(server, asked: .tcp).devices().first))
    let log = FrameLog()
    try stream.start(log.receive)
    #expect(log.wait(until: deadline) { $0.frames.count >= 3 })
    stream.stop()
  }

  @Test(arguments: [RTSPServer.Transport.tcp, .udp])
  func `a packet that is lost costs the frames up to the next key frame, and each of these is counted`(
    transport: RTSPServer.Transport
  ) throws {
    let server = try RTSPServer(over: transport)
    defer { server.close() }
    let provider = try provider(server, asked: transport)
    let stream = try stream(of: try #require(provider.devices().first))
    let log = FrameLog()
    try stream.start(log.receive)
    #expect(log.wait(until: deadline) { $0.frames.count >= 3 })
    // Frames before the first key frame were dropped, too.
    let last = try #require(log.now.frames.last).sequence
    server.lose(1)
    #expect(
      log.wait(until: deadline) { log in
        guard let lost = log.drops.first(where: { $0.sequence > last }) else { return false }
        return log.frames.contains { $0.sequence > lost.sequence }
      })
    stream.stop()
    let whole = log.now
    let lost = try #require(whole.drops.first { $0.sequence > last })
    let next = try #require(whole.frames.first { $0.sequence > lost.sequence })
    #expect(next.isKeyFrame)
    #expect(whole.drops.allSatisfy { $0.reason == .discontinuity })
    let numbers = (whole.frames.map(\.sequence) + whole.drops.map(\.sequence)).sorted()
    #expect(numbers == Array(0..<UInt32(numbers.count)))
  }
}
