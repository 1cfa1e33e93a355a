public import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import Linux

/// The conformance checks of a provider's microphones, for simulated and real ones alike.
///
/// Used as ``DeviceConformanceSuite``, whose ``DeviceConformanceSuite/checks`` are about cameras.
public struct MicrophoneConformanceSuite: Sendable {
  /// A check of one promise of the contract.
  public typealias Check = DeviceConformanceSuite.Check

  let makeProvider: @Sendable () throws -> any CaptureDeviceProvider
  let uniqueID: String?
  let advance: (@Sendable (Duration) -> Void)?

  /// A suite for one microphone of a provider.
  ///
  /// - Parameters:
  ///   - device: The unique identifier of the microphone to check; the provider's first one when `nil`.
  ///   - advance: Moves the devices' clock by hand; `nil` for devices that live in real time.
  ///   - makeProvider: Called once for each check; may return the same provider each time.
  public init(
    device: String? = nil, advance: (@Sendable (Duration) -> Void)? = nil,
    makeProvider: @escaping @Sendable () throws -> any CaptureDeviceProvider
  ) {
    self.makeProvider = makeProvider
    uniqueID = device
    self.advance = advance
  }

  /// All checks, in the order of a device's life.
  public var checks: [Check] {
    factChecks + openingChecks + audioChecks + stoppingChecks
  }

  // MARK: The stage

  /// The microphone under test.
  func microphone() throws -> any CaptureDeviceDriver {
    let microphones = try makeProvider().devices().filter { $0.facts.media == [.audio] }
    guard let found = microphones.first(where: { uniqueID == nil || $0.facts.uniqueID == uniqueID }) else {
      throw ConformanceFailure(message: "The provider has no microphone to check.", line: #line)
    }
    return found
  }

  /// Lets time pass until the recorder's log satisfies `condition`.
  ///
  /// - Throws: ``ConformanceFailure`` with `what` when it does not within 15 s, or 10 s of a manual clock.
  func run(
    _ recorder: StreamRecorder, until what: String, line: UInt = #line,
    _ condition: (StreamRecorder.Log) -> Bool
  ) throws {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: ConformanceStage.timeoutNanoseconds)
    if let advance {
      for _ in 0..<1000 where !condition(recorder.now) { advance(.milliseconds(10)) }
    }
    guard recorder.wait(until: deadline, condition) else {
      let log = recorder.now
      throw ConformanceFailure(
        message: "Waited in vain until \(what); \(log.chunks.count) chunks had come"
          + (log.failure.map { ", and the failure “\($0)”." } ?? "."), line: line)
    }
  }

  /// Starts, waits for `count` chunks, stops, and checks all events.
  func record(_ stream: any CaptureStream, _ driver: any CaptureDeviceDriver, chunks count: Int) throws {
    let recorder = StreamRecorder()
    let before = driver.clock.nanoseconds
    try stream.start(recorder.receive)
    try run(recorder, until: "\(count) chunks of sound come") { $0.chunks.count >= count }
    stream.stop()
    recorder.close()
    let after = driver.clock.nanoseconds
    if let advance { advance(.milliseconds(20)) }
    let log = recorder.now
    try require(log.eventsAfterClose == 0, "\(log.eventsAfterClose) events came after stop had returned.")
    try require(log.failure == nil, "The stream failed: \(log.failure?.message ?? "")")
    try require(!log.wasConcurrent, "Two events came at once.")
    try checkOrder(log)
    for chunk in log.chunks {
      let time = chunk.timestamp.nanoseconds
      try require(
        time > before - 1_000_000_000 && time <= after,
        "Chunk \(chunk.sequence) was taken at \(time), outside \(before)…\(after) of the device's clock.")
    }
  }

  /// Sequence numbers start at 0 and skip nothing that was not reported; times increase as the samples say.
  func checkOrder(_ log: StreamRecorder.Log, line: UInt = #line) throws {
    try requireOrder(
      "chunk", numbers: log.order, delivered: log.chunks.map { ($0.sequence, $0.timestamp) }, line: line)
    for (one, next) in zip(log.chunks, log.chunks.dropFirst()) {
      guard next.sequence == one.sequence + 1 else { continue }
      let length = Double(one.frameCount) * 1e9 / one.sampleRate
      let step = Double(next.timestamp.nanoseconds - one.timestamp.nanoseconds)
      // A clock that is still finding the device's rate moves by a part of a stamp's jitter.
      try require(
        abs(step - length) < max(0.25 * length, 3_000_000),
        "Chunk \(next.sequence) begins \(step / 1e6) ms after the one before, which sounds \(length / 1e6) ms.",
        line: line)
    }
  }
}

extension CMClock {
  /// The present moment.
  var nanoseconds: Int64 {
    CMTimeConvertScale(time, timescale: 1_000_000_000, method: .default).value
  }
}
