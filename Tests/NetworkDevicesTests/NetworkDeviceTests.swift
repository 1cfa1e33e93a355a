import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreMedia
import Foundation
import Linux
import NetworkDevices
import Testing

@Suite("Network cameras", .serialized)
struct NetworkDeviceTests {
  private func provider(_ server: RTSPServer, password: String? = nil, user: String? = nil) throws
    -> NetworkDeviceProvider
  {
    var address = try NetworkAddress(
      user.map { server.address.replacingOccurrences(of: "rtsp://", with: "rtsp://\($0)@") } ?? server.address
    )
    address.password = password
    return NetworkDeviceProvider(address, name: "Door", timeout: 10_000_000_000)
  }

  private static let server = Result { try RTSPServer() }

  @Test(
    arguments: DeviceConformanceSuite(makeProvider: {
      NetworkDeviceProvider(
        try NetworkAddress(server.get().address), name: "Door", timeout: 10_000_000_000)
    }).checks)
  func `network cameras keep the contract of devices`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: [FrameEncoding.h264, .hevc])
  func `a camera is listed with what it sends, and its frames begin with a key frame`(
    _ encoding: FrameEncoding
  )
    throws
  {
    let server = try RTSPServer(encoding, hasAudio: true)
    defer { server.close() }
    let devices = try provider(server).devices()
    #expect(devices.map(\.facts.name) == ["Door", "Door, microphone"])
    let camera = try #require(devices.first)
    let format = try #require(camera.facts.formats.first)
    #expect(format.size == CodedCamera.size && format.encoding == encoding)
    #expect(format.frameDurations[0].lowerBound.rate == 30)
    let stream = try camera.openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30)))
    let recorder = FrameLog()
    try stream.start(recorder.receive)
    #expect(recorder.wait(until: .now.advanced(byNanoseconds: 15_000_000_000)) { $0.frames.count >= 30 })
    stream.stop()
    let log = recorder.now
    guard case .coded(let first) = log.kept.first?.picture else {
      Issue.record("No coded picture came.")
      return
    }
    #expect(first.isKeyFrame && first.format.dimensions.width == 64)
    #expect(log.frames.map(\.sequence) == log.frames.map(\.sequence).sorted())
    for (former, next) in zip(log.frames, log.frames.dropFirst()) {
      #expect(former.timestamp < next.timestamp)
    }
    for frame in log.frames { #expect(frame.timestamp <= frame.arrival) }
  }

  @Test func `its microphone sends what it is asked for`() throws {
    let server = try RTSPServer(hasAudio: true)
    defer { server.close() }
    let microphone = try #require(try provider(server).devices().last)
    let stream = try microphone.openStream(.audio(AudioStreamFormat(rate: 48_000, channels: 2)))
    let chunks = Monitor<[CapturedAudio]>([])
    try stream.start { event in
      if case .audio(let audio) = event { chunks.withLock { $0.append(audio) } }
    }
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 15_000_000_000)
    let some = chunks.wait(until: deadline, for: { $0.count >= 20 }, then: { $0 }) ?? []
    stream.stop()
    #expect(some.count >= 20)
    #expect(
      some.allSatisfy {
        $0.sampleRate == 48_000 && $0.channels == 2 && $0.samples.dataLength == 4 * $0.frameCount
      })
  }

  @Test func `a name and a password are asked for, and never shown`() throws {
    let server = try RTSPServer(credentials: "me:s3cret/word")
    defer { server.close() }
    let wrong = try provider(server, password: "other", user: "me")
    #expect(wrong.devices().isEmpty)
    let sentence = try #require(wrong.absences.first?.message)
    #expect(sentence == "Door is not there: it wants another name and password.")
    let right = try provider(server, password: "s3cret/word", user: "me")
    let camera = try #require(right.devices().first)
    #expect(!"\(camera.facts)".contains("s3cret"))
  }

  @Test func `an address with a password is refused, and the sentence does not hold it`() throws {
    let error = #expect(throws: CaptureDeviceError.self) {
      try NetworkAddress("rtsp://me:s3cret@door.local/")
    }
    #expect(error?.message.contains("cameras.json") == true && error?.message.contains("s3cret") == false)
    for wrong in [
      "rtsp://", "ftp://door.local/", "rtsp:", "", "rtsp://door.local:0/", "rtsp://door.local:70000/x",
    ] {
      #expect(throws: CaptureDeviceError.self) { try NetworkAddress(wrong) }
    }
  }

  @Test func `a file of cameras that others may read holds no password`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = """
      {"cameras": [{"address": "rtsp://me@door.local/stream", "name": "Door", "password": "s3cret", "transport": "udp"}]}
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, 0o644)
    let error = #expect(throws: CaptureDeviceError.self) { try KnownCameras(path: path) }
    #expect(error?.message.contains("chmod 600") == true && error?.message.contains("s3cret") == false)
    chmod(path, 0o600)
    let known = try KnownCameras(path: path)
    let entry = try #require(known.entry(for: try NetworkAddress("rtsp://door.local/stream")))
    #expect(entry.name == "Door" && entry.address.usesUDP)
    #expect(entry.address.withPassword == "rtsp://me:s3cret@door.local/stream")
    #expect(known.entry(for: try NetworkAddress("rtsp://Door.local:554/stream")) != nil)
    for other in [
      "rtsp://door.local:555/stream", "rtsps://door.local:554/stream", "rtsp://door.local/Stream",
    ] {
      #expect(known.entry(for: try NetworkAddress(other)) == nil, "\(other)")
    }
    try "{}".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: CaptureDeviceError.self) { try KnownCameras(path: path) }
    #expect(try KnownCameras(path: path + ".none").cameras.isEmpty)
    // The cameras of the machine go on.
    let broken = NetworkDeviceProvider(listedIn: path)
    #expect(broken.devices().isEmpty && broken.absences.map(\.code) == [.invalidScene])
  }

  @Test func `a camera that hangs up is gone, and back when it listens again`() throws {
    let server = try RTSPServer()
    defer { server.close() }
    let provider = try provider(server)
    let camera = try #require(provider.devices().first)
    let changes = Monitor<[String]>([])
    provider.observeDevices { change in
      switch change {
      case .connected(let device): changes.withLock { $0.append("+" + device.facts.name) }
      case .disconnected: changes.withLock { $0.append("-") }
      }
    }
    let stream = try camera.openStream(
      StreamConfiguration(format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30)))
    let recorder = FrameLog()
    try stream.start(recorder.receive)
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    #expect(recorder.wait(until: deadline) { $0.frames.count >= 3 })
    server.cut()
    #expect(recorder.wait(until: deadline) { $0.failure?.code == .disconnected })
    #expect(changes.wait(until: deadline, for: { $0.contains("-") }, then: { _ in true }) == true)
    #expect(provider.devices().isEmpty && provider.absences.count == 1)
    try server.listenAgain()
    #expect(changes.wait(until: deadline, for: { $0.last == "+Door" }, then: { _ in true }) == true)
    #expect(provider.devices().first === camera)
    let again = FrameLog()
    try stream.start(again.receive)
    #expect(again.wait(until: deadline) { $0.frames.count >= 3 })
    stream.stop()
  }

  @Test func `a microphone that is lost leaves its camera streaming, and comes back`() throws {
    let server = try RTSPServer(hasAudio: true)
    defer { server.close() }
    let provider = try provider(server)
    let devices = provider.devices()
    try #require(devices.count == 2)
    let changes = Monitor<[String]>([])
    provider.observeDevices { change in
      switch change {
      case .connected(let device): changes.withLock { $0.append("+" + device.facts.name) }
      case .disconnected(let id): changes.withLock { $0.append("-" + id) }
      }
    }
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    let camera = try devices[0].openStream(
      StreamConfiguration(format: devices[0].facts.formats[0], frameDuration: FrameDuration(1, 30)))
    let microphone = try devices[1].openStream(.audio())
    let (pictures, sound) = (FrameLog(), FrameLog())
    try camera.start(pictures.receive)
    try microphone.start(sound.receive)
    #expect(pictures.wait(until: deadline) { $0.frames.count >= 3 })
    #expect(sound.wait(until: deadline) { $0.chunks >= 3 })
    server.cut(track: 1)
    #expect(sound.wait(until: deadline) { $0.failure?.code == .disconnected })
    #expect(
      changes.wait(until: deadline, for: { $0.last == "+Door, microphone" }, then: { _ in true }) == true)
    #expect(changes.withLock { $0 } == ["-" + devices[1].facts.uniqueID, "+Door, microphone"])
    let count = pictures.now.frames.count
    #expect(pictures.wait(until: deadline) { $0.frames.count >= count + 3 })
    #expect(pictures.now.failure == nil)
    camera.stop()
    microphone.stop()
  }

  @Test func `a camera that falls silent fails the stream after five seconds`() throws {
    let server = try RTSPServer()
    defer { server.close() }
    let camera = try #require(try provider(server).devices().first)
    let stream = try camera.openStream(
      StreamConfiguration(format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30)))
    let recorder = FrameLog()
    try stream.start(recorder.receive)
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    #expect(recorder.wait(until: deadline) { $0.frames.count >= 3 })
    server.setSending(false)
    #expect(recorder.wait(until: deadline) { $0.failure?.code == .disconnected })
    #expect(recorder.now.failure?.message.contains("sent nothing for 5 seconds") == true)
  }
}
