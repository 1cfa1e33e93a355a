import AVFoundation
import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import Linux
import SeededNumbers
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// Twenty seconds in every run of the suite, half an hour with `OBSCURA_STRESS`; see `FuzzCount`.
  @Suite("Movies: picture and sound stay together")
  struct FlashAndClickStressTests {
    @Test(arguments: [200.0, -200.0])
    func `flash and click are no frame apart, with a microphone whose clock drifts`(drift: Double) throws {
      let seconds = FuzzCount(usual: 20, all: 1800).value
      var scene = Scene(isNoisy: false)
      scene.clickInterval = 1
      let stage = try MovieStage(
        scene: scene,
        devices: [.camera(uniqueID: "movie.back", name: "Back", sizes: [FrameSize(width: 160, height: 120)])],
        faults: [SceneFault(.drift(partsPerMillion: drift), device: "stage.microphone")])
      stage.session.startRunning()
      stage.pass(frames: 10)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      for _ in 0..<seconds { stage.pass(frames: 30) }
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov"))
      let movie = try WrittenMovie(stage.url(), keepsAudio: false)
      let first = try #require(movie.stamps.first ?? nil)
      #expect(movie.stamps == (0..<30 * seconds).map { first + UInt32($0) })
      #expect(zip(movie.times, 0...).allSatisfy { abs($0 - Double($1) / 30) < 0.000_002 })
      let flashes = zip(movie.times, movie.lightness).filter { $0.1 > 200 }.map(\.0)
        .reduce(into: [Double]()) { list, time in
          if list.last.map({ time - $0 > 0.5 }) ?? true { list.append(time) }
        }
      #expect(flashes.count >= seconds - 1)
      // One of them may lie before the first frame, or behind the last audio.
      #expect(abs(flashes.count - movie.clicks.count) <= 1)
      for flash in flashes.dropFirst().dropLast() {
        let apart = movie.clicks.map { abs($0 - flash) }.min() ?? 1
        #expect(apart <= 1.0 / 30, "at \(flash) s")
      }
      #expect(movie.lightness[0] > 60)
    }
  }
}
