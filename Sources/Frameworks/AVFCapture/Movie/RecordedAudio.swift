internal import AVFAudio
internal import AudioTransforms
internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux
internal import MediaFiles

/// Makes a movie's samples of a microphone's audio; on the queue of the recording.
final class RecordedAudio {
  private var route: AudioRoute?
  /// The rate and channels that the recording began with; what another microphone sends is converted to them.
  private var format: (rate: Double, channels: Int)?
  /// Chunks that wait until it is known whether they are in the recording, in order.
  private(set) var held: [(audio: CapturedAudio, route: MediaRoute, followsGap: Bool)] = []
  /// Until when audio has come.
  private(set) var coverage: Int64?
  /// How long the newest chunk is, in nanoseconds.
  private(set) var chunkDuration: Int64 = 0
  private var followsGap = false

  /// Notes that a chunk was lost.
  func noteLoss() { followsGap = true }

  /// Takes a chunk that waits for ``release(where:)``.
  ///
  /// - Parameter longest: How much may wait, in nanoseconds: a camera whose pictures come later, or that gives none for longer, does not
  ///   run.
  func hold(_ audio: CapturedAudio, over route: MediaRoute, for longest: Int64) {
    let start = audio.timestamp.nanoseconds
    held.append((audio.copied(), route, followsGap))
    followsGap = false
    chunkDuration = audio.durationNanoseconds
    coverage = max(coverage ?? .min, start + chunkDuration)
    held.removeAll { start - $0.audio.timestamp.nanoseconds > longest }
  }

  /// Hands out what waits, up to the first chunk of which it is not known yet whether it is in the recording.
  ///
  /// - Parameter isDecided: Whether that is known of the time between two moments.
  func release(
    where isDecided: (Int64, Int64) -> Bool
  ) -> [(audio: CapturedAudio, route: MediaRoute, followsGap: Bool)] {
    let released = held.prefix { chunk in
      let start = chunk.audio.timestamp.nanoseconds
      return isDecided(start, start + chunk.audio.durationNanoseconds)
    }
    held.removeFirst(released.count)
    return Array(released)
  }

  /// The samples of what of a chunk is in the recording.
  func samples(
    of audio: CapturedAudio, over route: MediaRoute, followsGap: Bool, on timeline: RecordingTimeline
  ) -> [CMSampleBuffer] {
    let start = audio.timestamp.nanoseconds
    let converter = converter(for: audio, over: route)
    var samples: [CMSampleBuffer] = []
    for piece in timeline.pieces(from: start, to: start + audio.durationNanoseconds) {
      guard let part = audio.part(from: piece.start - start, to: piece.end - start, movedBy: -piece.removed),
        case .sample(let sample) = converter.sampleBuffer(for: part, followsGap: followsGap)
      else { continue }
      samples.append(sample)
    }
    return samples
  }

  private func converter(for audio: CapturedAudio, over route: MediaRoute) -> AudioRoute {
    if let known = self.route, known.route === route { return known }
    let format = format ?? (audio.sampleRate, audio.channels)
    self.format = format
    // The same format is not converted.
    let settings = AudioDataSettings([
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: format.rate,
      AVNumberOfChannelsKey: format.channels,
    ])
    let made = AudioRoute(route, settings: settings)
    self.route = made
    return made
  }
}

extension CapturedAudio {
  /// The chunk in memory of its own.
  fileprivate func copied() -> CapturedAudio {
    var copy = self
    if let samples = samples.copied() { copy.samples = samples }
    copy.inFlight = nil
    return copy
  }

  /// What lies between two moments of the chunk, in nanoseconds from its start, at another time; `nil` for nothing.
  func part(from: Int64, to: Int64, movedBy offset: Int64) -> CapturedAudio? {
    func index(_ nanoseconds: Int64) -> Int {
      Int((Double(nanoseconds) * sampleRate / 1e9).rounded())
    }
    let first = min(max(index(from), 0), frameCount)
    let end = min(max(index(to), 0), frameCount)
    guard end > first else { return nil }
    var part = self
    if first > 0 || end < frameCount {
      var block: CMBlockBuffer?
      guard
        CMBlockBufferCreateWithBufferReference(
          allocator: kCFAllocatorDefault, referenceBuffer: samples, offsetToData: first * channels * 2,
          dataLength: (end - first) * channels * 2, flags: 0, blockBufferOut: &block) == kCMBlockBufferNoErr,
        let block
      else { return nil }
      part.samples = block
      part.frameCount = end - first
    }
    let moved = offset + Int64((Double(first) * 1e9 / sampleRate).rounded())
    part.timestamp = timestamp.advanced(byNanoseconds: moved)
    return part
  }
}
