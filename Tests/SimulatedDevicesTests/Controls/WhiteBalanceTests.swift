import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated white balance")
struct WhiteBalanceTests {
  private func grey(kelvin: Double = 6504) throws -> Stage {
    var scene = Scene(isStamped: false, isNoisy: false)
    scene.lightTemperature = kelvin
    return try Stage(scene)
  }

  /// Linear red, green and blue in the middle of a 420f picture in BT.601.
  private func linear(_ buffer: CVPixelBuffer) -> SIMD3<Double> {
    let y = buffer.meanLuma(70..<90, 50..<70)
    let chroma = buffer.planes[1].row(30)
    let cb = Double(chroma[80]) - 128
    let cr = Double(chroma[81]) - 128
    let coded = SIMD3(y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb) / 255
    func linear(_ value: Double) -> Double {
      value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return SIMD3(linear(coded.x), linear(coded.y), linear(coded.z))
  }

  @Test func `gains are what the pixels are multiplied by`() throws {
    let stage = try grey()
    let neutral = stage.camera.controlState.whiteBalanceGains
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(0.6))
    _ = try stage.camera.apply([.exposureMode(.locked)])
    for factor: Float in [0.5, 0.7, 1, 1.4] {
      _ = try stage.camera.apply([
        .whiteBalanceGains(
          WhiteBalanceGains(red: neutral.red * factor, green: neutral.green, blue: neutral.blue / factor))
      ])
      stage.clock.advance(by: .seconds(1) / 30 * 2)
    }
    let base = linear(try #require(recorder.now.frames[17].buffer))
    #expect(abs(base.x / base.y - 1) < 0.02 && abs(base.z / base.y - 1) < 0.02)
    for frame in recorder.now.frames.dropFirst(18) {
      let gains = frame.conditions.state.whiteBalanceGains
      let shown = linear(try #require(frame.buffer))
      #expect(abs(shown.x / base.x / Double(gains.red / neutral.red) - 1) < 0.04, "\(gains)")
      #expect(abs(shown.y / base.y - 1) < 0.04, "\(gains)")
      #expect(abs(shown.z / base.z / Double(gains.blue / neutral.blue) - 1) < 0.04, "\(gains)")
    }
  }

  @Test(arguments: [3000.0, 4200, 5500, 7500])
  func `auto white balance makes grey grey in a dozen frames`(kelvin: Double) throws {
    let frames = try grey(kelvin: kelvin).frames(seconds: 1)
    let first = linear(try #require(frames.first?.buffer))
    #expect(abs(first.x / first.z - 1) > 0.1)
    let settled = try #require(
      frames.firstIndex { !$0.conditions.state.isAdjustingWhiteBalance && $0.sequence > 0 })
    #expect(settled <= 12)
    let last = linear(try #require(frames.last?.buffer))
    #expect(abs(last.x / last.y - 1) < 0.02 && abs(last.z / last.y - 1) < 0.02)
  }

  @Test func `grey-world gains make the picture's mean grey`() throws {
    let red = SceneLayer(.color(red: 1, green: 0.3, blue: 0.3), width: 0.5)
    let stage = try Stage(Scene(isStamped: false, isNoisy: false, layers: [red]))
    let state = try #require(try stage.frames(seconds: 0.1).last).conditions.state
    let grey = try #require(state.greyWorldGains)
    #expect(grey.red / grey.green < state.whiteBalanceGains.red / state.whiteBalanceGains.green * 0.95)
  }

  @Test func `a sensor's matrix goes both ways`() throws {
    let colors = try #require(SimulatedDeviceModel.camera().facts.sensorColors)
    for (x, y) in [(0.3127, 0.3290), (0.4476, 0.4074), (0.2806, 0.2883)] {
      let gains = colors.gains(x: x, y: y)
      #expect(min(gains.red, gains.green, gains.blue) == 1 && max(gains.red, gains.green, gains.blue) < 4)
      let back = try #require(colors.chromaticity(gains))
      #expect(abs(back.x - x) < 1e-4 && abs(back.y - y) < 1e-4)
    }
  }
}
