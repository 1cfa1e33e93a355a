import CaptureDevice
import CoreVideo
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated devices: the phone's figures and access")
struct ProviderTests {
  private let devices = SimulatedDeviceProvider(clock: SimulatedClock()).devices().map(\.facts)

  private func rates(_ id: String) throws -> [String] {
    let facts = try #require(devices.first { $0.uniqueID == id })
    return facts.formats.map { "\($0.size) \(Int($0.frameDurations[0].lowerBound.rate))" }
  }

  @Test func `the built-in devices are the contract's`() {
    #expect(
      devices.map(\.uniqueID) == [
        "simulated.back.wide", "simulated.back.ultrawide", "simulated.back.telephoto",
        "simulated.back.dual", "simulated.back.dualwide", "simulated.back.triple",
        "simulated.front.truedepth", "simulated.front.wide", "simulated.microphone",
      ])
    #expect(
      devices.map(\.kind) == [
        .wideAngleCamera, .ultraWideCamera, .telephotoCamera, .dualCamera, .dualWideCamera, .tripleCamera,
        .trueDepthCamera,
        .wideAngleCamera, .builtInMicrophone,
      ])
    #expect(devices.filter { $0.media.contains(.video) }.allSatisfy { $0.sensorRotation == 90 })
  }

  @Test func `sizes and rates are the table's`() throws {
    let back = ["640×480 60", "1280×720 240", "1920×1080 60", "3840×2160 30", "4032×3024 30"]
    #expect(try rates("simulated.back.wide") == back.flatMap { [$0, $0] })
    let front = ["640×480 60", "1280×720 60", "1920×1080 60", "3088×2320 30"]
    #expect(try rates("simulated.front.truedepth") == front.flatMap { [$0, $0] })
    for facts in devices where facts.media.contains(.video) {
      let still =
        facts.position == .back ? FrameSize(width: 4032, height: 3024) : FrameSize(width: 3088, height: 2320)
      #expect(facts.formats.allSatisfy { $0.stillSizes.last == still })
      #expect(facts.formats.filter(\.scalesStream).allSatisfy { $0.size == still && $0.isPhotoQuality })
    }
  }

  @Test func `a photo format streams smaller frames of its shape and takes full stills`() throws {
    let model = SimulatedDeviceModel.camera(
      sizes: [FrameSize(width: 160, height: 120)], stillSizes: [FrameSize(width: 160, height: 120)],
      scalesStream: true)
    let stage = try Stage(model: model)
    let format = model.facts.formats[1]
    let stream = try stage.camera.openStream(
      StreamConfiguration(
        format: format, size: FrameSize(width: 80, height: 60), frameDuration: FrameDuration(1, 30)))
    let recorder = Recorder()
    try stream.start(recorder.receive)
    let still = Locked<CapturedFrame?>(nil)
    stream.captureStill(StillRequest(size: format.size)) { result in
      var frame = try? result.get()
      frame?.inFlight = nil
      still.withLock { $0 = frame }
    }
    stage.clock.advance(by: .seconds(1) / 30)
    let frame = try #require(recorder.now.frames.first)
    let picture = try #require(still.withLock { $0 })
    #expect(frame.buffer?.width == 80 && picture.buffer?.width == 160)
    #expect(frame.sequence == picture.sequence && frame.timestamp == picture.timestamp)
    #expect(try FrameStamp.read(from: #require(picture.buffer)) == frame.sequence)
    stream.stop()
    #expect(throws: CaptureDeviceError.self) {
      _ = try stage.camera.openStream(
        StreamConfiguration(
          format: format, size: FrameSize(width: 80, height: 80), frameDuration: FrameDuration(1, 30)))
    }
  }

  @Test(arguments: [
    (SimulatedAccess.granted, DeviceAccess.granted, DeviceAccess.granted), (.denied, .denied, .denied),
    (.undetermined, .undetermined, .granted),
    (SimulatedAccess(.undetermined, answer: .denied), .undetermined, .denied),
    (SimulatedAccess(.restricted), .restricted, .restricted),
  ])
  func `access is what the test wants`(access: SimulatedAccess, before: DeviceAccess, after: DeviceAccess) {
    let provider = SimulatedDeviceProvider(scene: Scene(), clock: SimulatedClock(), access: access)
    #expect(provider.access(for: .video) == before)
    let answer = Locked<DeviceAccess?>(nil)
    provider.requestAccess(for: .video) { access in answer.withLock { $0 = access } }
    #expect(answer.withLock { $0 } == after && provider.access(for: .video) == after)
  }

  @Test func `a dropped provider leaves no event behind on the clock`() throws {
    let clock = SimulatedClock()
    weak var device: SimulatedDevice?
    do {
      let provider = SimulatedDeviceProvider(
        scene: Scene(faults: [SceneFault(.plug, at: 1)], devices: [.camera()]), clock: clock)
      device = provider.device("simulated.test")
    }
    #expect(device == nil)
    clock.advance(by: .seconds(2))
  }
}
