internal import AVFAudio
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The audio of an item as stereo at 48 kHz, by place: decoded a little ahead on a queue of its own.
///
/// Thread-safe.
final class AudioFeed: Sendable {
  static let rate = 48_000

  private struct State {
    var generation = 0
    /// Which moment of the item `samples` begin with.
    var start = 0
    var samples: [Float] = []
    var isOver = true
    var isDecoding = false
    var tracks: [AVAssetTrack] = []
    var mix: AVAudioMix?
    var pitch = AVAudioTimePitchAlgorithm.timeDomain
    /// How much is decoded ahead, and of how far a jump decoding goes on instead of beginning anew: a second; less where what a
    /// client's tap does at present is to be heard soon.
    var ahead = rate
  }

  private let state = Monitor(State())
  private let queue = DispatchQueue(label: "obscura.player-audio-decoding", qos: .userInitiated)
  // Safe because it is reached on `queue` alone.
  nonisolated(unsafe) private var source: (mixer: AudioMixer, isMono: Bool)?

  init(_ tracks: [AVAssetTrack], mix: AVAudioMix?, pitch: AVAudioTimePitchAlgorithm) {
    choose(tracks, mix, pitch)
  }

  /// Changes what is heard, from the next moment on that is read.
  func choose(_ tracks: [AVAssetTrack], _ mix: AVAudioMix?, _ pitch: AVAudioTimePitchAlgorithm) {
    let isTapped = mix?.inputParameters.contains { $0.audioTapProcessor != nil } ?? false
    let old = state.withLock { state in
      let old = state
      state = State(
        generation: old.generation + 1, start: -1, tracks: tracks, mix: mix, pitch: pitch,
        ahead: isTapped ? Self.rate / 5 : Self.rate)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The samples from a place on; silence where there are none.
  ///
  /// - Parameter waits: Whether to wait for the decoder; else silence stands for what is not decoded.
  func read(from place: Int, frames: Int, waits: Bool) -> [Float] {
    let needsRestart = state.withLock { state in
      let end = state.start + state.samples.count / 2
      return state.start < 0 || place < state.start || (!state.isOver && place > end + state.ahead)
    }
    if needsRestart { restart(at: place) }
    forget(before: place)
    if waits {
      _ = state.wait(
        for: { $0.isOver || $0.start + $0.samples.count / 2 >= place + frames }, then: { _ in })
    }
    return state.withLock { state in
      var result = [Float](repeating: 0, count: frames * 2)
      let first = max(place, state.start)
      let last = min(place + frames, state.start + state.samples.count / 2)
      guard first < last else { return result }
      let offset = (first - state.start) * 2
      let count = (last - first) * 2
      result.replaceSubrange(
        (first - place) * 2..<(first - place) * 2 + count, with: state.samples[offset..<offset + count])
      return result
    }
  }

  /// Begins to decode at a place, so that it is there when it is read.
  func restart(at place: Int) {
    let generation = state.withLock { state in
      state.generation += 1
      state.start = max(place, 0)
      state.samples = []
      state.isOver = false
      state.isDecoding = true
      return state.generation
    }
    queue.async { [weak self] in self?.open(generation, max(place, 0)) }
  }

  private func forget(before place: Int) {
    let (generation, starts) = state.withLock { state in
      let gone = min(place - state.start, state.samples.count / 2)
      // Moved in larger pieces, for each move costs.
      if gone > Self.rate / 4 {
        state.samples.removeFirst(gone * 2)
        state.start += gone
      }
      let starts = !state.isDecoding && !state.isOver && state.samples.count / 2 < state.ahead
      if starts { state.isDecoding = true }
      return (state.generation, starts)
    }
    if starts { queue.async { [weak self] in self?.fill(generation) } }
  }

  // MARK: On the decoding queue

  private func open(_ generation: Int, _ place: Int) {
    let (current, tracks, mix, pitch) = state.withLock { ($0.generation, $0.tracks, $0.mix, $0.pitch) }
    guard current == generation else { return }
    // One channel is heard on both sides, as loud as it is.
    let isMono = tracks.allSatisfy { track in
      let format = track.formatDescriptions.first.flatMap { $0 as? CMFormatDescription }
      return format?.audioStreamBasicDescription?.mChannelsPerFrame == 1
    }
    let end = tracks.map(\.timeRange.end).max() ?? .zero
    let mixer = try? AudioMixer(
      tracks, mix: mix,
      settings: [
        AVSampleRateKey: Double(Self.rate), AVNumberOfChannelsKey: isMono ? 1 : 2,
        AVLinearPCMIsFloatKey: true,
        AVLinearPCMBitDepthKey: 32,
      ],
      range: CMTimeRange(
        start: CMTime(value: CMTimeValue(place), timescale: CMTimeScale(Self.rate)),
        duration: .positiveInfinity), end: end.isNumeric ? end : .positiveInfinity, pitch: pitch)
    source = mixer.map { ($0, isMono) }
    fill(generation)
  }

  private func fill(_ generation: Int) {
    while true {
      let isWanted = state.withLock { state in
        guard state.generation == generation else { return false }
        let isWanted = !state.isOver && state.samples.count / 2 < 2 * state.ahead
        if !isWanted { state.isDecoding = false }
        return isWanted
      }
      guard isWanted else { return }
      // Audio that is damaged is silent from there on; the pictures go on.
      guard let source, let sample = try? source.mixer.next(),
        let bytes = try? sample.dataBuffer?.dataBytes()
      else {
        self.source = nil
        state.withLock { state in
          guard state.generation == generation else { return }
          state.isOver = true
          state.isDecoding = false
        }
        return
      }
      let place = sample.presentationTimeStamp.convertScale(
        CMTimeScale(Self.rate), method: .roundHalfAwayFromZero
      ).value
      var values = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      if source.isMono { values = values.flatMap { [$0, $0] } }
      state.withLock { state in
        guard state.generation == generation else { return }
        let end = state.start + state.samples.count / 2
        let gap = Int(place) - end
        // A gap of the file is silence, and what overlaps is heard once.
        if gap > 0 { state.samples += [Float](repeating: 0, count: min(gap, 60 * Self.rate) * 2) }
        state.samples += gap < 0 ? Array(values.dropFirst(-gap * 2)) : values
      }
    }
  }
}
