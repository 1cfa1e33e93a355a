public import Foundation
internal import FoundationExtras
internal import Linux

extension AVAudioSession {
  /// How loud the machine plays, as its user has set it: 0 is silent, 1 as loud as can be.
  ///
  /// The mixer of ALSA's default card, read when it is asked for; 1 where that has no volume, and for simulated devices.
  ///
  /// - Note: Unlike AVFoundation, it cannot be observed.
  ///
  /// Apple: `AVAudioSession.outputVolume`.
  public var outputVolume: Float { hardware.outputVolume ?? 1 }

  /// Samples a second that the program prefers; 0 until they are set.
  ///
  /// Apple: `AVAudioSession.preferredSampleRate`.
  public var preferredSampleRate: Double { settings.withLock { $0.preferredSampleRate } }

  /// Prefers a number of samples a second.
  ///
  /// ``sampleRate`` says what there is, as on Apple's devices, which need not follow. Here a microphone's active format decides.
  ///
  /// - Throws: `badParam` for other than finite numbers that are not negative; nothing has changed then.
  ///
  /// Apple: `AVAudioSession.setPreferredSampleRate(_:)`.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    guard sampleRate.isFinite, sampleRate >= 0 else {
      throw ErrorCode.badParam.error(
        "\(sampleRate) is no number of samples a second.", "Prefer a rate such as 48000, or 0 for none.")
    }
    settings.withLock { $0.preferredSampleRate = sampleRate }
  }

  /// Whether the machine may sound and shake while the program's microphone runs; `false` at first.
  ///
  /// It decides over `AudioServicesPlaySystemSound` and its siblings: their sounds and vibrations are left out meanwhile, and their completions
  /// come at once.
  ///
  /// Apple: `AVAudioSession.allowHapticsAndSystemSoundsDuringRecording`.
  /// - Note: Unlike on a phone, other programs sound as they like either way.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    settings.withLock { $0.silence }.allowsSounds
  }

  /// Sets whether the machine may sound and shake while the program's microphone runs; at any time.
  ///
  /// - Throws: Never; it does on a phone.
  ///
  /// Apple: `AVAudioSession.setAllowHapticsAndSystemSoundsDuringRecording(_:)`.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    settings.withLock { $0.silence }.allowsSounds = inValue
  }

  /// Seconds of audio in each chunk: a hundredth, in which every microphone delivers here.
  ///
  /// Apple: `AVAudioSession.ioBufferDuration`.
  public var ioBufferDuration: TimeInterval { 0.01 }

  /// Seconds from a sound before the microphone to its chunk: the length of a chunk.
  ///
  /// Apple: `AVAudioSession.inputLatency`.
  public var inputLatency: TimeInterval { ioBufferDuration }

  /// Seconds from the moment in which audio is handed over to that in which it is heard: what is queued for the sound card.
  ///
  /// Apple: `AVAudioSession.outputLatency`.
  public var outputLatency: TimeInterval { 0.08 }

  /// Seconds of a chunk of audio that the program prefers; 0 until they are set.
  ///
  /// Apple: `AVAudioSession.preferredIOBufferDuration`.
  public var preferredIOBufferDuration: TimeInterval { settings.withLock { $0.preferredBufferDuration } }

  /// Prefers a length of chunks; ``ioBufferDuration`` says what there is, which need not follow.
  ///
  /// - Throws: `badParam` for other than finite numbers that are not negative; nothing has changed then.
  ///
  /// Apple: `AVAudioSession.setPreferredIOBufferDuration(_:)`.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    guard duration.isFinite, duration >= 0 else {
      throw ErrorCode.badParam.error(
        "\(duration) s is no length of a chunk of audio.", "Prefer a length such as 0.01, or 0 for none.")
    }
    settings.withLock { $0.preferredBufferDuration = duration }
  }
}
