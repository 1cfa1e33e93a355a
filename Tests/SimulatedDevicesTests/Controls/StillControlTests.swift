import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated stills with exposures of their own")
struct StillControlTests {
  private let frame = Duration.seconds(1) / 30

  private func take(_ requests: [StillRequest], from stage: Stage, frames: Int) throws -> (
    stills: [CapturedFrame], frames: [CapturedFrame]
  ) {
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(1))
    let stills = Locked<[CapturedFrame]>([])
    for request in requests {
      stream.captureStill(request) { result in
        if case .success(var still) = result {
          still.inFlight = nil
          stills.withLock { $0.append(still) }
        }
      }
    }
    stage.clock.advance(by: frame * frames)
    stream.stop()
    return (stills.withLock { $0 }, recorder.now.frames)
  }

  private var size: FrameSize { FrameSize(width: 160, height: 120) }

  private func dim(lux: Double = 250, depth: Double = 1) throws -> Stage {
    try Stage(
      Scene(
        lux: lux, isStamped: false, isNoisy: false,
        background: SceneBackground(.color(red: 0.4, green: 0.4, blue: 0.4), depth: depth)))
  }

  @Test func `a bracket takes one frame for each bias, in order, and the stream goes on as before`() throws {
    let stage = try dim()
    let biases: [Float] = [-2, -1, 0, 1, 2]
    let requests = biases.map { StillRequest(size: size, exposure: .bias($0)) }
    let (stills, frames) = try take(requests, from: stage, frames: 8)
    #expect(stills.count == 5)
    #expect(zip(stills, stills.dropFirst()).allSatisfy { $1.sequence == $0.sequence + 1 })
    let lights = try stills.map { still -> Double in
      let luma = try #require(still.buffer).meanLuma(60..<100, 40..<80) / 255
      return pow((luma + 0.055) / 1.055, 2.4)
    }
    for (light, bias) in zip(lights, biases) {
      let stops = log2(light / lights[2])
      #expect(abs(stops - Double(bias)) < 0.12, "\(bias): \(stops)")
    }
    // The stream shows the same exposures, and then its own again.
    for still in stills {
      let same = try #require(frames.first { $0.sequence == still.sequence })
      #expect(same.conditions === still.conditions)
      #expect(same.buffer?.checksum == still.buffer?.checksum)
    }
    #expect(frames.last?.exposure == frames[29].exposure)
  }

  @Test func `manual exposures are taken as they are`() throws {
    let requests = [
      StillRequest(size: size, exposure: .manual(durationNanoseconds: 1_000_000, iso: 100)),
      StillRequest(size: size, exposure: .manual(durationNanoseconds: nil, iso: 200)),
    ]
    let (stills, frames) = try take(requests, from: try dim(), frames: 4)
    #expect(stills.map(\.exposure.iso) == [100, 200])
    #expect(stills[0].exposure.durationNanoseconds == 1_000_000)
    #expect(stills[1].exposure.durationNanoseconds == frames[0...29].last?.exposure.durationNanoseconds)
  }

  @Test func `a burst takes each frame after the other, and plain requests share one`() throws {
    let own = (0..<15).map { _ in StillRequest(size: size, exposure: .bias(0)) }
    let (burst, _) = try take(own, from: try dim(), frames: 16)
    let gaps = zip(burst, burst.dropFirst()).map { $1.timestamp.nanoseconds - $0.timestamp.nanoseconds }
    #expect(burst.count == 15 && gaps.allSatisfy { $0 <= 33_333_334 })
    let (shared, _) = try take(
      [StillRequest](repeating: StillRequest(size: size), count: 3), from: try dim(), frames: 3)
    #expect(shared.count == 3 && Set(shared.map(\.sequence)).count == 1)
  }

  @Test func `an exposure longer than a frame lasts as long as it takes`() throws {
    let request = StillRequest(size: size, exposure: .manual(durationNanoseconds: 200_000_000, iso: 100))
    let (stills, frames) = try take([request], from: try dim(lux: 20), frames: 10)
    let still = try #require(stills.first)
    let next = try #require(frames.first { $0.sequence == still.sequence + 1 })
    #expect(abs(next.timestamp.nanoseconds - still.timestamp.nanoseconds - 200_000_000) < 10)
    #expect(still.exposure.durationNanoseconds == 200_000_000)
  }

  @Test func `the flash lights one picture, and things further away less`() throws {
    for (mode, lux, fires) in [
      (FlashMode.on, 250.0, true), (.auto, 250, false), (.auto, 10, true), (.off, 10, false),
    ] {
      let (stills, frames) = try take(
        [StillRequest(size: size, flash: mode)], from: try dim(lux: lux), frames: 3)
      let still = try #require(stills.first)
      #expect(still.conditions.state.isFlashed == fires, "\(mode) at \(lux) lux")
      #expect(
        frames.filter { $0.conditions.state.isFlashed }.map(\.sequence) == (fires ? [still.sequence] : []))
      #expect(abs(try #require(still.buffer).meanLuma(60..<100, 40..<80) - 102) < 6)
    }
    // Two cards side by side, one twice as far as the other, in a dark room.
    let grey = SceneContent.color(red: 0.3, green: 0.3, blue: 0.3)
    let scene = Scene(
      lux: 0.1, isStamped: false, isNoisy: false, background: SceneBackground(grey, depth: 2),
      layers: [SceneLayer(grey, center: CGPoint(x: 0.25, y: 0.5), width: 0.3, depth: 1)])
    let (stills, _) = try take([StillRequest(size: size, flash: .on)], from: try Stage(scene), frames: 3)
    let buffer = try #require(stills.first?.buffer)
    func light(_ columns: Range<Int>) -> Double {
      pow((buffer.meanLuma(columns, 55..<65) / 255 + 0.055) / 1.055, 2.4)
    }
    let ratio = light(35..<45) / light(110..<120)
    #expect(abs(ratio - 4) < 0.5, "\(ratio)")
  }

  @Test func `the flash is as white as daylight, whatever colour the scene's light has`() throws {
    /// Blue and red over grey in the middle of a picture with flash.
    func differences(kelvin: Double, lux: Double) throws -> (blue: Double, red: Double) {
      var scene = Scene(
        lux: lux, isStamped: false, isNoisy: false,
        background: SceneBackground(.color(red: 0.4, green: 0.4, blue: 0.4), depth: 1))
      scene.lightTemperature = kelvin
      let (stills, _) = try take([StillRequest(size: size, flash: .on)], from: try Stage(scene), frames: 3)
      let row = try #require(stills.first?.buffer).planes[1].row(30)
      return (Double(row[80]) - 128, Double(row[81]) - 128)
    }
    // Balanced for a warm lamp, daylight is blue; where the lamp is brighter than the flash it is less so.
    let dark = try differences(kelvin: 3000, lux: 5)
    let bright = try differences(kelvin: 3000, lux: 2000)
    #expect(dark.blue > 15 && dark.red < -10, "\(dark)")
    #expect(bright.blue > 1 && bright.blue < dark.blue / 2, "\(bright)")
    let neutral = try differences(kelvin: 6500, lux: 5)
    #expect(abs(neutral.blue) < 2 && abs(neutral.red) < 2, "\(neutral)")
  }

  @Test func `the flash of a front camera is the screen: faint, and of the colour of the scene's light`()
    throws
  {
    /// The middle of a picture of the front camera: blue and red over grey, and how it was exposed.
    func take(_ flash: FlashMode, kelvin: Double, depth: Double) throws -> (
      blue: Double, red: Double, state: ControlState
    ) {
      var scene = Scene(
        lux: 0.2, isStamped: false, isNoisy: false,
        background: SceneBackground(.color(red: 0.4, green: 0.4, blue: 0.4), depth: depth))
      scene.lightTemperature = kelvin
      let clock = SimulatedClock()
      let provider = SimulatedDeviceProvider(scene: scene, clock: clock)
      let front = try #require(provider.device("simulated.front.wide"))
      #expect(front.facts.capabilities.flashModes.contains(.on))
      #expect(front.facts.capabilities.torchModes.isEmpty && front.facts.capabilities.flashGains == nil)
      let format = try #require(front.facts.formats.last)
      let stream = try front.openStream(
        StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30)))
      try stream.start { _ in }
      clock.advance(by: .seconds(1))
      let stills = Locked<[CapturedFrame]>([])
      stream.captureStill(StillRequest(size: format.size, flash: flash)) { result in
        if case .success(var still) = result {
          still.inFlight = nil
          stills.withLock { $0.append(still) }
        }
      }
      clock.advance(by: frame * 10)
      stream.stop()
      let still = try #require(stills.withLock { $0.first })
      let planes = try #require(still.buffer).planes
      let row = planes[1].row(planes[1].height / 2)
      let middle = planes[1].width / 2 * 2
      return (Double(row[middle]) - 128, Double(row[middle + 1]) - 128, still.conditions.state)
    }
    func sensitivity(_ state: ControlState) -> Double {
      Double(state.exposure.durationNanoseconds ?? 0) * Double(state.exposure.iso ?? 0)
    }
    let lit = try take(.on, kelvin: 3000, depth: 0.5)
    let unlit = try take(.off, kelvin: 3000, depth: 0.5)
    #expect(lit.state.isFlashed && !unlit.state.isFlashed)
    #expect(abs(lit.blue) < 3 && abs(lit.red) < 3, "\(lit)")
    // At half a metre the screen gives a hundred lux, two metres away six.
    #expect(sensitivity(unlit.state) > 4 * sensitivity(lit.state))
    let far = try take(.on, kelvin: 3000, depth: 2)
    #expect(sensitivity(far.state) > 4 * sensitivity(lit.state))
  }

  @Test func `what a device lacks is refused`() throws {
    let provider = SimulatedDeviceProvider(scene: Scene(), clock: SimulatedClock())
    let front = try #require(provider.device("simulated.front.wide"))
    let format = front.facts.formats[0]
    let stream = try front.openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30)))
    try stream.start { _ in }
    let errors = Locked<[CaptureDeviceError.Code]>([])
    for request in [
      StillRequest(size: format.stillSizes[0], exposure: .bias(20)),
      StillRequest(size: format.stillSizes[0], exposure: .manual(durationNanoseconds: 1, iso: nil)),
    ] {
      stream.captureStill(request) { result in
        if case .failure(let error) = result { errors.withLock { $0.append(error.code) } }
      }
    }
    #expect(errors.withLock { $0 } == [.controlUnsupported, .controlUnsupported])
  }
}
