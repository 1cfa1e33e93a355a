import AVFoundation
import CaptureDevice
import CaptureStage
import CoreVideo
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Sound: clock")
  struct AudioClockTests {
    /// Checks stretches as they come and keeps none.
    private final class Checker: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
      struct Tally {
        var end: CMTime?
        var stretches = 0
        var samples = 0
        var gaps = 0
        var first: CMTime?
      }

      let tally = Locked(Tally())

      func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
      ) {
        let time = sampleBuffer.presentationTimeStamp
        let end = CMTimeConvertScale(
          time + sampleBuffer.duration, timescale: 1_000_000_000, method: .default)
        tally.withLock { tally in
          if let expected = tally.end, expected != time { tally.gaps += 1 }
          tally.first = tally.first ?? time
          tally.end = end
          tally.stretches += 1
          tally.samples += sampleBuffer.numSamples
        }
      }
    }

    @Test
    func `ten minutes of audio have no gap and no sample too many`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let checker = Checker()
      let output = AVCaptureAudioDataOutput()
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera(.stageMicrophone)))
      stage.session.addOutput(output)
      output.setSampleBufferDelegate(checker, queue: DispatchQueue(label: "checker"))
      stage.session.startRunning()
      for _ in 0..<600 { stage.clock.advance(by: .seconds(1)) }
      stage.session.stopRunning()
      let tally = checker.tally.withLock { $0 }
      #expect(tally.stretches == 60_000 && tally.samples == 600 * 48_000 && tally.gaps == 0)
      let first = try #require(tally.first), end = try #require(tally.end)
      #expect(CMTimeSubtract(end, first) == CMTime(value: 600, timescale: 1))
      #expect(output.statistics.delivered == 60_000)
    }

    @Test
    func `a microphone that drifts says so by its times, not by a gap`() throws {
      let stage = SessionStage(
        devices: [.stageMicrophone], faults: [SceneFault(.drift(partsPerMillion: 200), at: 0)])
      let counter = try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 10_000)
      stage.session.stopRunning()
      let stretches = counter.stretches
      let first = try #require(stretches.first), last = try #require(stretches.last)
      let nominal = Double(stretches.count - 1) * 0.01
      let drift = nominal - (last.time - first.time).seconds
      #expect(abs(drift - nominal * 200e-6) < 1e-6, "two milliseconds in ten seconds")
      #expect(stretches.allSatisfy { !$0.followsGap })
    }

    @Test
    func `a click and its flash fall into the same frame`() throws {
      var scene = Scene(
        isStamped: false, isNoisy: false, clickInterval: 0.5,
        devices: [
          .camera(uniqueID: "stage.back", sizes: [FrameSize(width: 32, height: 24)]), .stageMicrophone,
        ])
      scene.background = SceneBackground(.color(red: 0.2, green: 0.2, blue: 0.2))
      let clock = SimulatedClock()
      SimulatedDevices.install(scene: scene, clock: clock)
      let session = AVCaptureSession()
      let camera = try #require(AVCaptureDevice(uniqueID: "stage.back"))
      let microphone = try #require(AVCaptureDevice(uniqueID: "stage.microphone"))
      try camera.lockForConfiguration()
      camera.activeVideoMinFrameDuration = .invalid
      camera.activeVideoMaxFrameDuration = .invalid
      camera.unlockForConfiguration()
      session.addInput(try AVCaptureDeviceInput(device: camera))
      session.addInput(try AVCaptureDeviceInput(device: microphone))
      let watcher = FlashWatcher()
      let video = AVCaptureVideoDataOutput(), audio = AVCaptureAudioDataOutput()
      session.addOutput(video)
      session.addOutput(audio)
      video.setSampleBufferDelegate(watcher, queue: watcher.queue)
      let counter = AudioCounter()
      counter.watch(audio)
      session.startRunning()
      for _ in 0..<250 { clock.advance(by: .milliseconds(10)) }
      session.stopRunning()
      let flashes = watcher.flashes
      var clicks: [CMTime] = []
      for stretch in counter.stretches {
        let samples = stretch.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        guard let place = samples.firstIndex(where: { abs(Int($0)) > 16_000 }) else { continue }
        let time = stretch.time + CMTime(value: CMTimeValue(place), timescale: 48_000)
        // A click may end in the stretch after.
        if let last = clicks.last, (time - last).seconds < 0.1 { continue }
        clicks.append(time)
      }
      #expect(clicks.count == 4 && flashes.count == 4)
      for (click, flash) in zip(clicks, flashes) {
        #expect(abs((click - flash).seconds) < 1.0 / 30, "\(click.seconds) \(flash.seconds)")
      }
    }
  }
}

/// Notes when frames were white.
private final class FlashWatcher: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
  let queue = DispatchQueue(label: "flashes")
  private let times = Locked<[CMTime]>([])

  var flashes: [CMTime] { times.withLock { $0 } }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard let pixels = sampleBuffer.imageBuffer else { return }
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(pixels, 0) else { return }
    let middle = CVPixelBufferGetBytesPerRowOfPlane(pixels, 0) * 12 + 16
    if base.load(fromByteOffset: middle, as: UInt8.self) > 200 {
      times.withLock { $0.append(sampleBuffer.presentationTimeStamp) }
    }
  }
}
