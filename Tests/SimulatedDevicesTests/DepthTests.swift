import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated depth")
struct DepthTests {
  private static let white = SceneContent.color(red: 1, green: 1, blue: 1)
  private static let dark = SceneContent.color(red: 0.1, green: 0.1, blue: 0.1)

  /// Things before a dark wall in 3 m, without a sensor's faults.
  private func exact(_ layers: [SceneLayer] = []) -> Scene {
    Scene(
      isStamped: false, isNoisy: false, background: SceneBackground(Self.dark, depth: 3), layers: layers)
  }

  // MARK: What is offered

  @Test func `the TrueDepth camera offers depth and disparity, half disparity of the largest size unasked`()
    throws
  {
    let devices = SimulatedDeviceModel.builtIn.map(\.facts)
    #expect(devices.filter { $0.media.contains(.depth) }.map(\.uniqueID) == ["simulated.front.truedepth"])
    let facts = try #require(devices.first { $0.media.contains(.depth) })
    #expect(facts.formats.count == 8)
    for format in facts.formats {
      let isWide = format.size.width * 9 == format.size.height * 16
      let heights = isWide ? [180, 360] : [240, 480]
      #expect(format.depthFormats.map(\.size.height) == heights.flatMap { [$0, $0, $0, $0] })
      #expect(format.depthFormats.map(\.size.width) == [320, 640].flatMap { [$0, $0, $0, $0] })
      #expect(
        format.depthFormats.prefix(4).map(\.pixelFormat) == [
          kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DepthFloat16,
          kCVPixelFormatType_DisparityFloat32, kCVPixelFormatType_DisparityFloat16,
        ])
      #expect(format.depthFormats.last?.pixelFormat == kCVPixelFormatType_DisparityFloat16)
      #expect(
        format.depthFormats.allSatisfy { $0.frameDurations == [FrameDuration(1, 30)...FrameDuration(1, 1)] })
    }
  }

  @Test func `what a format lacks is refused, and what it has is granted at the next longer duration`() throws
  {
    let stage = try SimulatedDepthStage(exact())
    var wanted = try stage.configuration()
    wanted.depth?.frameDuration = FrameDuration(1, 120)
    #expect(try stage.open(wanted).configuration.depth?.frameDuration == FrameDuration(1, 30))
    wanted.depth?.frameDuration = FrameDuration(1, 12)
    #expect(try stage.open(wanted).configuration.depth?.frameDuration == FrameDuration(1, 12))
    wanted.depth?.format.size.width -= 8
    let foreign = #expect(throws: CaptureDeviceError.self) { _ = try stage.open(wanted) }
    #expect(foreign?.code == .formatUnsupported)
    let empty = try stage.configuration(mapBuffers: 0)
    let none = #expect(throws: CaptureDeviceError.self) { _ = try stage.open(empty) }
    #expect(none?.code == .outOfMemory)
    var plain = try stage.configuration()
    plain.format.depthFormats = []
    let other = try Stage(model: .camera(sizes: [SimulatedDepthStage.size]))
    let lacking = #expect(throws: CaptureDeviceError.self) { _ = try other.camera.openStream(plain) }
    #expect(lacking?.code == .formatUnsupported)
  }

  // MARK: Geometry

  @Test(arguments: [1.0, 2, 5])
  func `a map shows where things are at each zoom`(zoom: Double) throws {
    // An eighth of the frame's width and a sixth of its height, beside a nearer thing far from the middle.
    let stage = try SimulatedDepthStage(
      exact([
        SceneLayer(Self.white, width: 0.125, depth: 0.7),
        SceneLayer(Self.white, center: CGPoint(x: 0.45, y: 0.5), width: 0.01, depth: 0.5),
      ]), map: FrameSize(width: 80, height: 60))
    _ = try stage.stage.camera.apply([.zoom(zoom)])
    let log = try stage.run(try stage.configuration(), seconds: 0.1)
    let map = try #require(log.depths.last).map
    let row = (0..<80).map { map.metres($0, 30) }
    let half = 0.0625 * zoom * 80
    for x in 0..<80 {
      let fromMiddle = Double(x) + 0.5 - 40
      let isNear = abs(fromMiddle + 0.05 * zoom * 80) < 0.005 * zoom * 80
      #expect(row[x] == (isNear ? 0.5 : abs(fromMiddle) < half ? 0.7 : 3), "column \(x) at zoom \(zoom)")
    }
    #expect(row.contains(0.5) == (zoom > 1))
  }

  @Test func `the nearest of two layers that overlap is the later one, if more than half opaque`() throws {
    let half = try ScenePicture(width: 1, height: 1, rgba: [255, 255, 255, 120])
    let stage = try SimulatedDepthStage(
      exact([
        SceneLayer(Self.white, width: 0.5, depth: 0.7),
        SceneLayer(Self.dark, center: CGPoint(x: 0.6, y: 0.5), width: 0.2, depth: 1.5),
        SceneLayer(.picture(half), center: CGPoint(x: 0.4, y: 0.5), width: 0.2, depth: 0.4),
      ]))
    let map = try #require(try stage.run(try stage.configuration(), seconds: 0.1).depths.last).map
    #expect(map.metres(96, 60) == 1.5 && map.metres(64, 60) == 0.7 && map.metres(10, 60) == 3)
  }

  @Test func `layers come and go in maps as in frames`() throws {
    let stage = try SimulatedDepthStage(
      exact([SceneLayer(Self.white, width: 0.5, depth: 0.7, from: 0.2, to: 0.4)]))
    let log = try stage.run(try stage.configuration(), seconds: 0.7)
    let middles = log.depths.map { $0.map.metres(80, 60) }
    #expect(middles == (0..<21).map { 6..<12 ~= $0 ? 0.7 : 3 })
  }

  /// One way of seeing, and what makes the camera see so.
  struct Sight: Sendable, CustomStringConvertible {
    var description: String
    var shake = 0.0
    var zoom = 1.0
    var bending = 0.0
    var stabilization = StabilizationMode.off
    var velocity = CGPoint(x: 0, y: 0)
    var angle = 0.0
    var frame = SimulatedDepthStage.size
  }

  private static let sights = [
    Sight(description: "plain"),
    Sight(description: "turned", angle: 20),
    Sight(description: "zoomed", zoom: 1.7, angle: 20),
    Sight(description: "moving", velocity: CGPoint(x: 0.21, y: -0.1), angle: 65),
    Sight(description: "moving and zoomed", zoom: 1.3, velocity: CGPoint(x: 0.1, y: 0.07)),
    Sight(description: "shaken", shake: 60),
    Sight(description: "shaken, zoomed and moving", shake: 40, zoom: 2, velocity: CGPoint(x: 0.05, y: 0)),
    Sight(description: "shaken and steadied", shake: 60, stabilization: .standard),
    Sight(description: "bent", bending: 0.3),
    Sight(description: "bent, zoomed and shaken", shake: 40, zoom: 1.5, bending: 0.3, angle: 10),
    Sight(description: "bent and moving", bending: 0.3, velocity: CGPoint(x: 0.2, y: 0.1)),
    Sight(description: "a wide frame", zoom: 1.2, angle: 30, frame: FrameSize(width: 160, height: 90)),
  ]

  @Test(arguments: sights)
  func `a map shows a thing where the frame of its exposure does`(sight: Sight) throws {
    var scene = exact([
      SceneLayer(
        Self.white, center: CGPoint(x: 0.3, y: 0.35), width: 0.3, angle: sight.angle, depth: 1,
        velocity: sight.velocity)
    ])
    scene.shakePixels = sight.shake
    let stage = try SimulatedDepthStage(scene, map: sight.frame, frame: sight.frame) { model in
      model.facts.lens?.bending = sight.bending
      model.facts.capabilities.hasDistortionCorrection = sight.bending > 0
      model.facts.capabilities.focusModes = []
      // Sharp at every distance.
      model.facts.lens?.minimumFocusDistance = nil
    }
    _ = try stage.stage.camera.apply([.zoom(sight.zoom)])
    if sight.bending > 0 { _ = try stage.stage.camera.apply([.distortionCorrection(false)]) }
    let log = try stage.run(
      try stage.configuration(stabilization: sight.stabilization), seconds: 0.6)
    #expect(log.depths.count == 18)
    for (frame, depth) in zip(log.frames, log.depths).dropFirst(10) {
      #expect(frame.timestamp == depth.timestamp && frame.sequence == depth.sequence)
      let picture = try #require(frame.buffer)
      let brightest = (0..<picture.height).map { y in
        (0..<picture.width).map { picture.luma($0, y) }.max() ?? 0
      }
      let top = Double(brightest.max() ?? 0)
      let floor = Double(picture.luma(picture.width - 1, picture.height - 1))
      try #require(top > floor + 60)
      var near = 0
      for y in 0..<picture.height {
        for x in 0..<picture.width {
          let share = (Double(picture.luma(x, y)) - floor) / (top - floor)
          let isNear = depth.map.metres(x, y) == 1
          if isNear { near += 1 }
          // Between those lies the edge itself; light is not linear, so its middle is not a half.
          if share > 0.9 { #expect(isNear, "(\(x), \(y)) of frame \(frame.sequence) is bright") }
          if share < 0.1 { #expect(!isNear, "(\(x), \(y)) of frame \(frame.sequence) is dark") }
        }
      }
      #expect(near > 500)
    }
  }

  @Test func `a nodding disc swings between near and far`() throws {
    let stage = try SimulatedDepthStage(
      exact([SceneLayer(.nod(near: 0.35, far: 0.55, period: 1), width: 0.5)]))
    let log = try stage.run(try stage.configuration(), seconds: 1.1)
    let start = try #require(log.depths.first).timestamp
    for depth in log.depths {
      let seconds = Double(depth.timestamp.nanoseconds - start.nanoseconds) / 1e9
      let wanted = 0.45 - 0.1 * cos(2 * .pi * seconds)
      #expect(abs(Double(depth.map.metres(80, 60)) - wanted) < 1e-5)
      #expect(depth.map.metres(2, 2) == 3)
    }
    #expect(log.depths.count == 33)
  }

  // MARK: Formats

  @Test func `disparity is one over depth, and halves are rounded to the nearest`() throws {
    let scene = exact([
      SceneLayer(Self.white, center: CGPoint(x: 0.25, y: 0.5), width: 0.3, depth: 0.6789),
      SceneLayer(Self.white, center: CGPoint(x: 0.75, y: 0.5), width: 0.3, depth: 1.2345),
    ])
    func map(_ pixelFormat: OSType) throws -> CVPixelBuffer {
      let stage = try SimulatedDepthStage(scene)
      let map = try #require(try stage.run(try stage.configuration(pixelFormat), seconds: 0.1).depths.last)
        .map
      #expect(map.format == pixelFormat && map.width == 160 && map.height == 120)
      return map
    }
    let metres = try map(kCVPixelFormatType_DepthFloat32).allMetres
    #expect(Set(metres) == [0.6789, 1.2345, 3])
    #expect(try map(kCVPixelFormatType_DisparityFloat32).allMetres == metres.map { 1 / $0 })
    let pairs = Set(metres).map { ($0, (depth: Self.nearestHalf($0), disparity: Self.nearestHalf(1 / $0))) }
    let halves = Dictionary(uniqueKeysWithValues: pairs)
    #expect(try map(kCVPixelFormatType_DepthFloat16).allHalves == metres.map { halves[$0]?.depth })
    #expect(try map(kCVPixelFormatType_DisparityFloat16).allHalves == metres.map { halves[$0]?.disparity })
  }

  /// By trying: of all halves the one with the least difference, of two the even one.
  private static func nearestHalf(_ value: Float) -> UInt16 {
    func number(_ bits: UInt16) -> Double {
      let exponent = Int(bits >> 10)
      let fraction = Double(bits & 0x3FF) / 1024
      return exponent == 0 ? fraction * exp2(-14) : (1 + fraction) * exp2(Double(exponent - 15))
    }
    var best: UInt16 = 0
    for bits in 0..<UInt16(0x7C00) {
      let (new, old) = (abs(number(bits) - Double(value)), abs(number(best) - Double(value)))
      if new < old || (new == old && bits & 1 == 0) { best = bits }
    }
    return best
  }
}
