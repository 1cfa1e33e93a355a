public import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// Audio tracks mixed into one.
///
/// Apple: `AVAssetReaderAudioMixOutput`.
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The tracks.
  ///
  /// Apple: `AVAssetReaderAudioMixOutput.audioTracks`.
  public let audioTracks: [AVAssetTrack]

  override var tracks: [AVAssetTrack] { audioTracks }
  /// What comes out: linear PCM, 16 bits unless the settings say otherwise.
  ///
  /// Apple: `AVAssetReaderAudioMixOutput.audioSettings`.
  public let audioSettings: [String: Any]?
  private let mix = Locked<AVAudioMix?>(nil)
  private let pitch = Locked(AVAudioTimePitchAlgorithm.spectral)
  /// Mixes, in the caller's time; a queue and no lock, for a mix's taps are the client's.
  private let mixing = DispatchQueue(label: "obscura.audio-mixing")
  nonisolated(unsafe) private var mixers: ArraySlice<AudioMixer> = []  // Safe: reached on `mixing`.
  nonisolated(unsafe) private var isOver = false  // Safe because it is reached on `mixing`.

  private let hasUsableSettings: Bool

  /// An output of tracks.
  ///
  /// - Parameter audioSettings: Of linear PCM; others are a programming mistake, and such an output cannot be added.
  ///
  /// Apple: `AVAssetReaderAudioMixOutput.init(audioTracks:audioSettings:)`.
  public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
    self.audioTracks = audioTracks
    self.audioSettings = audioSettings
    hasUsableSettings = ReaderSettings.check(audioSettings, .audio, "AVAssetReaderAudioMixOutput")
    super.init()
  }

  /// How loud the tracks are; `nil` leaves all as loud as they are.
  ///
  /// Apple: `AVAssetReaderAudioMixOutput.audioMix`.
  open var audioMix: AVAudioMix? {
    get { mix.withLock { $0 } }
    set {
      let old = mix.withLock { mix in
        defer { mix = newValue }
        return mix
      }
      withExtendedLifetime(old) {}
    }
  }

  /// How the pitch of scaled edits is kept, where the mix says nothing of a track; ``AVAudioTimePitchAlgorithm/spectral`` by default.
  ///
  /// Another value than those of ``AVAudioTimePitchAlgorithm``, and a value that is set after reading has started, is a programming
  /// mistake, and is not set.
  ///
  /// Apple: `AVAssetReaderAudioMixOutput.audioTimePitchAlgorithm`.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { pitch.withLock { $0 } }
    set {
      let name = "AVAssetReaderAudioMixOutput.audioTimePitchAlgorithm"
      guard newValue.isKnown(for: name), mayBeSet(name) else { return }
      pitch.withLock { $0 = newValue }
    }
  }

  open override var mediaType: AVMediaType { .audio }

  override func canBelong(to asset: AVAsset) -> Bool {
    super.canBelong(to: asset) && hasUsableSettings && !audioTracks.isEmpty
      && audioTracks.allSatisfy { $0.asset === asset }
  }

  override func open(_ range: CMTimeRange) throws { try restart([range]) }

  override func restart(_ ranges: [CMTimeRange]) throws {
    let end = audioTracks.map(\.timeRange.end).max() ?? .zero
    let opened = try ranges.map { range in
      try AudioMixer(
        audioTracks, mix: audioMix, settings: audioSettings, range: range, end: end,
        pitch: audioTimePitchAlgorithm)
    }
    mixing.sync {
      mixers = opened[...]
      isOver = false
    }
  }

  override var isAtEnd: Bool { mixing.sync { isOver } }

  open override func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard let reader = readingReader else { return nil }
    let result = mixing.sync {
      Result { () throws -> CMSampleBuffer? in
        while !isOver, let mixer = mixers.first {
          if let sample = try mixer.next() { return sample }
          mixers.removeFirst()
        }
        return nil
      }
    }
    switch result {
    case .success(let sample?): return sample
    case .failure(let error):
      reader.fail(TrackDecoding.error(error))
      return nil
    case .success(nil):
      let isFirst = mixing.sync {
        defer { isOver = true }
        return !isOver
      }
      if isFirst, !mayReset { reader.outputEnded() }
      return nil
    }
  }
}
