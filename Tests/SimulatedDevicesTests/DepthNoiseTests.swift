import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("What a simulated sensor of depth does not know")
struct DepthNoiseTests {
  private static let white = SceneContent.color(red: 1, green: 1, blue: 1)

  private func noisy(_ layers: [SceneLayer] = [], wall: Double = 3) -> Scene {
    Scene(isStamped: false, background: SceneBackground(depth: wall), layers: layers)
  }

  /// The maps of a third of a second.
  private func maps(_ stage: SimulatedDepthStage) throws -> [[Float]] {
    try stage.run(try stage.configuration(), seconds: 0.35).depths.map(\.map.allMetres)
  }

  @Test(arguments: [0.4, 1.0, 4.5])
  func `the error is normal around the truth and grows with the square of the distance`(metres: Double) throws
  {
    let maps = try maps(try SimulatedDepthStage(noisy(wall: metres)))
    let errors = maps.flatMap { $0.map { Double($0) - metres } }
    try #require(errors.count == 160 * 120 * 10)
    let mean = errors.reduce(0, +) / Double(errors.count)
    let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    let wanted = 0.001 * metres * metres
    #expect(abs(mean) < wanted * 0.02)
    #expect(abs(deviation / wanted - 1) < 0.02)
    let within = errors.filter { abs($0) < wanted }.count
    #expect(abs(Double(within) / Double(errors.count) - 0.6827) < 0.01)
    // The noise follows neither from the neighbour nor from the map before.
    let beside = zip(errors, errors.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / Double(errors.count)
    let before =
      zip(errors, errors.dropFirst(160 * 120)).reduce(0) { $0 + $1.0 * $1.1 } / Double(errors.count)
    #expect(abs(beside) < 0.02 * wanted * wanted && abs(before) < 0.02 * wanted * wanted)
  }

  @Test func `to the right of what is near lies a shadow, wider the nearer it is`() throws {
    func shadow(_ near: Double, zoom: Double = 1) throws -> [Int] {
      let size = FrameSize(width: 640, height: 32)
      let stage = try SimulatedDepthStage(
        noisy([SceneLayer(Self.white, width: 0.025, depth: near)]), map: size, frame: size)
      _ = try stage.stage.camera.apply([.zoom(zoom)])
      let map = try #require(try stage.run(try stage.configuration(), seconds: 0.05).depths.last).map
      return (0..<640).filter { map.metres($0, 16).isNaN }
    }
    // 0.004 of the width for each dioptre of the step, and a ray that just passes is none: 3.75 dioptres are 9.6 pixels.
    #expect(try shadow(0.2444) == Array(328..<337))
    #expect(try shadow(0.45) == Array(328..<332))
    #expect(try shadow(0.45, zoom: 2) == Array(336..<345))
    #expect(try shadow(2.5).isEmpty)
  }

  @Test func `nothing is known nearer than 0.15 m and farther than 5 m`() throws {
    let stage = try SimulatedDepthStage(
      noisy(
        [
          SceneLayer(Self.white, center: CGPoint(x: 0.25, y: 0.5), width: 0.2, depth: 0.14),
          SceneLayer(Self.white, center: CGPoint(x: 0.75, y: 0.5), width: 0.2, depth: 0.2),
        ], wall: 5.1))
    let map = try #require(try stage.run(try stage.configuration(), seconds: 0.05).depths.last).map
    #expect(map.metres(2, 2).isNaN && map.metres(40, 60).isNaN && abs(map.metres(120, 60) - 0.2) < 0.001)
    let disparity = try stage.run(
      try stage.configuration(kCVPixelFormatType_DisparityFloat16), seconds: 0.05)
    let halves = try #require(disparity.depths.last).map.allHalves
    #expect(halves[0] == 0x7E00 && halves[60 * 160 + 120] & 0x7C00 != 0x7C00)
  }

  @Test func `a scene without noise is known everywhere, exactly as the truth`() throws {
    var scene = Scene.builtIn
    scene.isNoisy = false
    scene.shakePixels = 20
    scene.background.depth = 12
    let stage = try SimulatedDepthStage(scene, map: FrameSize(width: 80, height: 60))
    _ = try stage.stage.camera.apply([.zoom(1.4)])
    let log = try stage.run(try stage.configuration(stabilization: .standard), seconds: 0.2)
    let start = try #require(log.depths.first).timestamp.nanoseconds
    for depth in log.depths {
      let truth = try stage.stage.camera.depthTruth(
        at: Double(depth.timestamp.nanoseconds - start) / 1e9, size: FrameSize(width: 80, height: 60),
        frame: SimulatedDepthStage.size, conditions: depth.conditions, stabilization: .standard)
      #expect(depth.map.allMetres == truth.allMetres)
    }
    #expect(try #require(log.depths.last).map.allMetres.contains(12))
  }

  @Test func `what is known of the built-in scene lies around the truth`() throws {
    let stage = try SimulatedDepthStage(.builtIn)
    let log = try stage.run(try stage.configuration(), seconds: 0.1)
    let depth = try #require(log.depths.first)
    let truth = try stage.stage.camera.depthTruth(
      at: 0, size: SimulatedDepthStage.size, frame: SimulatedDepthStage.size, conditions: depth.conditions)
    let known = zip(depth.map.allMetres, truth.allMetres).filter { !$0.0.isNaN }
    #expect(known.count > 160 * 120 * 9 / 10)
    #expect(Set(truth.allMetres).count > 5)
    // The least likely of 256 errors is some 2.9 deviations.
    #expect(known.allSatisfy { abs($0.0 - $0.1) <= 0.003 * $0.1 * $0.1 })
  }

  @Test func `a picture's truth has its distances, seen as the picture is`() throws {
    var scene = noisy([SceneLayer(Self.white, center: CGPoint(x: 0.3, y: 0.3), width: 0.3, depth: 1)])
    scene.shakePixels = 80
    let stage = try SimulatedDepthStage(scene)
    let truth = try stage.stage.camera.truth(at: 0.4, size: SimulatedDepthStage.size)
    var near = 0
    for y in 0..<120 {
      for x in 0..<160 where truth.depth.metres(x, y) == 1 {
        near += 1
        #expect(truth.picture.luma(x, y) > 150)
      }
    }
    #expect(near > 1500)
  }
}
