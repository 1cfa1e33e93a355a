internal import CaptureDevice
internal import Foundation
internal import Linux

/// One check's world: a provider, the camera under test, and time that can be made to pass.
struct ConformanceStage {
  /// The timeout of real devices; generous, for emulated machines.
  static let timeoutNanoseconds: Int64 = 15_000_000_000

  let provider: any CaptureDeviceProvider
  let driver: any CaptureDeviceDriver
  let formats: [StreamFormat]
  private let advance: (@Sendable (Duration) -> Void)?

  init(_ suite: DeviceConformanceSuite) throws {
    let provider = try suite.makeProvider()
    let cameras = provider.devices().filter { $0.facts.media.contains(.video) }
    guard let driver = cameras.first(where: { suite.uniqueID == nil || $0.facts.uniqueID == suite.uniqueID })
    else {
      throw ConformanceFailure(message: "The provider \(provider.name) has no camera to check.", line: #line)
    }
    let formats = suite.chooseFormats(driver.facts)
    try require(!formats.isEmpty, "\(driver.facts.name) has no format to check.")
    self.provider = provider
    self.driver = driver
    self.formats = formats
    advance = suite.advance
  }

  /// The format for checks that need only one.
  var format: StreamFormat { formats[0] }

  var isManual: Bool { advance != nil }

  /// The first format's configuration at its highest rate that is at most 30.
  func configuration(_ format: StreamFormat? = nil, buffers: Int = 4) -> StreamConfiguration {
    let format = format ?? self.format
    let thirtieth = FrameDuration(1, 30)
    let durations = format.frameDurations.map { min(max(thirtieth, $0.lowerBound), $0.upperBound) }
    let best = durations.min { abs($0.nanoseconds - 33_333_333) < abs($1.nanoseconds - 33_333_333) }
    return StreamConfiguration(format: format, frameDuration: best ?? thirtieth, bufferCount: buffers)
  }

  func open(_ format: StreamFormat? = nil, buffers: Int = 4) throws -> any CaptureStream {
    try driver.openStream(configuration(format, buffers: buffers))
  }

  /// Opens and starts a stream, and runs `body` once `frames` frames have come; stops it in the end.
  ///
  /// - Throws: ``ConformanceFailure`` when they do not come, and what opening, starting and `body` throw.
  func withRunningStream(
    frames: Int, _ body: (_ stream: any CaptureStream, _ recorder: StreamRecorder) throws -> Void
  ) throws {
    let stream = try open()
    let recorder = StreamRecorder()
    try stream.start(recorder.receive)
    defer { stream.stop() }
    try run(stream, recorder, until: "frame \(frames) comes") { $0.frames.count >= frames }
    try body(stream, recorder)
  }

  /// Lets time pass until the recorder's log satisfies `condition`.
  ///
  /// - Throws: ``ConformanceFailure`` with `what` when it does not within 15 s, or 400 frames of a manual clock.
  func run(
    _ stream: any CaptureStream, _ recorder: StreamRecorder, until what: String, line: UInt = #line,
    _ condition: (StreamRecorder.Log) -> Bool
  ) throws {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.timeoutNanoseconds)
    if let advance {
      for _ in 0..<400 where !condition(recorder.now) { advance(stream.configuration.frameDuration.duration) }
      // A manual clock's clients may still be busy on threads of their own.
    }
    guard recorder.wait(until: deadline, condition) else {
      let log = recorder.now
      throw ConformanceFailure(
        message:
          "Waited in vain until \(what); \(log.frames.count) frames and \(log.drops.count) drops had come"
          + (stream.configuration.depth == nil
            ? "" : ", \(log.depths.count) maps and \(log.depthDrops.count) of their drops")
          + (log.failure.map { ", and the failure “\($0)”." } ?? "."), line: line)
    }
  }

  /// Lets `frames` frame durations pass.
  func pass(frames: Int, of stream: any CaptureStream) {
    let duration = stream.configuration.frameDuration
    if let advance {
      for _ in 0..<frames { advance(duration.duration) }
    } else {
      Thread.sleep(forTimeInterval: Double(duration.nanoseconds) / 1e9 * Double(frames))
    }
  }
}

extension FrameDuration {
  var duration: Duration { .nanoseconds(nanoseconds) }
}
