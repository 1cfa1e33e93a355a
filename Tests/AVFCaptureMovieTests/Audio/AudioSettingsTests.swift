import AVFoundation
import CaptureDevice
import CaptureStage
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVCaptureAudioDataOutput: settings")
  struct AudioSettingsTests {
    private func capture(
      _ settings: [String: Any]?, milliseconds: Int = 200, channels: Int = 1
    ) throws -> [AudioCounter.Chunk] {
      let stage = SessionStage(devices: [.stageMicrophone])
      let microphone = try stage.camera(.stageMicrophone)
      try microphone.lockForConfiguration()
      microphone.activeFormat = microphone.formats[channels - 1]
      microphone.unlockForConfiguration()
      let output = AVCaptureAudioDataOutput()
      output.audioSettings = settings
      let counter = try stage.addMicrophone(to: output)
      stage.session.startRunning()
      stage.pass(milliseconds: milliseconds)
      stage.session.stopRunning()
      #expect(output.statistics.delivered == milliseconds / 10)
      return counter.stretches
    }

    @Test
    func `audio comes in the layout that was asked for`() throws {
      let native = try capture(nil)
      let floats = try capture([
        AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32,
        AVNumberOfChannelsKey: 2, AVLinearPCMIsNonInterleaved: true,
      ])
      let format = try #require(floats.first).format
      #expect(format.mBitsPerChannel == 32 && format.mChannelsPerFrame == 2 && format.mBytesPerFrame == 4)
      #expect(
        format.mFormatFlags
          == kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved)
      for (plain, stretch) in zip(native, floats) {
        let samples = plain.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        let both = stretch.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(both.count == 960 && plain.time == stretch.time)
        #expect(Array(both.prefix(480)) == samples.map { Float($0) / 32_768 })
        #expect(Array(both.suffix(480)) == Array(both.prefix(480)))
      }
    }

    @Test
    func `another rate has as many samples as it takes, each stretch where the one before ends`() throws {
      let stretches = try capture(
        [
          AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 44_100.0, AVLinearPCMBitDepthKey: 24,
          AVLinearPCMIsBigEndianKey: true,
        ], milliseconds: 1000)
      let count = stretches.map(\.count).reduce(0, +)
      #expect((44_070...44_100).contains(count))
      #expect(stretches.allSatisfy { $0.bytes.count == 3 * $0.count && $0.format.mSampleRate == 44_100 })
      for (one, next) in zip(stretches, stretches.dropFirst()) {
        #expect(abs((one.end - next.time).seconds) < 2e-9)
      }
      #expect(stretches.allSatisfy { $0.format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0 })
    }

    @Test
    func `two channels become one`() throws {
      let stereo = try capture(nil, channels: 2)
      let mono = try capture(
        [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 1], channels: 2)
      let pairs = try #require(stereo.first).bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      let single = try #require(mono.first).bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      #expect(single.count == 480 && pairs.count == 960)
      for index in 0..<480 {
        let mean = (Double(pairs[2 * index]) + Double(pairs[2 * index + 1])) / 2
        #expect(Double(single[index]) == mean.rounded(.toNearestOrEven))
      }
    }

    @Test
    func `what cannot be made is a mistake without effect`() {
      let output = AVCaptureAudioDataOutput()
      #expect(output.audioSettings == nil)
      let good: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000]
      output.audioSettings = good
      let bad: [[String: Any]] = [
        [AVFormatIDKey: kAudioFormatMPEG4AAC], [AVSampleRateKey: 44_100],
        [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 100],
        [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 3],
        [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 12],
        [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 16],
        [AVFormatIDKey: kAudioFormatLinearPCM, AVEncoderBitRateKey: 64_000],
        [AVFormatIDKey: kAudioFormatLinearPCM, "Colour": 1],
      ]
      for settings in bad {
        let rules = ProgrammingMistake.collect { output.audioSettings = settings }
        #expect(rules.count == 1, "\(settings)")
      }
      #expect(output.audioSettings?[AVSampleRateKey] as? Int == 16_000)
      output.audioSettings = [:]
      #expect(output.audioSettings?.isEmpty == true)
      output.audioSettings = nil
      #expect(output.audioSettings == nil)
    }

    @Test
    func `settings change while the session runs`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let output = AVCaptureAudioDataOutput()
      let counter = try stage.addMicrophone(to: output)
      stage.session.startRunning()
      stage.pass(milliseconds: 50)
      output.audioSettings = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000]
      stage.pass(milliseconds: 50)
      output.audioSettings = nil
      stage.pass(milliseconds: 50)
      stage.session.stopRunning()
      let rates = counter.stretches.map(\.format.mSampleRate)
      #expect(
        rates == [Double](repeating: 48_000, count: 5) + [Double](repeating: 16_000, count: 5)
          + [Double](repeating: 48_000, count: 5))
    }
  }

  @Suite("AVCaptureAudioChannel")
  struct AVCaptureAudioChannelTests {
    @Test
    func `a connection of audio has a channel for each of the microphone's, one of pictures none`() throws {
      let stage = SessionStage(devices: [SessionStage.back, .stageMicrophone])
      try stage.addCamera()
      let output = AVCaptureAudioDataOutput()
      try stage.addMicrophone(to: output)
      let connection = try #require(output.connection(with: .audio))
      let microphone = try stage.camera(.stageMicrophone)
      try microphone.lockForConfiguration()
      microphone.activeFormat = microphone.formats[0]
      #expect(connection.audioChannels.count == 1)
      microphone.activeFormat = microphone.formats[1]
      microphone.unlockForConfiguration()
      #expect(connection.audioChannels.count == 2)
      #expect(connection.audioChannels[0] === connection.audioChannels[0])
      #expect(stage.session.connections.first { $0 !== connection }?.audioChannels.isEmpty == true)
    }

    @Test
    func `levels are those of the audio, without a delegate too, and fall when it ends`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let output = AVCaptureAudioDataOutput()
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera(.stageMicrophone)))
      stage.session.addOutput(output)
      let channel = try #require(output.connections.first?.audioChannels.first)
      #expect(channel.averagePowerLevel == -160 && channel.peakHoldLevel == -160)
      stage.session.startRunning()
      stage.pass(milliseconds: 500)
      // The scene's noise is some fifty decibels below full scale.
      #expect((-60 ... -40).contains(channel.averagePowerLevel))
      #expect(channel.peakHoldLevel > channel.averagePowerLevel)
      stage.session.stopRunning()
      #expect(channel.averagePowerLevel == -160)
    }

    @Test
    func `volume and switch change the audio and its levels`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let microphone = try stage.camera(.stageMicrophone)
      try microphone.lockForConfiguration()
      microphone.activeFormat = microphone.formats[1]
      microphone.unlockForConfiguration()
      let input = try AVCaptureDeviceInput(device: microphone)
      let counter = AudioCounter()
      let trial = AudioTrial(AVCaptureAudioDataOutput(), counter, ports: input.ports, channels: 2)
      let channels = trial.route.connection.audioChannels
      func play(_ numbers: Range<Int>) {
        for number in numbers { trial.offer(number, samples: [16_384, 16_384]) }
      }
      play(0..<100)
      #expect(abs(channels[0].averagePowerLevel + 6.02) < 0.05)
      channels[0].volume = 0.5
      channels[1].isEnabled = false
      // What waited is at the new volume or the old one; what comes now is at the new one.
      trial.wait()
      play(100..<300)
      #expect(abs(channels[0].averagePowerLevel + 12.04) < 0.05)
      #expect(abs(channels[0].peakHoldLevel + 12.04) < 0.05)
      #expect(channels[1].peakHoldLevel == -160)
      trial.wait()
      let last = try #require(counter.stretches.last)
      let samples = last.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      #expect(samples.count == 960 && samples[0] == 8192 && samples[1] == 0)
      let rules = ProgrammingMistake.collect { channels[0].volume = 1.5 }
      #expect(rules.count == 1 && channels[0].volume == 0.5)
    }
  }
}
