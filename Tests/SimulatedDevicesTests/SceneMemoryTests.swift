import CaptureDevice
import CoreMedia
import Foundation
import FoundationExtras
import SimulatedDevices
import Testing

@Suite("Scenes of many layers")
struct SceneMemoryTests {
  @Test func `a layer that is gone takes no memory`() async {
    // In a process of its own, so that its memory can be measured alone.
    await #expect(processExitsWith: .success) {
      func residentBytes() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return try #require(Int(pages)) * Int(sysconf(Int32(_SC_PAGESIZE)))
      }
      var scene = Scene(isStamped: false, isNoisy: false)
      // Each is half a megabyte, and shown for one frame.
      scene.layers = try (0..<80).map { index in
        var layer = SceneLayer(try .qrCode("\(index)"), width: 0.3)
        layer.velocity = CGPoint(x: 0.1, y: 0)
        layer.from = Double(index) / 30
        layer.to = Double(index + 1) / 30
        return layer
      }
      let stage = try Stage(scene, model: .camera(sizes: [FrameSize(width: 640, height: 480)]))
      let stream = try stage.open(stage.camera.facts.formats[0], buffers: 2)
      try stream.start(Recorder(keepsFrames: false).receive)
      stage.clock.advance(by: .seconds(0.3))
      let before = try residentBytes()
      stage.clock.advance(by: .seconds(2.3))
      #expect(try residentBytes() - before < 15_000_000)
      stream.stop()
    }
  }
}
