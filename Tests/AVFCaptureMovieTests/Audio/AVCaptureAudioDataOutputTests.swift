import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

/// One class for both protocols with the one method they share, as clients on Apple write it.
private final class Everything: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate, Sendable
{
  private let counts = Locked((video: 0, audio: 0))
  let video = AVCaptureVideoDataOutput()
  let audio = AVCaptureAudioDataOutput()

  var seen: (video: Int, audio: Int) { counts.withLock { $0 } }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    counts.withLock {
      if output === video { $0.video += 1 }
      if output === audio { $0.audio += 1 }
    }
  }
}

/// A delegate of both that has no use for either.
private final class Nothing: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate
{}

extension DeviceSuites {
  @Suite("AVCaptureAudioDataOutput")
  struct AVCaptureAudioDataOutputTests {
    @Test
    func `one method of one class gets pictures and audio`() throws {
      let stage = SessionStage(devices: [SessionStage.back, .stageMicrophone])
      let everything = Everything()
      let queue = DispatchQueue(label: "everything")
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera(.stageMicrophone)))
      stage.session.addOutput(everything.video)
      stage.session.addOutput(everything.audio)
      everything.video.setSampleBufferDelegate(everything, queue: queue)
      everything.audio.setSampleBufferDelegate(everything, queue: queue)
      stage.session.startRunning()
      stage.pass(milliseconds: 1000)
      stage.session.stopRunning()
      #expect(everything.seen.video >= 28)
      #expect(everything.seen.audio == 100)
      #expect(AVAudioSession.sharedInstance().ioBufferDuration == 1 / Double(everything.seen.audio))
      #expect(!Nothing().isEqual(nil))
    }

    @Test
    func `audio comes in order, each stretch where the one before ends`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let output = AVCaptureAudioDataOutput()
      let counter = try stage.addMicrophone(to: output)
      stage.session.startRunning()
      stage.pass(milliseconds: 500)
      stage.session.stopRunning()
      let stretches = counter.stretches
      #expect(stretches.count == 50)
      for (one, next) in zip(stretches, stretches.dropFirst()) {
        #expect(one.end == next.time)
      }
      #expect(stretches.allSatisfy { $0.count == 480 && $0.bytes.count == 960 && !$0.followsGap })
      let format = try #require(stretches.first).format
      #expect(format.mSampleRate == 48_000 && format.mChannelsPerFrame == 1 && format.mBitsPerChannel == 16)
      #expect(format.mFormatID == kAudioFormatLinearPCM)
      let statistics = output.statistics
      #expect(statistics.captured == 50 && statistics.delivered == 50 && statistics.dropped == 0)
    }

    @Test
    func `the data is the device's own memory`() throws {
      let output = AVCaptureAudioDataOutput()
      let counter = AudioCounter()
      let got = Locked<[CMBlockBuffer?]>([])
      counter.onAudio = { sample in got.withLock { $0.append(sample.dataBuffer) } }
      let trial = AudioTrial(output, counter)
      let given = (0..<3).map { trial.offer($0) }
      trial.wait()
      #expect(got.withLock { $0 } == given)
    }

    @Test
    func `a microphone's second format brings two channels`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let microphone = try stage.camera(.stageMicrophone)
      #expect(
        microphone.formats.map { $0.formatDescription.audioStreamBasicDescription?.mChannelsPerFrame } == [
          1, 2,
        ])
      let counter = try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 20)
      try microphone.lockForConfiguration()
      microphone.activeFormat = microphone.formats[1]
      microphone.unlockForConfiguration()
      stage.pass(milliseconds: 20)
      stage.session.stopRunning()
      #expect(counter.stretches.map(\.format.mChannelsPerFrame) == [1, 1, 2, 2])
      #expect(counter.stretches.last?.bytes.count == 480 * 4)
      #expect(stage.session.sessionPreset == .high)
      let port = try #require(stage.session.inputs.first?.ports.first)
      #expect(port.formatDescription?.audioStreamBasicDescription?.mChannelsPerFrame == 2)
      #expect(port.mediaType == .audio)
    }

    @Test
    func `audio that waits too long is dropped from its old end, counted, and marked`() throws {
      let output = AVCaptureAudioDataOutput()
      let gate = DispatchSemaphore(value: 0)
      let counter = AudioCounter()
      let isBusy = DispatchSemaphore(value: 0)
      counter.onAudio = { _ in
        guard counter.stretches.count == 1 else { return }
        isBusy.signal()
        gate.wait()
      }
      let delivery = AudioTrial(output, counter)
      delivery.offer(0)
      isBusy.wait()
      for index in 1..<300 { delivery.offer(index) }
      #expect(output.statistics.pending > 0)
      gate.signal()
      counter.queue.sync {}
      delivery.wait()
      let statistics = output.statistics
      #expect(statistics.captured == 300 && statistics.pending == 0)
      #expect(statistics.late == 99 && statistics.delivered == 201)
      let marked = counter.stretches.filter(\.followsGap)
      #expect(marked.count == 1)
      #expect(marked.first?.time == CMTime(value: 1_000_000_000, timescale: 1_000_000_000))
    }

    @Test
    func `audio that the device loses is counted, and the next stretch says so`() throws {
      let stage = SessionStage(
        devices: [.stageMicrophone], faults: [SceneFault(.drop(rate: 0.2), at: 0)])
      let output = AVCaptureAudioDataOutput()
      let counter = try stage.addMicrophone(to: output)
      stage.session.startRunning()
      stage.pass(milliseconds: 1000)
      stage.session.stopRunning()
      let statistics = output.statistics
      #expect(statistics.captured == 100)
      #expect(statistics.discontinuities > 5)
      #expect(statistics.delivered + statistics.dropped == 100)
      for (one, next) in zip(counter.stretches, counter.stretches.dropFirst()) {
        #expect(next.followsGap == (one.end != next.time))
      }
    }

    @Test
    func `a delegate without a queue is a mistake, and without a delegate audio is unwanted`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let output = AVCaptureAudioDataOutput()
      let counter = try stage.addMicrophone(to: output)
      let rules = ProgrammingMistake.collect { output.setSampleBufferDelegate(counter, queue: nil) }
      #expect(rules.count == 1)
      #expect(output.sampleBufferDelegate === counter && output.sampleBufferCallbackQueue === counter.queue)
      output.setSampleBufferDelegate(nil, queue: nil)
      stage.session.startRunning()
      stage.pass(milliseconds: 100)
      stage.session.stopRunning()
      #expect(counter.stretches.isEmpty)
      #expect(output.statistics.unwanted == 10)
    }
  }
}
