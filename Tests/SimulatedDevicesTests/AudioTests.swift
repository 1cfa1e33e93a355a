import CaptureDevice
import CoreMedia
import CoreVideo
import Linux
import SimulatedDevices
import Testing

@Suite("Simulated microphone")
struct AudioTests {
  private func record(_ scene: Scene, seconds: Double, channels: Int = 1) throws -> [CapturedAudio] {
    let clock = SimulatedClock()
    let provider = SimulatedDeviceProvider(scene: scene, clock: clock)
    let device = try #require(provider.device("simulated.microphone"))
    let stream = try device.openStream(.audio(AudioStreamFormat(rate: 48_000, channels: channels)))
    let recorder = Recorder()
    try stream.start(recorder.receive)
    clock.advance(by: .seconds(seconds))
    stream.stop()
    return recorder.now.sounds
  }

  private func samples(_ sounds: [CapturedAudio]) -> [Int16] {
    sounds.flatMap { audio -> [Int16] in
      var samples = [Int16](repeating: 0, count: audio.frameCount * audio.channels)
      samples.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        _ = CMBlockBufferCopyDataBytes(audio.samples, atOffset: 0, dataLength: bytes.count, destination: base)
      }
      return samples
    }
  }

  @Test(arguments: [1, 2])
  func `audio comes in chunks of 10 ms at 48 kHz`(channels: Int) throws {
    let sounds = try record(Scene(), seconds: 0.5, channels: channels)
    #expect(sounds.count == 50)
    for (index, audio) in sounds.enumerated() {
      #expect(audio.sampleRate == 48_000 && audio.channels == channels && audio.frameCount == 480)
      #expect(audio.sequence == UInt32(index))
      #expect(audio.timestamp.nanoseconds == 1_000_000_000_000 + Int64(index) * 10_000_000)
    }
    #expect(samples(sounds).allSatisfy { abs($0) < 300 })
    #expect(Set(samples(sounds)).count > 50)
  }

  @Test func `a click begins on its sample and lasts a millisecond`() throws {
    var scene = Scene()
    scene.clickInterval = 0.25
    let all = samples(try record(scene, seconds: 1.1))
    let loud = all.indices.filter { abs(Int(all[$0])) > 20_000 }
    let expected = (1...4).flatMap { click in (0..<48).map { click * 12_000 + $0 } }
    #expect(loud == expected)
  }

  @Test func `the camera's flash is the frame whose exposure holds the click`() throws {
    var scene = Scene(isStamped: false)
    scene.clickInterval = 0.5
    let frames = try Stage(scene).frames(seconds: 2)
    let white = frames.filter { ($0.buffer?.luma(80, 60) ?? 0) == 255 }.map(\.sequence)
    #expect(white == [15, 30, 45])
  }

  @Test func `a drifting microphone sends more in the same time`() throws {
    var scene = Scene(faults: [SceneFault(.drift(partsPerMillion: 10_000))])
    scene.clickInterval = nil
    let sounds = try record(scene, seconds: 10.001)
    #expect(sounds.count == 1010)
    let last = try #require(sounds.last)
    #expect(abs(Double(last.timestamp.nanoseconds - 1_000_000_000_000) - 1009 * 1e7 / 1.01) < 2)
  }

  @Test func `a closed shutter hides no sound, unless it is the microphone's own`() throws {
    var shutter = SceneFault(.privacy(seconds: 0.5), at: 0.2)
    #expect(try record(Scene(faults: [shutter]), seconds: 1).count == record(Scene(), seconds: 1).count)
    shutter.device = "simulated.microphone"
    #expect(try record(Scene(faults: [shutter]), seconds: 1).count < record(Scene(), seconds: 1).count)
  }

  @Test func `the same seed gives the same audio`() throws {
    #expect(
      try samples(record(Scene(seed: 3), seconds: 0.1)) == samples(record(Scene(seed: 3), seconds: 0.1)))
    #expect(
      try samples(record(Scene(seed: 3), seconds: 0.1)) != samples(record(Scene(seed: 4), seconds: 0.1)))
  }
}
