import AVFoundation
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

/// A microphone on a manual clock, and a folder, for the classes that record and play without a session of the client's.
final class AudioClassStage: Sendable {
  let clock = SimulatedClock()
  let provider: SimulatedDeviceProvider
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")

  init(faults: [SceneFault] = [], devices: [SimulatedDeviceModel] = [.stageMicrophone]) throws {
    provider = SimulatedDevices.install(scene: Scene(faults: faults, devices: devices), clock: clock)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  func pass(milliseconds: Int) {
    for _ in 0..<milliseconds / 10 { clock.advance(by: .milliseconds(10)) }
  }

  /// A file of a tone at half the full scale.
  func tone(_ name: String = "tone.wav", seconds: Double, rate: Double = 48_000, channels: Int = 1) throws
    -> URL
  {
    let url = file(name)
    let made = try AVAudioFile(
      forWriting: url,
      settings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels,
      ])
    let count = Int(seconds * rate)
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: made.processingFormat, frameCapacity: AVAudioFrameCount(count)))
    buffer.frameLength = AVAudioFrameCount(count)
    let data = try #require(buffer.floatChannelData)
    for frame in 0..<count {
      for channel in 0..<channels {
        data[channel][frame] = Float(0.5 * sin(Double(frame) / rate * 440 * 2 * .pi))
      }
    }
    try made.write(from: buffer)
    return url
  }
}

/// Notes the ends of players and recorders.
final class AudioEnds: NSObject, AVAudioPlayerDelegate, AVAudioRecorderDelegate, Sendable {
  private static let main = DispatchSpecificKey<Bool>()
  private let list = Locked<[String]>([])

  override init() {
    super.init()
    DispatchQueue.main.setSpecific(key: Self.main, value: true)
  }

  private var isOnMain: Bool { DispatchQueue.getSpecific(key: Self.main) == true }

  var all: [String] { list.withLock { $0 } }

  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    list.withLock { $0.append("played \(flag) on main \(isOnMain)") }
  }

  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
    list.withLock { $0.append("recorded \(flag) on main \(isOnMain)") }
  }

  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
    list.withLock { $0.append("error \((error as NSError?)?.localizedDescription ?? "none")") }
  }
}
