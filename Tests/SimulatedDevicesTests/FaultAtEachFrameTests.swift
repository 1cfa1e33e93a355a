import CaptureDevice
import CoreMedia
import Linux
import SeededNumbers
import SimulatedDevices
import Testing

/// Each fault of a scene, at each frame of a short stream.
@Suite("Simulated faults at each frame")
struct FaultAtEachFrameTests {
  static let faults: [SceneFault.Kind] = [
    .unplug, .stall(seconds: 0.2), .drop(rate: 0.5), .corrupt(rate: 0.5), .jitter(milliseconds: 40),
    .busy(seconds: 0.1), .privacy(seconds: 0.1), .reset(seconds: 0.1), .fewBuffers(count: 1),
    .slowStart(milliseconds: 100),
  ]

  private func story(_ fault: SceneFault) throws -> Recorder.Log {
    let stage = try Stage(Scene(faults: [fault]))
    let recorder = Recorder(keepsFrames: true)
    do {
      let stream = try stage.open()
      try stream.start(recorder.receive)
      stage.clock.advance(by: .seconds(1))
      let statistics = stream.statistics
      #expect(statistics.captured == statistics.delivered + statistics.dropped, "\(fault)")
      #expect(statistics.delivered == recorder.now.frames.count, "\(fault)")
      stream.stop()
    } catch let error as CaptureDeviceError {
      #expect(error.message.hasSuffix("."), "\(fault): \(error.message)")
    }
    return recorder.now
  }

  @Test(arguments: faults)
  func `a fault at any frame is told once, keeps the order, and is the same each time`(kind: SceneFault.Kind)
    throws
  {
    let frames = 15
    let tried = FuzzCount(usual: 5, all: frames).value
    for number in Set((0..<tried).map { $0 * frames / tried }).sorted() {
      let fault = SceneFault(kind, at: (Double(number) + 0.5) / 30)
      let log = try story(fault)
      let sequences = log.frames.map(\.sequence)
      #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }, "\(fault)")
      let times = log.frames.map(\.timestamp.nanoseconds)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(fault)")
      #expect(log.words.count { $0.hasPrefix("failed") } <= 1, "\(fault)")
      if log.failure != nil { #expect(log.words.last?.hasPrefix("failed") == true, "\(fault): \(log.words)") }
      #expect(try story(fault).words == log.words, "\(fault)")
    }
  }
}
