import CaptureDevice
import CoreVideo
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated controls in time")
struct TimelineTests {
  private let frame = Duration.seconds(1) / 30

  @Test func `a change shows in the frame whose exposure begins next`() throws {
    let stage = try Stage(Scene(isStamped: false, isNoisy: false))
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: frame * 10)
    // In the middle of the eleventh frame's exposure.
    stage.clock.advance(by: frame / 2)
    let change = try stage.camera.apply([
      .customExposure(durationNanoseconds: 5_000_000, iso: 100), .zoom(2),
    ])
    let applied = stage.clock.now
    #expect(stage.camera.controlState.change < change)
    stage.clock.advance(by: frame * 5)
    let frames = recorder.now.frames
    let first = try #require(frames.first { $0.conditions.state.change >= change })
    #expect(first.sequence == 11 && first.timestamp >= applied)
    for frame in frames {
      let isAfter = frame.timestamp >= applied
      #expect(frame.conditions.state.zoom == (isAfter ? 2 : 1))
      #expect((frame.exposure.durationNanoseconds == 5_000_000) == isAfter)
    }
  }

  @Test func `conditions are one object until something changes`() throws {
    let stage = try Stage(Scene(lux: 1000))
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(1))
    _ = try stage.camera.apply([.zoom(2)])
    stage.clock.advance(by: .seconds(1))
    let frames = recorder.now.frames.map(\.conditions)
    #expect(frames[20..<30].allSatisfy { $0 === frames[20] })
    #expect(frames[31...].allSatisfy { $0 === frames[31] } && frames[31] !== frames[20])
  }

  @Test func `changes before the stream hold from its first frame on, and stay for the next stream`() throws {
    let stage = try Stage()
    let change = try stage.camera.apply([.zoom(3), .customExposure(durationNanoseconds: 1_000_000, iso: 400)])
    #expect(stage.camera.controlState.zoom == 3 && stage.camera.controlState.change == change)
    for _ in 0..<2 {
      let state = try #require(try stage.frames(seconds: 0.1).first).conditions.state
      #expect(state.zoom == 3 && state.exposure.iso == 400 && state.change == change)
    }
  }

  @Test func `the same controls at the same times give the same bytes`() throws {
    func run() throws -> [UInt64] {
      var scene = Scene.builtIn
      scene.lightTemperature = 3000
      let stage = try Stage(scene)
      let stream = try stage.open()
      let recorder = Recorder()
      try stream.start(recorder.receive)
      stage.clock.advance(by: frame * 3)
      _ = try stage.camera.apply([.zoomRamp(to: 3, rate: 3), .lensPosition(0.2), .torch(.on, level: 0.5)])
      stage.clock.advance(by: frame * 6)
      return recorder.now.frames.compactMap { $0.buffer?.checksum }
    }
    let first = try run()
    #expect(first.count == 9)
    #expect(try run() == first)
  }

  @Test func `what a frame reports is what its pixels show`() throws {
    // Noise-free pixels are computed again from nothing but the reported conditions.
    var scene = Scene.builtIn
    scene.isNoisy = false
    scene.lightTemperature = 4000
    let stage = try Stage(scene)
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: frame * 2)
    _ = try stage.camera.apply([.zoomRamp(to: 4, rate: 6), .exposureBias(1)])
    stage.clock.advance(by: frame * 4)
    _ = try stage.camera.apply([.lensPosition(0), .torch(.on, level: 1)])
    stage.clock.advance(by: frame * 3)
    let frames = recorder.now.frames
    #expect(Set(frames.map { $0.conditions.state.zoom }).count > 4)
    for frame in frames {
      let buffer = try #require(frame.buffer)
      let seconds = Double(frame.timestamp.nanoseconds - frames[0].timestamp.nanoseconds) / 1e9
      let truth = try stage.camera.truth(
        at: seconds, size: FrameSize(width: buffer.width, height: buffer.height),
        conditions: frame.conditions, sequence: frame.sequence)
      #expect(truth.picture.checksum == buffer.checksum, "frame \(frame.sequence)")
    }
  }
}
