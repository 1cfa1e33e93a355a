import AVFoundation
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVAudioRecorder")
  struct AudioRecorderTests {
    private let aac: [String: Any] = [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
    ]
    private let plain: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
    ]

    @Test(
      "The microphone is recorded, and the file is complete when the delegate is called",
      arguments: ["m4a", "wav", "caf"])
    func records(name: String) throws {
      let stage = try AudioClassStage()
      let url = stage.file("a.\(name)")
      let recorder = try AVAudioRecorder(url: url, settings: name == "m4a" ? aac : plain)
      let ends = AudioEnds()
      recorder.delegate = ends
      #expect(!FileManager.default.fileExists(atPath: url.path))
      #expect(recorder.record() && recorder.isRecording)
      stage.pass(milliseconds: 2000)
      #expect(abs(recorder.currentTime - 2) < 0.05)
      recorder.isMeteringEnabled = true
      recorder.updateMeters()
      #expect(recorder.averagePower(forChannel: 0) > -60)
      recorder.stop()
      stage.clock.settle()
      #expect(ends.all == ["recorded true on main true"])
      #expect(!recorder.isRecording && recorder.currentTime == 0)
      let file = try AVAudioFile(forReading: url)
      #expect(abs(Double(file.length) / file.processingFormat.sampleRate - 2) < 0.06)
      #expect(recorder.deleteRecording() && !FileManager.default.fileExists(atPath: url.path))
    }

    @Test("What is said in a pause is not recorded")
    func pauses() throws {
      let stage = try AudioClassStage()
      let recorder = try AVAudioRecorder(url: stage.file("a.wav"), settings: plain)
      recorder.record()
      stage.pass(milliseconds: 500)
      recorder.pause()
      #expect(!recorder.isRecording)
      stage.pass(milliseconds: 1000)
      #expect(recorder.record())
      stage.pass(milliseconds: 500)
      recorder.stop()
      let length = try AVAudioFile(forReading: stage.file("a.wav")).length
      #expect((46_000...48_500).contains(length))
    }

    @Test("It ends by itself after the seconds that it is given, to the sample")
    func durations() throws {
      let stage = try AudioClassStage()
      let recorder = try AVAudioRecorder(url: stage.file("a.wav"), settings: plain)
      let ends = AudioEnds()
      recorder.delegate = ends
      #expect(recorder.record(atTime: recorder.deviceCurrentTime + 0.5, forDuration: 0.75))
      stage.pass(milliseconds: 2000)
      #expect(ends.all == ["recorded true on main true"])
      #expect(try AVAudioFile(forReading: stage.file("a.wav")).length == 36_000)
    }

    @Test("A microphone that is unplugged ends the recording, which is kept")
    func unplug() throws {
      let stage = try AudioClassStage()
      let recorder = try AVAudioRecorder(url: stage.file("a.m4a"), settings: aac)
      let ends = AudioEnds()
      recorder.delegate = ends
      recorder.record()
      stage.pass(milliseconds: 1000)
      let microphone = try #require(stage.provider.devices().first as? SimulatedDevice)
      microphone.unplug()
      stage.pass(milliseconds: 100)
      #expect(ends.all == ["recorded false on main true"])
      #expect(!recorder.isRecording)
      let file = try AVAudioFile(forReading: stage.file("a.m4a"))
      #expect(abs(Double(file.length) / 44_100 - 1) < 0.1)
      #expect(!recorder.record())
    }

    @Test("What cannot be recorded is said before anything is made")
    func refusals() throws {
      let stage = try AudioClassStage(devices: [])
      #expect(throws: NSError.self) { try AVAudioRecorder(url: stage.file("a.mp3"), settings: aac) }
      #expect(throws: NSError.self) { try AVAudioRecorder(url: stage.file("a.wav"), settings: aac) }
      #expect(throws: NSError.self) { try AVAudioRecorder(url: stage.file("a.m4a"), settings: [:]) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path).isEmpty)
      let recorder = try AVAudioRecorder(url: stage.file("none/a.m4a"), settings: aac)
      #expect(!recorder.prepareToRecord() && !recorder.record())
      let deaf = try AVAudioRecorder(url: stage.file("a.m4a"), settings: aac)
      #expect(!deaf.record() && !deaf.isRecording)
    }
  }

  @Suite("AVAudioEngine: the microphone")
  struct AudioInputTests {
    @Test("A tap on the input hears all that the microphone does, in order")
    func tap() throws {
      let stage = try AudioClassStage()
      let engine = AVAudioEngine()
      let format = engine.inputNode.outputFormat(forBus: 0)
      #expect(format.sampleRate == 48_000 && format.channelCount == 1)
      let heard = Locked<[(count: Int, time: AVAudioFramePosition, loud: Bool)]>([])
      engine.inputNode.installTap(onBus: 0, bufferSize: 1200, format: format) { buffer, time in
        guard let samples = buffer.floatChannelData?[0] else { return }
        let isLoud = (0..<Int(buffer.frameLength)).contains { abs(samples[$0]) > 0.001 }
        heard.withLock { $0.append((Int(buffer.frameLength), time.sampleTime, isLoud)) }
      }
      try engine.start()
      #expect(engine.isRunning)
      stage.pass(milliseconds: 1000)
      engine.stop()
      let all = heard.withLock { $0 }
      #expect((38...40).contains(all.count))
      #expect(all.map(\.count).allSatisfy { $0 == 1200 } && all.contains { $0.loud })
      #expect(all.map(\.time) == all.indices.map { AVAudioFramePosition($0 * 1200) })
      stage.pass(milliseconds: 200)
      #expect(heard.withLock { $0.count } == all.count)
    }

    @Test("What the microphone hears goes through the graph, converted on the way")
    func graph() throws {
      let stage = try AudioClassStage()
      let engine = AVAudioEngine()
      engine.connect(
        engine.inputNode, to: engine.mainMixerNode, format: engine.inputNode.outputFormat(forBus: 0))
      let loud = Locked(0)
      engine.mainMixerNode.installTap(onBus: 0, bufferSize: 480, format: nil) { buffer, _ in
        guard buffer.format.channelCount == 2, let samples = buffer.floatChannelData else { return }
        let isLoud = (0..<Int(buffer.frameLength)).contains { abs(samples[1][$0]) > 0.001 }
        if isLoud { loud.withLock { $0 += 1 } }
      }
      try engine.start()
      stage.pass(milliseconds: 1000)
      #expect(loud.withLock { $0 } > 20)
    }

    @Test("An unplugged microphone stops the engine, and says so")
    func unplug() throws {
      let stage = try AudioClassStage()
      let engine = AVAudioEngine()
      _ = engine.inputNode
      let changes = Locked(0)
      let observer = NotificationCenter.default.addObserver(
        forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
      ) { _ in changes.withLock { $0 += 1 } }
      defer { NotificationCenter.default.removeObserver(observer) }
      try engine.start()
      stage.pass(milliseconds: 100)
      let microphone = try #require(stage.provider.devices().first as? SimulatedDevice)
      microphone.unplug()
      stage.pass(milliseconds: 100)
      #expect(changes.withLock { $0 } == 1 && !engine.isRunning)
      #expect(engine.inputNode.outputFormat(forBus: 0).channelCount == 0)
      let error = #expect(throws: (any Error).self) { try engine.start() }
      #expect((error as NSError?)?.localizedDescription.contains("microphone") == true)
    }
  }
}
