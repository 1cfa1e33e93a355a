import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated focus")
struct FocusTests {
  private static let size = FrameSize(width: 640, height: 480)

  /// A chart with one edge, white to the right of the middle, at `depth` metres, without noise.
  private func chart(depth: Double, behind: Double = 3) throws -> Stage {
    let picture = try ScenePicture(
      width: 256, height: 256,
      rgba: (0..<256 * 256).flatMap { index -> [UInt8] in
        index % 256 < 128 ? [20, 20, 20, 255] : [230, 230, 230, 255]
      })
    return try Stage(
      Scene(
        isStamped: false, isNoisy: false, background: SceneBackground(depth: behind),
        layers: [SceneLayer(.picture(picture), width: 0.7, depth: depth)]), model: .camera(sizes: [Self.size])
    )
  }

  /// The blur circle's diameter in pixels by the width of the middle edge.
  ///
  /// The edge's slope is the spread of a point; of a circle of diameter c the variance along x is c²/16, and a pixel has
  /// its own twelfth.
  private func diameter(_ buffer: CVPixelBuffer, sharp: Double) -> Double {
    (max(variance(buffer) - sharp, 0) * 16).squareRoot()
  }

  private func variance(_ buffer: CVPixelBuffer) -> Double {
    let row = (220..<420).map { Double(buffer.luma($0, 240)) }
    let slopes = zip(row, row.dropFirst()).map { max($1 - $0, 0) }
    let sum = slopes.reduce(0, +)
    let mean = slopes.enumerated().reduce(0) { $0 + Double($1.0) * $1.1 } / sum
    return slopes.enumerated().reduce(0) { $0 + (Double($1.0) - mean) * (Double($1.0) - mean) * $1.1 } / sum
  }

  /// The blur by the lens's figures: a thin lens of 4.25 mm at f/1.8 that sees 69.4° and focuses from 15 cm on.
  private func expected(_ position: Float, depth: Double) -> Double {
    let dioptres = (1 - Double(position)) / 0.15
    return 0.00425 / 1.8 / (2 * tan(69.4 / 2 * .pi / 180)) * abs(1 / depth - dioptres) * 640
  }

  @Test func `each frame of a focus sweep is as sharp as its lens position says`() throws {
    let stage = try chart(depth: 0.5)
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    let positions: [Float] = [0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0, 0.8, 0.9, 1]
    stage.clock.advance(by: .seconds(0.5))
    for position in positions {
      _ = try stage.camera.apply([.lensPosition(position)])
      stage.clock.advance(by: .seconds(1) / 30)
    }
    let frames = recorder.now.frames.suffix(positions.count)
    let sharp = variance(try #require(frames.first?.buffer))
    #expect(sharp < 0.6)
    for (frame, position) in zip(frames, positions) {
      #expect(frame.conditions.state.lensPosition == position)
      #expect(frame.conditions.state.focusMode == .locked)
      let wanted = expected(position, depth: 0.5)
      let shown = diameter(try #require(frame.buffer), sharp: sharp)
      #expect(abs(shown - wanted) < 0.06 * wanted + 0.35, "at \(position): \(shown), not \(wanted)")
    }
  }

  @Test func `auto focus finds the depth of its point in some frames, and smooth focus takes longer`() throws
  {
    func frames(smooth: Bool) throws -> [ControlState] {
      let stage = try chart(depth: 0.3)
      let stream = try stage.open()
      let recorder = Recorder()
      try stream.start(recorder.receive)
      stage.clock.advance(by: .seconds(0.2))
      // The wall behind the chart.
      _ = try stage.camera.apply([
        .smoothFocus(smooth), .focusPoint(FramePoint(x: 0.05, y: 0.05)), .focusMode(.continuousAuto),
      ])
      stage.clock.advance(by: .seconds(3))
      return recorder.now.frames.map(\.conditions.state)
    }
    let quick = try frames(smooth: false)
    #expect(abs(quick[0].lensPosition - 0.5) < 0.01 && abs(quick[89].lensPosition - 0.95) < 0.01)
    let moving = quick.count { $0.isAdjustingFocus }
    let slow = try frames(smooth: true).count { $0.isAdjustingFocus }
    #expect((3...15).contains(moving) && slow > 2 * moving && slow < 80, "\(moving), \(slow)")
  }

  @Test func `one-shot focus looks once and locks`() throws {
    let stage = try chart(depth: 0.3)
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    _ = try stage.camera.apply([.lensPosition(1)])
    stage.clock.advance(by: .seconds(0.2))
    _ = try stage.camera.apply([.focusMode(.auto)])
    stage.clock.advance(by: .seconds(1))
    let states = recorder.now.frames.map(\.conditions.state)
    #expect(states.contains { $0.focusMode == .auto && $0.isAdjustingFocus })
    let last = try #require(states.last)
    #expect(last.focusMode == .locked && !last.isAdjustingFocus && abs(last.lensPosition - 0.5) < 0.01)
  }

  @Test func `a range keeps auto focus near or far`() throws {
    let stage = try chart(depth: 2)
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    _ = try stage.camera.apply([.focusRange(.near), .focusMode(.continuousAuto)])
    stage.clock.advance(by: .seconds(1))
    #expect(abs(stage.camera.controlState.lensPosition - 0.7) < 0.01)
    _ = try stage.camera.apply([.focusRange(.far), .focusMode(.continuousAuto)])
    stage.clock.advance(by: .seconds(1))
    #expect(abs(stage.camera.controlState.lensPosition - 0.925) < 0.01)
  }

  @Test func `a fixed lens refuses focus`() throws {
    let provider = SimulatedDeviceProvider(scene: Scene(), clock: SimulatedClock())
    let front = try #require(provider.device("simulated.front.wide"))
    for control in [CameraControl.focusMode(.auto), .lensPosition(0.5), .focusPoint(FramePoint())] {
      #expect(throws: CaptureDeviceError.self) { try front.apply([control]) }
    }
  }
}
