public import CoreMedia
internal import Foundation
internal import Linux

/// The sample buffers of one track.
///
/// Apple: `AVAssetReaderTrackOutput`.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The track.
  ///
  /// Apple: `AVAssetReaderTrackOutput.track`.
  public let track: AVAssetTrack

  override var tracks: [AVAssetTrack] { [track] }
  /// What comes out: a pixel format, or linear PCM; `nil` for samples as they are.
  ///
  /// Apple: `AVAssetReaderTrackOutput.outputSettings`.
  public let outputSettings: [String: Any]?
  private let pitch = Locked(AVAudioTimePitchAlgorithm.spectral)
  /// Held while a sample is decoded; nothing of a client runs under it.
  private let decoding = Lock()
  nonisolated(unsafe) private var sources: ArraySlice<TrackDecoding> = []  // Safe: reached under `decoding`.
  nonisolated(unsafe) private var isOver = false  // Safe because it is reached under `decoding`.

  private let hasUsableSettings: Bool

  /// An output of a track.
  ///
  /// - Parameter outputSettings: `nil` for samples as they are. Else pictures take pixel buffer attributes, audio takes linear PCM, and
  ///   other media none; coded output is a programming mistake, and such an output cannot be added.
  ///
  /// Apple: `AVAssetReaderTrackOutput.init(track:outputSettings:)`.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    self.track = track
    self.outputSettings = outputSettings
    hasUsableSettings = ReaderSettings.check(outputSettings, track.mediaType, "AVAssetReaderTrackOutput")
    super.init()
  }

  /// How the pitch of scaled edits is kept, when audio comes as linear PCM; ``AVAudioTimePitchAlgorithm/spectral`` by default.
  ///
  /// Another value than those of ``AVAudioTimePitchAlgorithm``, and a value that is set after reading has started, is a programming
  /// mistake, and is not set.
  ///
  /// Apple: `AVAssetReaderTrackOutput.audioTimePitchAlgorithm`.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { pitch.withLock { $0 } }
    set {
      let name = "AVAssetReaderTrackOutput.audioTimePitchAlgorithm"
      guard newValue.isKnown(for: name), mayBeSet(name) else { return }
      pitch.withLock { $0 = newValue }
    }
  }

  open override var mediaType: AVMediaType { track.mediaType }

  override func canBelong(to asset: AVAsset) -> Bool {
    super.canBelong(to: asset) && hasUsableSettings && track.asset === asset
  }

  override func open(_ range: CMTimeRange) throws {
    try restart([range])
  }

  override func restart(_ ranges: [CMTimeRange]) throws {
    let pitch = audioTimePitchAlgorithm
    let opened = try ranges.map { range in
      try TrackDecoding(track, settings: outputSettings, range: range, pitch: pitch)
    }
    decoding.withLock {
      sources = opened[...]
      isOver = false
    }
  }

  override var isAtEnd: Bool { decoding.withLock { isOver } }

  open override func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard let reader = readingReader else { return nil }
    let result = decoding.withLock { () -> Result<CMSampleBuffer?, AVError> in
      Result { () throws(AVError) in
        while !isOver, let source = sources.first {
          if let sample = try source.next() { return sample }
          sources.removeFirst()
        }
        return nil
      }
    }
    switch result {
    case .success(let sample?): return sample
    case .failure(let error):
      reader.fail(error)
      return nil
    case .success(nil):
      let isFirst = decoding.withLock {
        defer { isOver = true }
        return !isOver
      }
      if isFirst, !mayReset { reader.outputEnded() }
      return nil
    }
  }
}
