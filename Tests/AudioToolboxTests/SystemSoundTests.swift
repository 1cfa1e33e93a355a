import AudioToolbox
import CoreMedia
import Dispatch
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

@Suite("System sounds", .serialized)
struct SystemSoundTests {
  /// Takes the place of the loudspeaker.
  private final class Ear: Sendable {
    let heard = Monitor<[ShortSound]>([])
    /// How often it was to vibrate.
    let felt = Monitor(0)
    private let output: SystemSoundPlayer.Output
    private let motor: SystemSoundPlayer.Motor
    /// A process has one, which other tests' microphones use.
    let silence = SystemSoundSilence()
    private let formerSilence: SystemSoundSilence

    private final class Token: Sendable {}

    init(vibrates: Bool = false) {
      output = SystemSoundPlayer.shared.exchange { [heard] sound in heard.withLock { $0.append(sound) } }
      motor = SystemSoundPlayer.shared.exchange(motor: { [felt] in
        felt.withLock { $0 += 1 }
        return vibrates ? Token() : nil
      })
      formerSilence = SystemSoundPlayer.shared.exchange(silence: silence)
    }

    deinit {
      _ = SystemSoundPlayer.shared.exchange(output)
      _ = SystemSoundPlayer.shared.exchange(motor: motor)
      _ = SystemSoundPlayer.shared.exchange(silence: formerSilence)
    }
  }

  private func play(_ number: SystemSoundID, alert: Bool = false) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      if alert {
        AudioServicesPlayAlertSoundWithCompletion(number) { done.resume() }
      } else {
        AudioServicesPlaySystemSoundWithCompletion(number) { done.resume() }
      }
    }
  }

  /// A WAV file with a ramp.
  private func wave(seconds: Double) throws -> URL {
    let samples = (0..<Int(seconds * 48_000)).map { Int16($0 % 1000) }
    var file = Data("RIFF".utf8)
    func add(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) } }
    func add(_ value: UInt16) { withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) } }
    let size = UInt32(samples.count * 2)
    add(36 + size)
    file.append(contentsOf: "WAVEfmt ".utf8)
    add(UInt32(16))
    for value in [UInt16(1), 1] { add(value) }
    add(UInt32(48_000))
    add(UInt32(96_000))
    for value in [UInt16(2), 16] { add(value) }
    file.append(contentsOf: "data".utf8)
    add(size)
    samples.withUnsafeBytes { file.append(contentsOf: $0) }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString).wav")
    try file.write(to: url)
    return url
  }

  @Test func `the shutter is heard, and its completion comes once it is over`() async throws {
    let ear = Ear()
    await play(1108)
    let shutter = try #require(ear.heard.withLock { $0.first })
    #expect(shutter.seconds > 0.05 && shutter.seconds < 0.3)
    #expect(shutter.samples.contains { abs(Int($0)) > 10_000 })
    await play(1117, alert: true)
    await play(1118)
    let sounds = ear.heard.withLock { $0 }
    #expect(sounds.count == 3 && Set(sounds).count == 3)
  }

  @Test func `a sound without a completion is played, too`() {
    let ear = Ear()
    AudioServicesPlaySystemSound(1108)
    AudioServicesPlayAlertSound(1108)
    let soon = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    #expect(ear.heard.wait(until: soon, for: { $0.count == 2 }, then: { $0.count }) == 2)
  }

  @Test func `what has no sound here is over at once`() async {
    let ear = Ear()
    await play(1)
    await play(1, alert: true)
    #expect(ear.heard.withLock { $0.isEmpty } && ear.felt.withLock { $0 } == 0)
  }

  @Test(arguments: [false, true])
  func `a vibration moves the motor once and makes no sound, whether it can vibrate or not`(vibrates: Bool)
    async
  {
    let ear = Ear(vibrates: vibrates)
    await play(kSystemSoundID_Vibrate)
    #expect(ear.felt.withLock { $0 } == 1)
    await play(kSystemSoundID_Vibrate, alert: true)
    #expect(ear.felt.withLock { $0 } == 2 && ear.heard.withLock { $0.isEmpty })
  }

  @Test func `an alert vibrates with its sound, another sound does not`() async {
    let ear = Ear()
    await play(1117)
    #expect(ear.felt.withLock { $0 } == 0)
    await play(1117, alert: true)
    #expect(ear.felt.withLock { $0 } == 1 && ear.heard.withLock { $0.count } == 2)
  }

  @Test func `an alert is heard while the motor is not answering, and so are eight more`() async {
    let ear = Ear()
    let answers = Monitor(false)
    let quiet = SystemSoundPlayer.shared.exchange(motor: {
      _ = answers.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 }, then: { _ in })
      return nil
    })
    defer { _ = SystemSoundPlayer.shared.exchange(motor: quiet) }
    for count in 1...9 {
      AudioServicesPlayAlertSound(1117)
      let soon = MonotonicInstant.now.advanced(byNanoseconds: 20_000_000_000)
      #expect(ear.heard.wait(until: soon, for: { $0.count == count }, then: { $0.count }) == count)
    }
    answers.withLock { $0 = true }
    await play(1117, alert: true)
    #expect(ear.heard.withLock { $0.count } == 10)
  }

  @Test func `a recorder has what was asked for, which is neither heard nor felt meanwhile`() async {
    let ear = Ear()
    do {
      let recorder = SystemSoundRecorder()
      AudioServicesPlaySystemSound(kSystemSoundID_Vibrate)
      AudioServicesPlayAlertSound(1108)
      // Also a sound that is silent here.
      AudioServicesPlaySystemSound(1057)
      #expect(recorder.sounds == [kSystemSoundID_Vibrate, 1108, 1057])
      await play(1117)
      #expect(recorder.sounds.last == 1117)
    }
    #expect(ear.heard.withLock { $0.isEmpty } && ear.felt.withLock { $0 } == 0)
    await play(kSystemSoundID_Vibrate)
    await play(1108)
    #expect(ear.heard.withLock { $0.count } == 1 && ear.felt.withLock { $0 } == 1)
  }

  @Test func `beside a running microphone sounds and vibrations are over at once, unless they are allowed`()
    async
  {
    let ear = Ear(vibrates: true)
    var microphone: SystemSoundSilence.Microphone? = ear.silence.microphoneRuns()
    do {
      let recorder = SystemSoundRecorder()
      await play(1108)
      await play(kSystemSoundID_Vibrate)
      #expect(recorder.sounds.isEmpty)
    }
    await play(1108, alert: true)
    #expect(ear.heard.withLock { $0.isEmpty } && ear.felt.withLock { $0 } == 0)
    ear.silence.allowsSounds = true
    await play(1108, alert: true)
    #expect(ear.heard.withLock { $0.count } == 1 && ear.felt.withLock { $0 } == 1)
    ear.silence.allowsSounds = false
    withExtendedLifetime(microphone) {}
    microphone = nil
    await play(1108)
    #expect(ear.heard.withLock { $0.count } == 2)
  }

  @Test func `a file becomes a sound with a number of its own, until it is disposed of`() async throws {
    let ear = Ear()
    let file = try wave(seconds: 0.25)
    defer { try? FileManager.default.removeItem(at: file) }
    var first: SystemSoundID = 0, second: SystemSoundID = 0
    #expect(AudioServicesCreateSystemSoundID(file as CFURL, &first) == kAudioServicesNoError)
    #expect(AudioServicesCreateSystemSoundID(file, &second) == kAudioServicesNoError)
    #expect(first != second && first > kSystemSoundID_Vibrate)
    await play(first)
    let sound = try #require(ear.heard.withLock { $0.first })
    #expect(abs(sound.seconds - 0.25) < 0.005)
    #expect(sound.samples.contains { $0 > 600 })
    #expect(AudioServicesDisposeSystemSoundID(first) == kAudioServicesNoError)
    #expect(AudioServicesDisposeSystemSoundID(first) == kAudioServicesSystemSoundUnspecifiedError)
    await play(first)
    #expect(ear.heard.withLock { $0.count } == 1)
    AudioServicesDisposeSystemSoundID(second)
  }

  @Test func `a sound may be disposed of by its own completion, as in Apple's samples`() async throws {
    let ear = Ear()
    let file = try wave(seconds: 0.1)
    defer { try? FileManager.default.removeItem(at: file) }
    var number: SystemSoundID = 0
    AudioServicesCreateSystemSoundID(file as CFURL, &number)
    let status = await withCheckedContinuation { (done: CheckedContinuation<OSStatus, Never>) in
      AudioServicesPlaySystemSoundWithCompletion(number) {
        done.resume(returning: AudioServicesDisposeSystemSoundID(number))
      }
    }
    #expect(status == kAudioServicesNoError && ear.heard.withLock { $0.count } == 1)
    #expect(AudioServicesDisposeSystemSoundID(number) == kAudioServicesSystemSoundUnspecifiedError)
  }

  @Test func `what is no sound, or longer than half a minute, is refused`() throws {
    var number: SystemSoundID = 7
    let missing = URL(fileURLWithPath: "/nowhere/at/all.wav")
    #expect(AudioServicesCreateSystemSoundID(missing, &number) == kAudioServicesSystemSoundUnspecifiedError)
    #expect(number == 0)
    let text = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString).wav")
    try Data("no sound".utf8).write(to: text)
    let long = try wave(seconds: 31)
    defer { for file in [text, long] { try? FileManager.default.removeItem(at: file) } }
    for file in [text, long] {
      #expect(AudioServicesCreateSystemSoundID(file, &number) == kAudioServicesSystemSoundUnspecifiedError)
    }
  }
}
