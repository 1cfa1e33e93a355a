import CaptureDevice
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

@Suite("Simulated devices: a machine that is too slow")
struct SlowMachineTests {
  private struct Tally {
    var taken: [UInt32] = []
    var lost: [UInt32] = []
    var failures: [CaptureDeviceError] = []

    /// Whether every number up to the greatest came once, in order of time.
    var isWhole: Bool { (taken + lost).sorted() == Array(0..<UInt32(taken.count + lost.count)) }
  }

  /// Streams on the real clock until two frames or chunks have come.
  ///
  /// The receiver holds the device's thread at the first of them and at each loss, as a starved processor does.
  private func stream(
    _ model: SimulatedDeviceModel, holdingMilliseconds first: UInt32, atEachLoss loss: UInt32
  ) throws -> (tally: Tally, statistics: StreamStatistics) {
    var scene = Scene.blank
    scene.devices = [model]
    let provider = SimulatedDeviceProvider(scene: scene)
    let device = try #require(provider.device(model.facts.uniqueID))
    let configuration =
      device.facts.formats.first.map {
        StreamConfiguration(format: $0, frameDuration: FrameDuration(1, 240), bufferCount: 8)
      } ?? .audio()
    let stream = try device.openStream(configuration)
    let tally = Monitor(Tally())
    try stream.start { event in
      switch event {
      case .frame(let frame): take(frame.sequence)
      case .audio(let audio): take(audio.sequence)
      case .dropped(let drop):
        pause(seconds: Double(loss) / 1000, because: "a starved processor is late")
        tally.withLock { $0.lost.append(drop.sequence) }
      case .failed(let error): tally.withLock { $0.failures.append(error) }
      default: break
      }
      func take(_ sequence: UInt32) {
        if tally.withLock({ $0.taken.isEmpty }) {
          pause(seconds: Double(first) / 1000, because: "a starved processor is late")
        }
        tally.withLock { $0.taken.append(sequence) }
      }
    }
    let limit = MonotonicInstant.now.advanced(byNanoseconds: 60_000_000_000)
    #expect(tally.wait(until: limit, for: { $0.taken.count >= 2 }, then: { _ in }) != nil)
    stream.stop()
    let statistics = try #require(stream as? SimulatedStream).statistics
    return (tally.withLock { $0 }, statistics)
  }

  @Test
  func `a camera that comes late goes on with the frame of now, and counts those that it could not make`()
    throws
  {
    let (tally, statistics) = try stream(.camera(rates: 1...240), holdingMilliseconds: 300, atEachLoss: 6)
    #expect(tally.failures.isEmpty)
    #expect(tally.isWhole && tally.lost.count >= 70)
    #expect(statistics.captured == statistics.delivered + statistics.dropped)
  }

  @Test func `a microphone that comes late loses what a card would not have kept`() throws {
    let microphone = try #require(SimulatedDeviceModel.builtIn.last)
    let (tally, statistics) = try stream(microphone, holdingMilliseconds: 1300, atEachLoss: 0)
    #expect(tally.failures.isEmpty)
    #expect(tally.isWhole && tally.lost.count >= 25)
    #expect(statistics.captured == statistics.delivered + statistics.dropped)
  }
}
