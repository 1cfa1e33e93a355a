import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

/// vivid's faults while a photo is waited for, and while nothing streams; those of running streams are in LabTests.
extension LabTests {
  /// The answer of ``CaptureStream/captureStill(_:completion:)``; `nil` when there is none within 20 seconds.
  private final class StillAnswer: Sendable {
    private let answer = Monitor<Result<UInt32, CaptureDeviceError>?>(nil)

    func ask(_ stream: any CaptureStream) {
      let size = stream.configuration.format.stillSizes[0]
      stream.captureStill(StillRequest(size: size)) { [answer] result in
        answer.withLock { $0 = result.map(\.sequence) }
      }
    }

    func get() -> Result<UInt32, CaptureDeviceError>? {
      answer.wait(until: .now.advanced(byNanoseconds: 20_000_000_000), for: { $0 != nil }, then: { $0 })
        ?? nil
    }

    var code: CaptureDeviceError.Code? {
      guard case .failure(let error)? = get() else { return nil }
      return error.code
    }
  }

  private func expectFrames(_ count: Int = 2) throws {
    let log = EventLog()
    let stream = try Vivid.open()
    try stream.start(log.receive)
    #expect(wait(log) { $0.sequences.count >= count })
    let still = StillAnswer()
    still.ask(stream)
    #expect((try? still.get()?.get()) != nil, "no photo after the fault")
    stream.stop()
  }

  /// Waits until the stream ends without a frame, which it does within a second of now.
  private func expectSilence(_ log: EventLog, _ still: StillAnswer? = nil) {
    let began = MonotonicInstant.now
    if let still { #expect(still.code == .noFrames) }
    #expect(wait(log) { $0.failure?.code == .noFrames })
    let elapsed = MonotonicInstant.now.nanoseconds - began.nanoseconds
    #expect(elapsed < Self.second, "\(elapsed)")
  }

  private static let second: Int64 = 1_000_000_000

  // MARK: While a photo is waited for

  @Test(arguments: ["disconnect=1", "inject_fatal_streaming_error=1"])
  func `a photo that is waited for ends with the stream's error within a second, and the next one is taken`(
    _ fault: String
  ) throws {
    do {
      // So slow that the silence below is not yet one to end for.
      let stream = try Vivid.open(frameDuration: FrameDuration(1, 1))
      #expect(stream.configuration.frameDuration == FrameDuration(1, 1))
      let log = EventLog()
      try stream.start(log.receive)
      #expect(wait(log) { $0.sequences.count >= 2 })
      // The driver keeps its pictures back, so that the photo waits.
      try Vivid.set("percentage_of_dropped_buffers=100")
      pause(seconds: 0.3, because: "what the driver has filled already says nothing of itself")
      let still = StillAnswer()
      still.ask(stream)
      try Vivid.set(fault)
      let began = MonotonicInstant.now
      #expect(still.code == (fault.hasPrefix("disconnect") ? .disconnected : .ioFailure))
      #expect(wait(log) { $0.failure != nil })
      #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < Self.second)
      stream.stop()
    }
    try Vivid.reset()
    try expectFrames()
  }

  @Test func `a photo whose frame is marked broken is the next whole frame`() throws {
    let (stream, log) = try streaming(Vivid.open())
    for _ in 0..<3 {
      let still = StillAnswer()
      try Vivid.set("inject_v4l2_buf_flag_error=1")
      still.ask(stream)
      let number = try #require(try still.get()?.get())
      #expect(wait(log) { $0.sequences.contains(number) })
      #expect(!log.now.drops.contains { $0.sequence == number })
    }
    #expect(wait(log) { $0.drops.count >= 1 } && log.now.failure == nil)
    stream.stop()
  }

  @Test func `a stream and a photo without any frame end as noFrames within a second`() throws {
    do {
      let (stream, log) = try streaming(Vivid.open())
      try Vivid.set("percentage_of_dropped_buffers=100")
      let still = StillAnswer()
      still.ask(stream)
      expectSilence(log, still)
      stream.stop()
    }
    try Vivid.reset()
    try expectFrames()
  }

  @Test func `a start after which no frame ever comes ends as noFrames within a second`() throws {
    try Vivid.set("percentage_of_dropped_buffers=100")
    do {
      let stream = try Vivid.open()
      let log = EventLog()
      try stream.start(log.receive)
      expectSilence(log)
      stream.stop()
    }
    try Vivid.reset()
    try expectFrames()
  }

  @Test func `a camera that drops most of its frames is slow, not silent`() throws {
    try Vivid.set("percentage_of_dropped_buffers=80")
    let stream = try Vivid.open()
    let log = EventLog()
    try stream.start(log.receive)
    #expect(wait(log) { $0.sequences.count >= 20 })
    stream.stop()
    #expect(log.now.failure == nil)
  }

  @Test func `a buffer that the driver refuses while a photo is waited for costs the photo nothing`() throws {
    let (stream, log) = try streaming(Vivid.open())
    for _ in 0..<3 {
      let still = StillAnswer()
      try Vivid.set("inject_vidioc_qbuf_error=1")
      still.ask(stream)
      #expect((try? still.get()?.get()) != nil)
    }
    #expect(wait(log) { _ in ((stream as? V4L2Stream)?.diagnosis.refusedReturns ?? 0) > 0 })
    stream.stop()
    #expect(log.now.failure == nil)
  }

  @Test func `refusals of calls that a running stream does not make wait for the next one`() throws {
    do {
      let stream = try streaming(Vivid.open()).stream
      let still = StillAnswer()
      try Vivid.set("inject_vidioc_streamon_error=1,inject_vidioc_reqbufs_error=1")
      still.ask(stream)
      #expect((try? still.get()?.get()) != nil)
      stream.stop()
      let began = MonotonicInstant.now
      let error = #expect(throws: CaptureDeviceError.self) { try stream.start { _ in } }
      #expect(error?.code == .ioFailure)
      #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < Self.second)
    }
    let error = #expect(throws: CaptureDeviceError.self) { try Vivid.open() }
    #expect(error?.code == .ioFailure)
    try expectFrames()
  }

  @Test(arguments: ["wrap_sequence_number=1", "wrap_timestamp=1"])
  func `photos are taken before and after the driver's numbers and stamps wrap`(_ fault: String) throws {
    try Vivid.set(fault)
    let stream = try Vivid.open()
    let log = EventLog()
    try stream.start(log.receive)
    var numbers: [UInt32] = []
    for least in [2, 140] {
      #expect(wait(log) { ($0.sequences.last ?? 0) > least })
      let still = StillAnswer()
      still.ask(stream)
      numbers.append(try #require(try still.get()?.get()))
    }
    #expect(numbers == numbers.sorted() && Set(numbers).count == 2)
    stream.stop()
    #expect(log.now.failure == nil)
  }

  // MARK: While nothing streams

  @Test func `a camera that went while it was open and stopped says so at the start`() throws {
    do {
      let stream = try Vivid.open()
      try Vivid.set("disconnect=1")
      let error = #expect(throws: CaptureDeviceError.self) { try stream.start { _ in } }
      #expect(error?.code == .disconnected)
      let still = StillAnswer()
      still.ask(stream)
      #expect(still.code == .noFrames)
    }
    try expectFrames()
  }

  @Test(arguments: [
    "inject_fatal_streaming_error=1", "inject_v4l2_buf_flag_error=1", "wrap_sequence_number=1",
    "wrap_timestamp=1",
  ])
  func `a fault that is set while nothing streams costs no more than a frame`(_ fault: String) throws {
    func drops() throws -> Int {
      let stream = try Vivid.open()
      try Vivid.set(fault)
      let log = EventLog()
      try stream.start(log.receive)
      #expect(wait(log) { $0.sequences.count >= 5 })
      stream.stop()
      #expect(log.now.failure == nil)
      return log.now.drops.count
    }
    // An emulated machine that stands still for a moment loses frames of its own, but not each time.
    let isCheap = try (0..<3).contains { _ in try drops() <= 1 }
    #expect(isCheap)
    try Vivid.reset()
    try expectFrames()
  }

  @Test(arguments: ["inject_vidioc_qbuf_error=1", "inject_vidioc_streamon_error=1"])
  func `a start that the driver refuses is an error within a second, and the next one succeeds`(
    _ fault: String
  ) throws {
    let stream = try Vivid.open()
    try Vivid.set(fault)
    let began = MonotonicInstant.now
    let error = #expect(throws: CaptureDeviceError.self) { try stream.start { _ in } }
    #expect(error?.code == .ioFailure)
    #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < Self.second)
    let log = EventLog()
    try stream.start(log.receive)
    #expect(wait(log) { $0.sequences.count >= 2 })
    stream.stop()
  }

  // MARK: Clocks and plugs

  @Test func `times advance when the driver's stamps wrap`() throws {
    try Vivid.set("wrap_timestamp=1")
    let stream = try Vivid.open()
    let log = EventLog()
    try stream.start(log.receive)
    #expect(wait(log) { $0.sequences.count >= 10 })
    stream.stop()
    let times = log.now.times
    #expect(times == times.sorted() && Set(times).count == times.count)
    let now = MonotonicInstant.now
    #expect(times.allSatisfy { now.nanoseconds - $0.nanoseconds < 60 * Self.second })
    #expect(log.now.failure == nil)
  }

  @Test func `unbound twenty times while it streams, it says so within a second and leaks nothing`() throws {
    func cycle() throws {
      let log = EventLog()
      do {
        let stream = try Vivid.open()
        try stream.start(log.receive)
        #expect(wait(log) { $0.sequences.count >= 1 })
        try Vivid.bind(false)
        let pulled = MonotonicInstant.now
        #expect(wait(log) { $0.failure != nil })
        #expect(log.now.failure?.code == .disconnected)
        #expect(MonotonicInstant.now.nanoseconds - pulled.nanoseconds < Self.second)
        stream.stop()
      }
      try Vivid.bind(true)
      #expect(Vivid.comes { $0.contains { $0.path == "/dev/video1" } })
    }
    // The first round may load what stays.
    try cycle()
    let before = try ProcessHoldings.now()
    for round in 1...20 {
      try cycle()
      Vivid.report("round \(round)")
    }
    #expect(
      outside(ProcessHoldings.why) { (try? ProcessHoldings.now().descriptors) ?? .max <= before.descriptors })
    #expect(
      outside(ProcessHoldings.why) { (try? ProcessHoldings.now().threads) ?? .max <= before.threads + 2 })
    #expect(try ProcessHoldings.now().mappings <= before.mappings)
    try Vivid.reset()
    try expectFrames()
  }
}
