import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated zoom")
struct ZoomTests {
  /// A white square of a quarter of the frame's width before grey, without noise.
  private static func square(rate: Int32 = 30) throws -> Stage {
    let layer = SceneLayer(.color(red: 1, green: 1, blue: 1), width: 0.1)
    return try Stage(
      Scene(isStamped: false, isNoisy: false, layers: [layer]),
      model: .camera(sizes: [FrameSize(width: 320, height: 240)]))
  }

  /// The width of the square in a row of luma, to a fraction of a pixel.
  static func width(_ buffer: CVPixelBuffer) -> Double {
    let y = buffer.height / 2
    let edge = Double(buffer.luma(0, y))
    let middle = Double(buffer.luma(buffer.width / 2, y))
    return (0..<buffer.width).reduce(0) { $0 + (Double(buffer.luma($1, y)) - edge) / (middle - edge) }
  }

  @Test func `each frame of a ramp shows the zoom that it reports`() throws {
    let stage = try Self.square()
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(0.5))
    _ = try stage.camera.apply([.zoomRamp(to: 6, rate: 2)])
    stage.clock.advance(by: .seconds(2))
    var zooms: [Double] = []
    for frame in recorder.now.frames.dropFirst(14) {
      let zoom = frame.conditions.state.zoom
      zooms.append(zoom)
      let width = Self.width(try #require(frame.buffer))
      #expect(abs(width / 32 - zoom) < 0.02 * zoom + 0.01, "reported \(zoom), shown \(width / 32)")
    }
    #expect(zooms.first == 1 && zooms.last == 6)
    #expect(Set(zooms).count > 20 && zip(zooms, zooms.dropFirst()).allSatisfy { $0 <= $1 })
    // Even to the eye: the factor grows by 2^(2/30) each frame.
    let steps = zip(zooms, zooms.dropFirst()).filter { $0 > 1 && $1 < 6 }.map { $1 / $0 }
    #expect(steps.allSatisfy { abs($0 - exp2(2.0 / 30)) < 1e-6 })
    #expect(recorder.now.frames.contains { $0.conditions.state.isRampingZoom })
    #expect(recorder.now.frames.last?.conditions.state.isRampingZoom == false)
  }

  @Test func `an ended ramp comes to rest gently`() throws {
    let stage = try Self.square()
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    _ = try stage.camera.apply([.zoomRamp(to: 16, rate: 4)])
    stage.clock.advance(by: .seconds(0.4))
    _ = try stage.camera.apply([.endZoomRamp])
    stage.clock.advance(by: .seconds(1))
    let zooms = recorder.now.frames.map(\.conditions.state.zoom)
    let steps = zip(zooms, zooms.dropFirst()).map { log2($1 / $0) }
    let speeds = steps[12...].prefix { $0 > 1e-9 }
    #expect(speeds.count >= 5 && zip(speeds, speeds.dropFirst()).allSatisfy { $0 > $1 })
    #expect(zooms.last ?? 0 < 8 && zooms.last == zooms[zooms.count - 10])
    #expect(recorder.now.frames.last?.conditions.state.isRampingZoom == false)
  }

  @Test func `zoom is refused beyond what the format has`() throws {
    let stage = try Self.square()
    for zoom in [0.5, 16.1, .nan] {
      let error = #expect(throws: CaptureDeviceError.self) { try stage.camera.apply([.zoom(zoom)]) }
      #expect(error?.code == .controlUnsupported)
    }
    #expect(stage.camera.controlState.zoom == 1 && stage.camera.controlState.change == 0)
  }

  @Test func `zoom leaves the stamp alone`() throws {
    let stage = try Stage(Scene(), model: .camera(sizes: [FrameSize(width: 320, height: 240)]))
    _ = try stage.camera.apply([.zoom(5)])
    for frame in try stage.frames(seconds: 0.2) {
      #expect(FrameStamp.read(from: try #require(frame.buffer)) == frame.sequence)
    }
  }
}
