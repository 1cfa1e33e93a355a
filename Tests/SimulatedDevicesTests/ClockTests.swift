import CaptureDevice
import CoreMedia
import Dispatch
import FoundationExtras
import Glibc
import Linux
import SimulatedDevices
import Testing
import Waiting

@Suite("SimulatedClock")
struct ClockTests {
  @Test func `thirty advances by a thirtieth give thirty frames, however often`() throws {
    let stage = try Stage()
    let stream = try stage.open(buffers: 2)
    let recorder = Recorder(keepsFrames: false)
    try stream.start(recorder.receive)
    for _ in 0..<300 { stage.clock.advance(by: .seconds(1) / 30) }
    #expect(stream.statistics.delivered == 300)
  }

  @Test func `timestamps lie on an exact grid from the start`() throws {
    let stage = try Stage()
    let start = stage.clock.now
    let frames = try stage.frames(seconds: 1)
    #expect(frames.count == 30)
    for (index, frame) in frames.enumerated() {
      #expect(frame.timestamp.nanoseconds == start.nanoseconds + Int64(index) * 1_000_000_000 / 30)
    }
  }

  @Test func `events of several devices come in the order of time`() throws {
    let clock = SimulatedClock()
    var scene = Scene()
    scene.devices = [
      .camera(uniqueID: "a", rates: 1...60), .camera(uniqueID: "b", rates: 1...60),
    ]
    let provider = SimulatedDeviceProvider(scene: scene, clock: clock)
    let arrivals = Locked<[(String, Int64)]>([])
    var streams: [any CaptureStream] = []
    for (id, rate) in [("a", Int32(24)), ("b", Int32(50))] {
      let device = try #require(provider.device(id))
      let stream = try device.openStream(
        StreamConfiguration(
          format: device.facts.formats[0], frameDuration: FrameDuration(1, rate), bufferCount: 2))
      try stream.start { _ in arrivals.withLock { $0.append((id, clock.now.nanoseconds)) } }
      streams.append(stream)
    }
    clock.advance(by: .seconds(1))
    let all = arrivals.withLock { $0 }
    #expect(all.count { $0.0 == "a" } == 24 && all.count { $0.0 == "b" } == 50)
    #expect(all.map(\.1) == all.map(\.1).sorted())
    withExtendedLifetime(streams) {}
  }

  @Test func `the clock waits for the client of each frame`() throws {
    let stage = try Stage()
    let stream = try stage.open()
    let queue = DispatchQueue(label: "client")
    let seen = Locked<[Int64]>([])
    let clock = stage.clock
    try stream.start { event in
      guard case .frame(let frame) = event else { return }
      queue.async {
        letOthersRun()
        // Had the clock gone on, it would show a later time than this frame's arrival.
        seen.withLock { $0.append(clock.now.nanoseconds - frame.timestamp.nanoseconds) }
        withExtendedLifetime(frame.inFlight) {}
      }
    }
    clock.advance(by: .seconds(0.2))
    let delays = seen.withLock { $0 }
    #expect(delays.count == 6)
    #expect(delays.allSatisfy { abs($0 - 33_333_333) <= 1 })
  }

  @Test func `the clock waits for clients that hear of lost frames`() throws {
    var scene = Scene()
    scene.faults = [SceneFault(.drop(rate: 1))]
    let stage = try Stage(scene)
    let stream = try stage.open()
    let (clock, queue) = (stage.clock, DispatchQueue(label: "client"))
    let moves = Locked<[Int64]>([])
    try stream.start { event in
      guard case .dropped(let drop) = event else { return }
      let reported = clock.now
      queue.async {
        letOthersRun()
        moves.withLock { $0.append(clock.now.nanoseconds - reported.nanoseconds) }
        withExtendedLifetime(drop.inFlight) {}
      }
    }
    clock.advance(by: .seconds(0.2))
    #expect(moves.withLock { $0 } == [0, 0, 0, 0, 0, 0])
  }

  @Test func `the clock waits for what clients began while it stood`() throws {
    let stage = try Stage()
    let (clock, start) = (stage.clock, stage.clock.now)
    let token = Locked(stage.camera.holdClock())
    let seen = Locked<MonotonicInstant?>(nil)
    DispatchQueue(label: "client").async {
      letOthersRun()
      seen.withLock { $0 = clock.now }
      token.withLock { $0 = nil }
    }
    let stream = try stage.open()
    try stream.start { _ in }
    clock.advance(by: .seconds(0.2))
    #expect(seen.withLock { $0 } == start)
  }

  @Test func `an advance that does not wait returns although clients are busy`() throws {
    let stage = try Stage()
    let stream = try stage.open()
    let kept = Locked<[CapturedFrame]>([])
    try stream.start { event in
      if case .frame(let frame) = event { kept.withLock { $0.append(frame) } }
    }
    stage.clock.advance(by: .seconds(0.2), waitingForClients: false)
    #expect(kept.withLock { $0.count } == 6)
    kept.withLock { $0 = [] }
  }

  @Test func `advance from inside a callback lengthens the way and does not deadlock`() throws {
    let stage = try Stage()
    let stream = try stage.open()
    let clock = stage.clock
    let count = Locked(0)
    try stream.start { event in
      guard case .frame = event else { return }
      if count.withLock({ count in
        count += 1
        return count
      }) == 1 {
        clock.advance(by: .seconds(1))
      }
    }
    clock.advance(by: .seconds(1) / 30)
    #expect(count.withLock { $0 } == 31)
  }

  @Test func `stop from a client's queue during an advance returns at once`() throws {
    let stage = try Stage()
    let stream = try stage.open()
    let queue = DispatchQueue(label: "client")
    let count = Locked(0)
    try stream.start { event in
      guard case .frame(let frame) = event else { return }
      queue.async {
        count.withLock { $0 += 1 }
        stream.stop()
        withExtendedLifetime(frame) {}
      }
    }
    stage.clock.advance(by: .seconds(1))
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `the real clock and a step back are programming mistakes without effect`() {
    let clock = SimulatedClock()
    let before = clock.now
    let mistakes = ProgrammingMistake.collect {
      clock.advance(by: .seconds(-1))
      SimulatedClock.real.advance(by: .seconds(1))
    }
    #expect(mistakes.count == 2 && clock.now == before)
  }

  @Test func `Core Media's face of the clock shows the same time`() throws {
    let stage = try Stage()
    stage.clock.advance(by: .milliseconds(250))
    #expect(stage.camera.clock.time.seconds == 1000.25)
    #expect(SimulatedClock.real.mediaClock === CMClock.hostTimeClock)
  }

  @Test func `another frame duration holds from the next slot on, without a gap`() throws {
    let stage = try Stage()
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(1))
    #expect(try stream.setFrameDuration(FrameDuration(1, 10)) == FrameDuration(1, 10))
    stage.clock.advance(by: .seconds(1))
    let frames = recorder.now.frames
    #expect(frames.map(\.sequence) == (0..<UInt32(frames.count)).map { $0 })
    let steps = zip(frames, frames.dropFirst()).map {
      ($1.timestamp.nanoseconds - $0.timestamp.nanoseconds) / 1_000_000
    }
    #expect(steps.prefix(29).allSatisfy { $0 == 33 } && steps.last == 100, "\(steps)")
    #expect(throws: CaptureDeviceError.self) { _ = try stream.setFrameDuration(FrameDuration(1, 500)) }
  }
}

/// So often that a clock that does not wait runs ahead.
private func letOthersRun() {
  for _ in 0..<2000 { sched_yield() }
}
