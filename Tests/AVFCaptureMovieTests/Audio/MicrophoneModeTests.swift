import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Microphone modes")
  struct MicrophoneModeTests {
    private func choose(_ isOn: Bool) {
      var choices = VideoEffectChoices.standard
      choices[.voiceIsolation].isOn = isOn
      SimulatedDevices.setVideoEffects(choices)
    }

    /// The level of chunks, in decibels.
    private func level(_ chunks: some Sequence<AudioCounter.Chunk>) -> Double {
      let samples = chunks.flatMap { chunk in
        chunk.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      }
      let squares = samples.reduce(0) { $0 + Double($1) * Double($1) }
      return 10 * log10(squares / Double(max(samples.count, 1)) + 1e-3)
    }

    @Test func `the mode is the user's choice, and observers hear of it`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      defer { SimulatedDevices.setVideoEffects(nil) }
      let heard = Locked<[AVCaptureDevice.MicrophoneMode]>([])
      let properties: [KeyPath<AVCaptureDevice.Type, AVCaptureDevice.MicrophoneMode>] = [
        \.preferredMicrophoneMode, \.activeMicrophoneMode,
      ]
      let observations = properties.map {
        AVCaptureDevice.observe($0, options: .new) { _, change in
          if let mode = change.newValue { heard.withLock { $0.append(mode) } }
        }
      }
      #expect(AVCaptureDevice.preferredMicrophoneMode == .standard)
      #expect(AVCaptureDevice.activeMicrophoneMode == .standard)
      choose(true)
      #expect(AVCaptureDevice.preferredMicrophoneMode == .voiceIsolation)
      #expect(AVCaptureDevice.activeMicrophoneMode == .voiceIsolation)
      choose(false)
      #expect(heard.withLock { $0 } == [.voiceIsolation, .voiceIsolation, .standard, .standard])
      #expect(AVCaptureDevice.MicrophoneMode(rawValue: 1) == .wideSpectrum)
      for observation in observations { observation.invalidate() }
      withExtendedLifetime(stage) {}
    }

    @Test func `with voice isolation noise becomes quiet, and the audio has no gap and its own times`() throws
    {
      let stage = SessionStage(devices: [.stageMicrophone])
      defer { SimulatedDevices.setVideoEffects(nil) }
      let counter = try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 500)
      let plain = counter.stretches
      choose(true)
      stage.pass(milliseconds: 1500)
      let isolated = Array(counter.stretches.dropFirst(plain.count))
      choose(false)
      stage.pass(milliseconds: 50)
      stage.session.stopRunning()
      #expect(
        level(isolated.suffix(40)) < level(plain) - 10, "\(level(isolated.suffix(40))) of \(level(plain))")
      for (one, next) in zip(isolated, isolated.dropFirst()) {
        #expect(abs((next.time - one.end).seconds) < 3e-9 && !next.followsGap)
      }
      let (first, last) = (try #require(isolated.first), try #require(isolated.last))
      let before = try #require(plain.last)
      #expect(abs((first.time - before.end).seconds) < 3e-9)
      // 1.5 s came, of which the last part is not made yet.
      let made = (last.end - first.time).seconds
      #expect((1.45...1.5).contains(made), "\(made)")
      #expect(counter.stretches.suffix(5).allSatisfy { $0.count == 480 }, "as the microphone sends it")
    }

    @Test func `who asks for the system's interface reads how to choose`() throws {
      let modes = try standardError { AVCaptureDevice.showSystemUserInterface(.microphoneModes) }
      let effects = try standardError { AVCaptureDevice.showSystemUserInterface(.videoEffects) }
      let program = ProcessInfo.processInfo.processName
      #expect(modes.contains("'obscura effects on voice-isolation --app \(program)'"))
      #expect(effects.contains("'obscura effects --app \(program)'"))
      #expect(AVCaptureDevice.SystemUserInterface(rawValue: 2) == .microphoneModes)
    }

    /// What is written to standard error meanwhile.
    private func standardError(during body: () -> Void) throws -> String {
      let pipe = Pipe()
      let former = dup(2)
      dup2(pipe.fileHandleForWriting.fileDescriptor, 2)
      body()
      dup2(former, 2)
      close(former)
      try pipe.fileHandleForWriting.close()
      return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
  }
}
