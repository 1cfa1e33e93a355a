internal import AudioTransforms
internal import CaptureDevice
internal import CoreMedia
internal import Linux

/// The audio of a microphone with voice isolation, while that is chosen.
///
/// Thread-safe; one chunk at a time.
final class IsolatedVoice: Sendable {
  /// Audio without a gap.
  private struct Stretch {
    var isolator: VoiceIsolator
    let rate: Double
    let channels: Int
    /// Moments that came, and moments that were made of them.
    var heard = 0
    var made = 0
    /// When the next chunk is due.
    var due: MonotonicInstant?

    /// A chunk that is so much off its time follows a gap.
    private static let gapNanoseconds: Int64 = 100_000_000

    init(_ audio: CapturedAudio) {
      isolator = VoiceIsolator(rate: audio.sampleRate, channels: audio.channels)
      (rate, channels) = (audio.sampleRate, audio.channels)
    }

    func goesOn(with audio: CapturedAudio) -> Bool {
      guard rate == audio.sampleRate, channels == audio.channels, let due else { return false }
      return abs(audio.timestamp.nanoseconds - due.nanoseconds) < Self.gapNanoseconds
    }
  }

  private let stretch = Locked<Stretch?>(nil)
  private let isWanted: @Sendable () -> Bool

  /// - Parameter isWanted: Asked for each chunk.
  init(
    isWanted: @escaping @Sendable () -> Bool = { AVCaptureDevice.activeMicrophoneMode == .voiceIsolation }
  ) {
    self.isWanted = isWanted
  }

  /// Forgets what came: the next chunk follows a gap.
  func forget() { stretch.withLock { $0 = nil } }

  /// The chunk, or with voice isolation what can be made of it and of what came before; `nil` where that is nothing yet.
  func process(_ audio: CapturedAudio) -> CapturedAudio? {
    guard isWanted(), audio.channels > 0, audio.sampleRate > 0 else {
      forget()
      return audio
    }
    let made = audio.withSamples { samples in
      stretch.withLock { stretch -> (samples: [Int16], offset: Int) in
        var now = stretch.take() ?? Stretch(audio)
        if now.due != nil, !now.goesOn(with: audio) { now = Stretch(audio) }
        defer { stretch = now }
        let offset = now.made - now.heard
        let made = now.isolator.process(samples)
        now.heard += audio.frameCount
        now.made += made.count / audio.channels
        now.due = audio.timestamp.advanced(byNanoseconds: audio.durationNanoseconds)
        return (made, offset)
      }
    }
    // What cannot be read is for the outputs to say.
    guard let (samples, offset) = made else { return audio }
    guard !samples.isEmpty else { return nil }
    return CapturedAudio(
      samples: samples.withUnsafeBytes { CMBlockBuffer(copying: $0) }, sampleRate: audio.sampleRate,
      channels: audio.channels, frameCount: samples.count / audio.channels,
      timestamp: audio.timestamp.advanced(
        byNanoseconds: Int64((Double(offset) / audio.sampleRate * 1e9).rounded())),
      sequence: audio.sequence, inFlight: audio.inFlight)
  }
}
