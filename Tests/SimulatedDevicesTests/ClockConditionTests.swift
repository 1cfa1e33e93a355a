import CaptureDevice
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

@Suite("SimulatedClock: conditions, lateness and seeds")
struct ClockConditionTests {
  private static let frame = Duration.seconds(1) / 30

  /// The order in which frames of three cameras come that are due at the same moments.
  private func arrivals(seed: UInt64) throws -> [String] {
    let clock = SimulatedClock(seed: seed)
    var scene = Scene()
    let names = ["a", "b", "c"]
    scene.devices = names.map { .camera(uniqueID: $0) }
    let provider = SimulatedDeviceProvider(scene: scene, clock: clock)
    let arrivals = Locked<[String]>([])
    let streams = try names.map { name in
      let device = try #require(provider.device(name))
      let stream = try device.openStream(
        StreamConfiguration(
          format: device.facts.formats[0], frameDuration: FrameDuration(1, 30), bufferCount: 2))
      try stream.start { _ in arrivals.withLock { $0.append(name) } }
      return stream
    }
    clock.advance(by: Self.frame * 20)
    withExtendedLifetime(streams) {}
    return arrivals.withLock { $0 }
  }

  @Test func `what is due at one moment comes in the order of the seed, the same each time`() throws {
    let plain = try arrivals(seed: 0)
    #expect(plain.count >= 60 && plain == (0..<plain.count).map { ["a", "b", "c"][$0 % 3] })
    let orders = try (1...4).map { try arrivals(seed: $0) }
    #expect(try orders == (1...4).map { try arrivals(seed: $0) })
    #expect(Set(orders + [plain]).count == 5)
    for order in orders {
      #expect(order.count == plain.count)
      // All of a moment come before any of the next.
      for index in stride(from: 0, to: order.count, by: 3) {
        #expect(Set(order[index..<min(index + 3, order.count)]).count == min(3, order.count - index))
      }
    }
  }

  @Test func `a clock that was made without a seed has the environment's`() {
    #expect(SimulatedClock().seed == SimulatedClock.environmentSeed)
    #expect(SimulatedClock(seed: 7).seed == 7)
  }

  @Test func `it goes on until a condition holds, and no further`() throws {
    let stage = try Stage()
    let stream = try stage.open()
    let recorder = Recorder(keepsFrames: false)
    try stream.start(recorder.receive)
    let start = stage.clock.now
    try stage.clock.advance { stream.statistics.delivered == 10 }
    #expect(stream.statistics.delivered == 10)
    #expect(stage.clock.now.nanoseconds - start.nanoseconds == 333_333_333)
    // What holds already moves nothing.
    try stage.clock.advance { stream.statistics.delivered == 10 }
    #expect(stage.clock.now.nanoseconds - start.nanoseconds == 333_333_333)
  }

  @Test func `a condition that does not hold in time is an error that says what comes next`() throws {
    let stage = try Stage()
    let start = stage.clock.now
    let idle = try #require(throws: SimulatedClock.ConditionError.self) { try stage.clock.advance { false } }
    #expect(idle.description.contains("nothing is due"))
    #expect(stage.clock.now == start)
    let stream = try stage.open()
    try stream.start { _ in }
    let error = try #require(throws: SimulatedClock.ConditionError.self) {
      try stage.clock.advance(atMost: .seconds(2)) { false }
    }
    #expect(error.description.contains("within 2.000 s"))
    #expect(error.description.contains("the next event is due in 0.0"), "\(error)")
    #expect(stage.clock.now.nanoseconds - start.nanoseconds == 2_000_000_000)
  }

  @Test func `time that is skipped makes late what was due in it`() throws {
    let stage = try Stage()
    let clock = stage.clock
    let stream = try stage.open()
    let delays = Locked<[Int64]>([])
    try stream.start { event in
      guard case .frame(let frame) = event else { return }
      delays.withLock { $0.append((clock.now.nanoseconds - frame.timestamp.nanoseconds) / 1_000_000) }
    }
    clock.advance(by: Self.frame * 3)
    let usual = try #require(delays.withLock { $0.last })
    let before = stream.statistics.delivered
    clock.skip(by: .seconds(0.2))
    #expect(stream.statistics.delivered == before)
    clock.advance(by: Self.frame)
    let late = delays.withLock { $0.dropFirst(before) }
    #expect((late.first ?? 0) >= usual + 150)
    #expect(late.last == usual)
  }
}
