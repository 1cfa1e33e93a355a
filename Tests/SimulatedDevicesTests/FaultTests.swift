import CaptureDevice
import CaptureDeviceTesting
import CoreMedia
import CoreVideo
import Linux
import SimulatedDevices
import StillCodecs
import Foundation
import Testing
import Waiting

@Suite("Simulated faults")
struct FaultTests {
  private func stage(_ faults: [SceneFault], model: SimulatedDeviceModel = .camera()) throws -> Stage {
    try Stage(Scene(faults: faults), model: model)
  }

  /// The events of a stream that runs for `seconds`, each kind in a row once.
  private func story(_ stage: Stage, seconds: Double) throws -> (words: [String], log: Recorder.Log) {
    let stream = try stage.open()
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(seconds))
    let log = recorder.now
    #expect(stream.statistics.captured == stream.statistics.delivered + stream.statistics.dropped)
    #expect(stream.statistics.delivered == log.frames.count && stream.statistics.dropped == log.drops.count)
    stream.stop()
    var words: [String] = []
    for word in log.words where word != words.last { words.append(word) }
    return (words, log)
  }

  @Test func `unplug ends the stream and the device leaves the list, plug brings it back`() throws {
    let stage = try stage([SceneFault(.unplug, at: 1.01), SceneFault(.plug, at: 2)])
    let changes = Locked<[String]>([])
    stage.provider.observeDevices { change in
      changes.withLock { changes in
        switch change {
        case .connected(let device): changes.append("+\(device.facts.uniqueID)")
        case .disconnected(let id): changes.append("-\(id)")
        }
      }
    }
    // Times count from the first start, so time before it does not matter.
    stage.clock.advance(by: .seconds(5))
    var stream: SimulatedStream? = try stage.open()
    let recorder = Recorder()
    try stream?.start(recorder.receive)
    stage.clock.advance(by: .seconds(1.5))
    #expect(recorder.now.words.last == "failed disconnected" && recorder.now.frames.count == 30)
    #expect(stage.provider.devices().isEmpty && changes.withLock { $0 } == ["-simulated.test"])
    let error = #expect(throws: CaptureDeviceError.self) { _ = try stage.open() }
    #expect(error?.code == .disconnected)
    stream = nil
    stage.clock.advance(by: .seconds(1))
    #expect(stage.provider.devices().count == 1 && changes.withLock { $0.last } == "+simulated.test")
    stream = try stage.open()
    try stream?.start(recorder.receive)
    stage.clock.advance(by: .seconds(4))
    #expect(recorder.now.frames.count == 150)
  }

  @Test func `a plug without an unplug is a device that comes later`() throws {
    let stage = try stage([SceneFault(.plug, at: 3)])
    #expect(stage.provider.devices().isEmpty)
    stage.clock.advance(by: .seconds(3))
    #expect(stage.provider.devices().count == 1)
  }

  @Test func `unplugging answers a still that waits, once`() throws {
    let stage = try stage([SceneFault(.unplug, at: 0.01)])
    let stream = try stage.open()
    let answers = Locked<[CaptureDeviceError.Code?]>([])
    try stream.start { _ in }
    stream.captureStill(StillRequest(size: FrameSize(width: 160, height: 120))) { result in
      answers.withLock { answers in
        if case .failure(let error) = result { answers.append(error.code) } else { answers.append(nil) }
      }
    }
    stage.clock.advance(by: .seconds(1))
    #expect(answers.withLock { $0 } == [.disconnected])
  }

  @Test func `a stall is silence without a gap in the numbers`() throws {
    let (words, log) = try story(stage([SceneFault(.stall(seconds: 1), at: 1)]), seconds: 3)
    #expect(words == ["frame"] && log.frames.count == 60)
    let longest = zip(log.frames, log.frames.dropFirst()).map {
      $1.timestamp.nanoseconds - $0.timestamp.nanoseconds
    }.max()
    #expect(try #require(longest) > 1_000_000_000)
    #expect(log.frames.map(\.sequence) == (0..<60).map { UInt32($0) })
  }

  @Test func `drops are reported with their numbers, at the asked rate`() throws {
    let (_, log) = try story(stage([SceneFault(.drop(rate: 0.25))]), seconds: 20)
    #expect((log.frames.map(\.sequence) + log.drops.map(\.sequence)).sorted() == (0..<600).map { UInt32($0) })
    #expect((100...200).contains(log.drops.count) && log.drops.allSatisfy { $0.reason == .discontinuity })
  }

  @Test func `a closed shutter interrupts and its opening resumes`() throws {
    let (words, log) = try story(stage([SceneFault(.privacy(seconds: 0.5), at: 1)]), seconds: 3)
    #expect(words == ["frame", "interrupted privacy", "resumed", "frame"])
    #expect(log.frames.count == 75)
  }

  @Test func `a busy device cannot be opened until the other lets go`() throws {
    let stage = try stage([SceneFault(.busy(seconds: 2))])
    let error = #expect(throws: CaptureDeviceError.self) { _ = try stage.open() }
    #expect(error?.code == .deviceBusy && error?.message.contains("another client") == true)
    stage.clock.advance(by: .seconds(2))
    _ = try stage.open()
  }

  @Test func `another client's taking interrupts a stream`() throws {
    let (words, _) = try story(stage([SceneFault(.busy(seconds: 1), at: 1)]), seconds: 3)
    #expect(words == ["frame", "interrupted inUseByAnotherClient", "resumed", "frame"])
  }

  @Test func `a reset fails the stream, and the device can be opened again`() throws {
    let stage = try stage([SceneFault(.reset(seconds: 0.5), at: 1.01)])
    var stream: SimulatedStream? = try stage.open()
    let recorder = Recorder()
    try stream?.start(recorder.receive)
    stage.clock.advance(by: .seconds(1.2))
    #expect(recorder.now.words.last == "failed mediaServicesReset")
    stream = nil
    let error = #expect(throws: CaptureDeviceError.self) { _ = try stage.open() }
    #expect(error?.code == .mediaServicesReset)
    stage.clock.advance(by: .seconds(0.5))
    stream = try stage.open()
    try stream?.start(recorder.receive)
    stage.clock.advance(by: .seconds(1))
    #expect(recorder.now.frames.count == 60)
  }

  @Test func `jitter moves arrivals and never timestamps or order`() throws {
    let stage = try stage([SceneFault(.jitter(milliseconds: 60))])
    let stream = try stage.open()
    let arrivals = Locked<[(UInt32, Int64)]>([])
    let clock = stage.clock
    let recorder = Recorder()
    try stream.start { event in
      recorder.receive(event)
      guard case .frame(let frame) = event else { return }
      arrivals.withLock { $0.append((frame.sequence, clock.now.nanoseconds - frame.timestamp.nanoseconds)) }
    }
    clock.advance(by: .seconds(2))
    let delays = arrivals.withLock { $0.map(\.1) }
    #expect(arrivals.withLock { $0.map(\.0) } == (0..<UInt32(delays.count)).map { $0 })
    #expect(delays.max() ?? 0 > 60_000_000 && delays.min() ?? 0 >= 33_333_333)
    for (index, frame) in recorder.now.frames.enumerated() {
      #expect(frame.timestamp.nanoseconds == 1_000_000_000_000 + Int64(index) * 1_000_000_000 / 30)
    }
  }

  @Test func `a slow start delays the first frame`() throws {
    let stage = try stage([SceneFault(.slowStart(milliseconds: 1500))])
    let stream = try stage.open()
    try stream.start { _ in }
    stage.clock.advance(by: .seconds(1.5))
    #expect(stream.statistics.captured == 0)
    stage.clock.advance(by: .seconds(0.1))
    #expect(stream.statistics.delivered == 3)
  }

  @Test func `a device that opens slowly takes that time, and none of a clock that is moved by hand`() throws
  {
    let model = SimulatedDeviceModel.camera()
    let scene = Scene(faults: [SceneFault(.slowOpen(milliseconds: 150))], devices: [model])
    let provider = SimulatedDeviceProvider(scene: scene, clock: .real)
    let device = try #require(provider.device("simulated.test"))
    let before = MonotonicInstant.now
    let stream = try device.openStream(
      StreamConfiguration(format: model.facts.formats[0], frameDuration: FrameDuration(1, 30)))
    #expect(MonotonicInstant.now.nanoseconds - before.nanoseconds >= 150_000_000)
    withExtendedLifetime(stream) {}
    // Would not return.
    _ = try stage([SceneFault(.slowOpen(milliseconds: 100_000_000))]).open()
  }

  @Test func `few buffers run out soon`() throws {
    let (_, log) = try story(stage([SceneFault(.fewBuffers(count: 2))]), seconds: 1)
    #expect(log.frames.count == 2 && log.drops.count == 28)
    #expect(log.drops.allSatisfy { $0.reason == .outOfBuffers })
  }

  @Test func `corrupt frames are JPEG that a strict decoder refuses`() throws {
    let model = SimulatedDeviceModel.camera(
      sizes: [FrameSize(width: 96, height: 64)], encodings: [.motionJPEG])
    let stage = try stage([SceneFault(.corrupt(rate: 0.5))], model: model)
    let stream = try stage.open(model.facts.formats[0])
    let recorder = Recorder()
    try stream.start(recorder.receive)
    stage.clock.advance(by: .seconds(2))
    var broken = 0
    for frame in recorder.now.frames {
      guard case .jpeg(let block, _) = frame.picture else { continue }
      var data = Data(count: CMBlockBufferGetDataLength(block))
      let count = data.count
      data.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        _ = CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: count, destination: base)
      }
      do {
        let picture = try JPEGDecoder.decode(data, isStrict: true)
        #expect(FrameStamp.read(from: picture) == frame.sequence)
      } catch {
        broken += 1
      }
    }
    #expect(recorder.now.frames.count == 60 && (18...42).contains(broken), "\(broken) were broken")
  }

  @Test func `a fault aimed at one device leaves the others alone`() throws {
    var scene = Scene(faults: [SceneFault(.unplug, at: 0.1, device: "a")])
    scene.devices = [.camera(uniqueID: "a"), .camera(uniqueID: "b")]
    let clock = SimulatedClock()
    let provider = SimulatedDeviceProvider(scene: scene, clock: clock)
    let recorders = try ["a", "b"].map { id in
      let device = try #require(provider.device(id))
      let stream = try device.openStream(
        StreamConfiguration(format: device.facts.formats[0], frameDuration: FrameDuration(1, 30)))
      let recorder = Recorder(keepsFrames: false)
      try stream.start(recorder.receive)
      return (recorder, stream)
    }
    clock.advance(by: .seconds(1))
    #expect(recorders[0].0.now.failure?.code == .disconnected && recorders[1].0.now.failure == nil)
    #expect(provider.devices().map(\.facts.uniqueID) == ["b"])
  }

  @Test(arguments: [
    SceneFault.Kind.unplug, .stall(seconds: 100), .privacy(seconds: 100), .reset(seconds: 0),
    .busy(seconds: nil),
    .slowStart(milliseconds: 100_000), .jitter(milliseconds: 5000),
  ])
  func `stop returns at once under every fault`(kind: SceneFault.Kind) throws {
    let model = SimulatedDeviceModel.camera()
    let scene = Scene(faults: [SceneFault(kind, at: 0.05)], devices: [model])
    let provider = SimulatedDeviceProvider(scene: scene, clock: .real)
    let device = try #require(provider.device("simulated.test"))
    let stream = try device.openStream(
      StreamConfiguration(format: model.facts.formats[0], frameDuration: FrameDuration(1, 30)))
    try stream.start { _ in }
    pause(seconds: 0.15, because: "a fault such as a standstill says nothing")
    let before = MonotonicInstant.now
    stream.stop()
    #expect(before.isRecent)
  }
}
