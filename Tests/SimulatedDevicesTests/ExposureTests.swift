import CaptureDevice
import CoreVideo
import SimulatedDevices
import Testing

@Suite("Simulated exposure")
struct ExposureTests {
  @Test(arguments: [10.0, 250, 1000, 20_000])
  func `auto exposure settles within a dozen frames`(lux: Double) throws {
    let scene = Scene(lux: lux, isStamped: false, isNoisy: false)
    let frames = try Stage(scene).frames(seconds: 1)
    let settled = try #require(frames.firstIndex { !$0.exposure.isAdjusting })
    #expect(settled <= 12)
    #expect(frames[settled...].allSatisfy { $0.exposure == frames[settled].exposure })
    let last = try #require(frames.last?.buffer)
    #expect(abs(Int(last.luma(80, 60)) - 128) <= 1)
  }

  @Test func `brightness approaches the right one from frame to frame`() throws {
    let scene = Scene(lux: 60, isStamped: false, isNoisy: false)
    let frames = try Stage(scene).frames(seconds: 0.5)
    let lumas = frames.compactMap { $0.buffer?.luma(80, 60) }
    #expect(lumas.first ?? 255 < 80)
    #expect(zip(lumas, lumas.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func `a locked exposure stays, also over a restart`() throws {
    let stage = try Stage(Scene(lux: 20))
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(1) / 30 * 3)
    _ = try stage.camera.apply([.exposureMode(.locked)])
    stage.clock.advance(by: .seconds(0.5))
    let exposures = recorder.now.frames.map(\.exposure)
    #expect(Set(exposures.dropFirst(4)).count == 1)
    stream.stop()
    let after = Recorder()
    try stream.start(after.receive)
    stage.clock.advance(by: .seconds(1) / 30)
    #expect(after.now.frames.first?.exposure == exposures.last)
    #expect(stage.camera.controlState.exposureMode == .locked)
  }

  @Test func `auto adjusts once and locks`() throws {
    let stage = try Stage(Scene(lux: 20))
    _ = try stage.camera.apply([.exposureMode(.auto)])
    _ = try stage.frames(seconds: 1)
    #expect(stage.camera.controlState.exposureMode == .locked)
    #expect(!stage.camera.controlState.exposure.isAdjusting)
  }

  @Test func `durations keep within the frame and ISO within the format`() throws {
    for lux in [0.5, 10, 100_000] {
      let stage = try Stage(Scene(lux: lux))
      for frame in try stage.frames(seconds: 1) {
        let duration = try #require(frame.exposure.durationNanoseconds)
        #expect((24_000...33_333_334).contains(duration))
        #expect((32...3072).contains(frame.exposure.iso ?? 0))
      }
    }
  }
}
