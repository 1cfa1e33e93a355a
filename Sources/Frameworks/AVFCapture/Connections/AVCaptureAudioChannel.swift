internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux
internal import AudioTransforms

/// A channel of audio on its way through a connection, with its measured levels and its volume.
///
/// Poll the levels: they are not observable. They are those of the audio that flows, after ``volume``; audio without a client
/// is measured too. Thread-safe. Apple: `AVCaptureAudioChannel`.
open class AVCaptureAudioChannel: NSObject, @unchecked Sendable {  // Safe because its state is behind a lock.
  private struct State {
    var meter = AudioMeter()
    var volume: Float = 1
    var isEnabled = true
  }

  private let state = Locked(State())

  init(number: Void) {
    super.init()
  }

  /// How loud the channel is, in decibels of full scale: 0 for the loudest there is, -160 for silence.
  ///
  /// The mean power with a time constant of a tenth of a second. Apple: `AVCaptureAudioChannel.averagePowerLevel`.
  open var averagePowerLevel: Float { state.withLock { $0.meter.averageLevel } }

  /// The largest sample of the last second, in decibels of full scale.
  ///
  /// Apple: `AVCaptureAudioChannel.peakHoldLevel`, which does not say for how long a peak is held.
  open var peakHoldLevel: Float { state.withLock { $0.meter.peakLevel } }

  /// The factor of the channel's samples, from 0 to 1; 1 at first.
  ///
  /// Anything else is a programming mistake without effect. Apple: `AVCaptureAudioChannel.volume`.
  open var volume: Float {
    get { state.withLock { $0.volume } }
    set {
      guard (0...1).contains(newValue) else {
        return ProgrammingMistake.report(rule: "volume is between 0 and 1; given was \(newValue).")
      }
      state.withLock { $0.volume = newValue }
    }
  }

  /// Whether the channel is heard; `true` at first.
  ///
  /// A channel that is switched off stays in the audio, silent. Apple: `AVCaptureAudioChannel.isEnabled`.
  open var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  var gain: Float { state.withLock { $0.isEnabled ? $0.volume : 0 } }

  func hear(_ samples: UnsafeBufferPointer<Int16>, channel: Int, of audio: CapturedAudio) {
    state.withLock { state in
      let gain = state.isEnabled ? state.volume : 0
      state.meter.hear(samples, channel: channel, of: audio.channels, gain: gain, rate: audio.sampleRate)
    }
  }

  func fallSilent() {
    state.withLock { $0.meter = AudioMeter() }
  }
}

/// The channels of one connection, kept for as long as there are so many.
final class AudioChannels: Sendable {
  private let channels = Locked<[AVCaptureAudioChannel]>([])

  /// The first `count` channels.
  func first(_ count: Int) -> [AVCaptureAudioChannel] {
    channels.withLock { channels in
      while channels.count < count { channels.append(AVCaptureAudioChannel(number: ())) }
      return Array(channels.prefix(count))
    }
  }

  /// All channels that there ever were.
  var all: [AVCaptureAudioChannel] { channels.withLock { $0 } }
}

extension AVCaptureConnection {
  /// One for each channel of audio that flows through the connection; empty for video.
  ///
  /// Their number follows the microphone's active format; the objects stay the same. Apple:
  /// `AVCaptureConnection.audioChannels`.
  public var audioChannels: [AVCaptureAudioChannel] {
    guard let port = inputPorts.first, port.mediaType == .audio,
      let format = port.formatDescription?.audioStreamBasicDescription
    else { return [] }
    return channelStates.first(Int(format.mChannelsPerFrame))
  }

  /// The factors of so many channels.
  func channelGains(_ count: Int) -> [Float] {
    channelStates.first(count).map(\.gain)
  }

  /// Measures a stretch on its way through.
  func measure(_ audio: CapturedAudio) {
    _ = audio.withSamples { samples in
      for (index, channel) in channelStates.first(audio.channels).enumerated() {
        channel.hear(samples, channel: index, of: audio)
      }
    }
  }

  /// Lets the levels fall when nothing flows any more.
  func fallSilent() {
    for channel in channelStates.all { channel.fallSilent() }
  }
}
