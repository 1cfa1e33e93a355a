import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

@Suite("Streams of simulated depth")
struct DepthStreamTests {
  private let small = FrameSize(width: 40, height: 30)

  private func stage(_ scene: Scene = Scene(isNoisy: false)) throws -> SimulatedDepthStage {
    try SimulatedDepthStage(scene, map: small, frame: FrameSize(width: 64, height: 48))
  }

  @Test func `each map follows the frame of its exposure`() throws {
    let stage = try stage()
    let log = try stage.run(try stage.configuration(), seconds: 0.5)
    #expect(log.words == (0..<15).flatMap { _ in ["frame", "depth"] })
    #expect(log.depths.map(\.timestamp) == log.frames.map(\.timestamp))
    #expect(log.depths.map(\.sequence) == (0..<15).map { $0 })
    #expect(zip(log.depths, log.frames).allSatisfy { $0.conditions.state == $1.conditions.state })
    #expect(log.depths.allSatisfy { $0.metresPerUnit == nil })
  }

  @Test(arguments: [(60, 30, 2), (60, 20, 3), (60, 25, 3), (30, 24, 2), (30, 30, 1), (20, 30, 1)])
  func `beside faster frames the first whose time has come has a map`(
    rate: Int32, mapRate: Int32, every: Int
  ) throws {
    let stage = try stage()
    let log = try stage.run(try stage.configuration(rate: rate, mapRate: mapRate), seconds: 1)
    #expect(log.frames.count == Int(rate))
    let wanted = stride(from: 0, to: log.frames.count, by: every).map { log.frames[$0].timestamp }
    #expect(log.depths.map(\.timestamp) == wanted)
    #expect(log.depths.map(\.sequence) == (0..<wanted.count).map { UInt32($0) })
  }

  @Test func `frames come as often as before when depth is not asked for, and no map does`() throws {
    let stage = try stage()
    var wanted = try stage.configuration()
    wanted.depth = nil
    let log = try stage.run(wanted, seconds: 0.5)
    #expect(log.words == (0..<15).map { _ in "frame" })
  }

  @Test func `a lost frame has no map, and its loss is reported after the frame's`() throws {
    let stage = try stage(Scene(isNoisy: false, faults: [SceneFault(.drop(rate: 0.4))]))
    let stream = try stage.open(try stage.configuration(rate: 60, buffers: 256, mapBuffers: 256))
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.stage.clock.advance(by: .seconds(2))
    let log = recorder.now
    #expect(log.drops.count > 20 && log.depths.count > 10)
    // Which frames have a map follows from time alone: each second one.
    let frames =
      (log.frames.map { ($0.sequence, $0.timestamp) } + log.drops.map { ($0.sequence, $0.timestamp) })
      .sorted { $0.0 < $1.0 }
    let due = stride(from: 0, to: frames.count, by: 2).map { frames[$0].1 }
    #expect((log.depths.map(\.timestamp) + log.depthDrops.map(\.timestamp)).sorted() == due)
    let lost = Set(log.drops.map(\.timestamp))
    #expect(log.depthDrops.allSatisfy { lost.contains($0.timestamp) && $0.reason == .discontinuity })
    #expect(log.depths.allSatisfy { !lost.contains($0.timestamp) })
    #expect(
      (log.depths.map(\.sequence) + log.depthDrops.map(\.sequence)).sorted() == due.indices.map { UInt32($0) }
    )
    for (index, word) in log.words.enumerated() where word == "depth dropped" {
      #expect(log.words[index - 1] == "dropped")
    }
    let statistics = stream.depthStatistics
    #expect(statistics.captured == due.count && statistics.delivered == log.depths.count)
    #expect(statistics.droppedDiscontinuity == log.depthDrops.count)
    #expect(statistics.captured == statistics.delivered + statistics.dropped)
    stream.stop()
  }

  @Test func `who holds all maps loses maps but no frames, and maps come again`() throws {
    let stage = try stage()
    let stream = try stage.open(try stage.configuration(mapBuffers: 3))
    let held = Locked<[CapturedDepth]>([])
    let words = Locked<[String]>([])
    try stream.start { event in
      words.withLock { words in
        switch event {
        case .frame: words.append("frame")
        case .depth: words.append("depth")
        case .depthDropped(let drop): words.append("lost \(drop.reason)")
        default: words.append("other")
        }
      }
      if case .depth(var depth) = event {
        depth.inFlight = nil
        held.withLock { $0.append(depth) }
      }
    }
    stage.stage.clock.advance(by: .seconds(0.2))
    held.withLock { $0 = [] }
    stage.stage.clock.advance(by: .seconds(0.1))
    stream.stop()
    let kept = ["frame", "depth"]
    let lost = ["frame", "lost outOfBuffers"]
    let wanted = kept + kept + kept + lost + lost + lost + kept + kept + kept
    #expect(words.withLock { $0 } == wanted)
    #expect(stream.depthStatistics.droppedOutOfBuffers == 3 && stream.statistics.dropped == 0)
  }

  @Test func `a map comes though every frame's buffer is held`() throws {
    let stage = try stage()
    let log = try stage.run(try stage.configuration(buffers: 2), seconds: 0.2)
    #expect(log.frames.count == 2 && log.drops.count == 4 && log.depths.count == 6)
    #expect(log.words.suffix(2) == ["dropped", "depth"])
  }

  @Test func `maps wait as long as frames that are stabilized with a look ahead`() throws {
    let stage = try stage()
    let log = try stage.run(try stage.configuration(stabilization: .cinematic), seconds: 0.5)
    #expect(log.frames.count == 10 && log.depths.map(\.timestamp) == log.frames.map(\.timestamp))
    #expect(log.words == (0..<10).flatMap { _ in ["frame", "depth"] })
  }

  @Test func `a silence costs no map, and the first frame after it has one`() throws {
    let stage = try stage(Scene(isNoisy: false, faults: [SceneFault(.stall(seconds: 0.25), at: 0.1)]))
    let log = try stage.run(try stage.configuration(mapRate: 10), seconds: 1)
    #expect(log.depthDrops.isEmpty)
    let start = try #require(log.frames.first).timestamp.nanoseconds
    let times = log.depths.map { Double($0.timestamp.nanoseconds - start) / 1e9 }
    #expect(times.prefix(3).map { ($0 * 30).rounded() } == [0, 11, 14])
  }

  @Test func `the same scene and seed give the same maps, another seed gives others`() throws {
    func checksums(_ seed: UInt64) throws -> [[Float]] {
      var scene = Scene.builtIn
      scene.seed = seed
      scene.shakePixels = 3
      let stage = try stage(scene)
      return try stage.run(try stage.configuration(), seconds: 0.1).depths.map { depth in
        depth.map.allMetres.map { $0.isNaN ? -1 : $0 }
      }
    }
    let first = try checksums(5)
    #expect(first.count == 3 && Set(first).count == 3)
    #expect(try checksums(5) == first)
    #expect(Set(try checksums(6)).isDisjoint(with: first))
  }

  @Test func `a still scene's maps are painted once for each buffer`() throws {
    var scene = Scene.blank
    scene.layers = [SceneLayer(.nod(near: 0.5, far: 1, period: 1), width: 0.5)]
    let stage = try stage(scene)
    let log = try stage.run(try stage.configuration(mapBuffers: 4), seconds: 0.1)
    #expect(log.depths.map { $0.map.metres(20, 15) } == [0.5, 0.5, 0.5])
  }

  // MARK: The contract

  private static let checks: [DeviceConformanceSuite.Check] = {
    let clock = SimulatedClock()
    let scene = Scene(devices: [depthCamera])
    return DeviceConformanceSuite(advance: { clock.advance(by: $0) }) {
      SimulatedDeviceProvider(scene: scene, clock: clock)
    }.checks
  }()

  private static let realChecks: [DeviceConformanceSuite.Check] = {
    let scene = Scene(devices: [depthCamera])
    return DeviceConformanceSuite { SimulatedDeviceProvider(scene: scene, clock: .real) }.checks
  }()

  private static let depthCamera = SimulatedDeviceModel.camera(
    kind: .trueDepthCamera, position: .front, sizes: [FrameSize(width: 64, height: 48)],
    depthSizes: [FrameSize(width: 16, height: 12), FrameSize(width: 32, height: 24)])

  @Test(arguments: DepthLie.allCases)
  func `the suite sees through a camera that lies about depth`(lie: DepthLie) throws {
    let clock = SimulatedClock()
    let late = Locked<(@Sendable () -> Void)?>(nil)
    let scene = Scene(devices: [Self.depthCamera])
    let suite = DeviceConformanceSuite(advance: { time in
      clock.advance(by: time)
      late.withLock { late in
        defer { late = nil }
        return late
      }?()
    }) {
      try LyingDepthCamera(lie, of: SimulatedDeviceProvider(scene: scene, clock: clock), late: late)
    }
    var broken: String?
    for check in suite.checks where broken == nil && check.name.contains("depth") {
      do {
        try check.run()
      } catch let failure as ConformanceFailure {
        broken = check.name
        #expect(!failure.message.contains("in vain"), "seen by \(check): \(failure)")
      }
    }
    #expect(broken?.contains(lie.promise) == true, "\(lie) was seen by \(broken ?? "no check")")
  }

  @Test(arguments: checks)
  func `a depth camera keeps the contract on a manual clock`(check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(arguments: realChecks.filter { $0.name.contains("depth") })
  func `a depth camera keeps the contract in real time`(check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }
}
