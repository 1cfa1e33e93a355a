import CaptureDevice
import Linux
import Testing
import V4L2Devices

@Suite("V4L2: stills")
struct StillTests {
  private func result(
    _ stream: any CaptureStream, _ size: FrameSize, flash: FlashMode = .off, exposure: StillExposure? = nil
  ) -> Monitor<Result<CapturedFrame, CaptureDeviceError>?> {
    let answer = Monitor<Result<CapturedFrame, CaptureDeviceError>?>(nil)
    stream.captureStill(StillRequest(size: size, flash: flash, exposure: exposure)) { result in
      answer.withLock { $0 = result }
    }
    return answer
  }

  private func wait(
    _ answer: Monitor<Result<CapturedFrame, CaptureDeviceError>?>
  ) throws -> Result<CapturedFrame, CaptureDeviceError> {
    let found = answer.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 != nil }, then: { $0 })
    return try #require(found ?? nil)
  }

  @Test func `a still is the next frame of the stream, with the exposure that the camera says`() throws {
    var webcam = KernelCamera.webcam()
    webcam.controls = [.exposureAbsolute: VideoControlDescription(1, 5000)]
    webcam.values = [.exposureAbsolute: 156]
    let kernel = ScriptedKernel([webcam])
    let camera = try kernel.camera()
    let format = try #require(camera.facts.formats.last)
    let stream = try camera.openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30)))
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.sequences == [0] })
    let answer = result(stream, format.size)
    kernel.expose()
    let still = try wait(answer).get()
    #expect(still.sequence == 1)
    #expect(still.exposure.durationNanoseconds == 15_600_000)
    #expect(log.wait { $0.sequences == [0, 1] })
    stream.stop()
  }

  @Test func `a still with an exposure or a flash of its own is refused, for no frame would show it`() throws
  {
    var webcam = KernelCamera.webcam()
    webcam.controls = [
      .exposureAuto: VideoControlDescription(0, 3), .exposureAbsolute: VideoControlDescription(1, 5000),
    ]
    let kernel = ScriptedKernel([webcam])
    let camera = try kernel.camera()
    #expect(!camera.facts.capabilities.exposesStillsApart)
    let stream = try camera.open()
    try stream.start { _ in }
    let size = stream.configuration.format.size
    let apart = StillExposure.manual(durationNanoseconds: 10_000_000, iso: nil)
    for answer in [result(stream, size, exposure: apart), result(stream, size, flash: .on)] {
      kernel.expose()
      #expect(throws: CaptureDeviceError.self) { try wait(answer).get() }
      guard case .failure(let error) = try wait(answer) else { continue }
      #expect(error.code == .controlUnsupported)
    }
    stream.stop()
  }

  @Test func `a frame that is older than the request is no still`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let camera = try kernel.camera()
    let stream = try camera.open()
    try stream.start { _ in }
    let past = MonotonicInstant.now.nanoseconds
    let answer = result(stream, camera.facts.formats[0].size)
    kernel.expose("/dev/video0", .init(stamp: past))
    kernel.expose()
    #expect(try wait(answer).get().sequence == 1)
    stream.stop()
  }

  @Test func `a photo is taken though the stream's clients hold every frame`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let camera = try kernel.camera()
    let stream = try camera.open(bufferCount: 2)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    kernel.expose()
    #expect(log.wait { $0.frames.count == 2 })
    let answer = result(stream, camera.facts.formats[0].size)
    kernel.expose()
    #expect(try wait(answer).get().sequence == 2)
    #expect(log.now.drops.map(\.reason) == [.outOfBuffers])
    stream.stop()
  }

  @Test func `a still is refused with a reason: wrong size, not running, stopped first, unplugged`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let camera = try kernel.camera()
    let size = camera.facts.formats[0].size
    let stream = try camera.open()
    func code(_ result: Result<CapturedFrame, CaptureDeviceError>) -> CaptureDeviceError.Code? {
      if case .failure(let error) = result { error.code } else { nil }
    }
    #expect(try code(wait(result(stream, FrameSize(width: 1, height: 1)))) == .formatUnsupported)
    #expect(try code(wait(result(stream, size))) == .noFrames)
    try stream.start { _ in }
    let stopped = result(stream, size)
    stream.stop()
    #expect(try code(wait(stopped)) == .noFrames)
    try stream.start { _ in }
    let unplugged = result(stream, size)
    kernel.unplug("/dev/video0")
    #expect(try code(wait(unplugged)) == .disconnected)
  }
}
