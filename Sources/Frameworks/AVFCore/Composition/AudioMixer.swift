internal import AVFAudio
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles
internal import MediaToolbox
internal import VideoCodecs

/// Mixes audio tracks into one, without gaps.
///
/// Not thread-safe.
final class AudioMixer {
  /// How many moments come at a time.
  private static let chunk = 4096
  private let inputs: [Input]
  private let rate: Double
  private let channels: Int
  private let start: CMTime
  private let frames: Int
  private var done = 0
  private let format: CMFormatDescription
  private let converter: AudioResampler?
  private let basic: AudioStreamBasicDescription

  /// One track's audio, as far as it was read.
  private final class Input {
    let decoding: TrackDecoding
    let volumes: RampList<Float>
    let tap: AudioTapRun?
    /// The moment that is taken next: a tap may take more or less than it gives.
    var place = 0
    /// Interleaved samples, and the moment of the first one.
    var samples: [Float] = []
    var position = 0
    var isOver = false
    /// Audio that comes later than what was asked for.
    var held: (begin: Int, bytes: Data)?

    init(_ decoding: TrackDecoding, _ volumes: RampList<Float>, _ tap: AudioTapRun?) {
      self.decoding = decoding
      self.volumes = volumes
      self.tap = tap
    }
  }

  /// - Parameters:
  ///   - settings: Of linear PCM; rate and channels of the first track where they are left out.
  ///   - end: When the audio ends.
  ///   - pitch: How scaled edits sound, where the mix says nothing of a track.
  init(
    _ tracks: [AVAssetTrack], mix: AVAudioMix?, settings: [String: Any]?, range: CMTimeRange, end: CMTime,
    pitch: AVAudioTimePitchAlgorithm
  ) throws(AVError) {
    let first = tracks.firstResult { track in
      (track.formatDescriptions.first as? CMFormatDescription)?.audioStreamBasicDescription
    }
    let rate = LooseNumber.double(settings?[AVSampleRateKey]) ?? first?.mSampleRate ?? 44_100
    let channels =
      LooseNumber.integer(settings?[AVNumberOfChannelsKey]) ?? Int(first?.mChannelsPerFrame ?? 2)
    guard (1...8).contains(channels), (4000...192_000).contains(rate) else {
      throw AVError(.unknown, because: "Audio cannot be mixed into \(channels) channels of \(rate) Hz.")
    }
    (self.rate, self.channels) = (rate, channels)
    start = range.start
    let last = range.end.isNumeric ? min(range.end, end) : end
    frames = max(0, Self.frames(last - range.start, rate))
    let wanted: [String: Any] = [
      AVLinearPCMIsFloatKey: true, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels,
    ]
    var inputs: [Input] = []
    for track in tracks {
      let parameters = mix?.inputParameters.first { $0.trackID == track.trackID }?.state.withLock { $0 }
      inputs.append(
        Input(
          try TrackDecoding(track, settings: wanted, range: range, pitch: parameters?.pitch ?? pitch),
          parameters?.volumes ?? RampList(),
          parameters?.tap.map {
            AudioTapRun($0, rate: rate, channels: channels, maxFrames: Self.chunk)
          }))
    }
    self.inputs = inputs
    let isFloat = LooseNumber.truth(settings?[AVLinearPCMIsFloatKey]) ?? false
    let bits = LooseNumber.integer(settings?[AVLinearPCMBitDepthKey]) ?? (isFloat ? 32 : 16)
    basic = PCMShape.describe(rate, channels, isFloat: isFloat, bits: bits)
    do {
      format = try CMFormatDescription(audioStreamBasicDescription: basic)
      converter =
        isFloat && bits == 32
        ? nil
        : try AudioResampler(
          from: PCMShape.describe(rate, channels, isFloat: true, bits: 32), to: basic,
          AudioResampler.Settings())
    } catch {
      throw AVError(.unknown, because: "Audio cannot be had with \(bits) bits: \(error)", underlying: error)
    }
  }

  /// The next audio; `nil` behind the end.
  func next() throws -> CMSampleBuffer? {
    let count = min(Self.chunk, frames - done)
    guard count > 0 else { return nil }
    var mixed = [Float](repeating: 0, count: count * channels)
    for input in inputs { try add(input, count, to: &mixed) }
    for index in mixed.indices { mixed[index] = min(max(mixed[index], -1), 1) }
    let time = moment(done)
    done += count
    let size = Int(basic.mBytesPerFrame)
    var bytes = Data(count: count * size)
    if let converter {
      _ = try bytes.withUnsafeMutableBytes { out in
        try mixed.withUnsafeBytes { source in
          try converter.convert(
            into: [out.baseAddress], room: count, from: [source.baseAddress], frames: count)
        }
      }
    } else {
      mixed.withUnsafeBytes { source in bytes.withUnsafeMutableBytes { $0.copyMemory(from: source) } }
    }
    return CMSampleBuffer(
      data: bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }, formatDescription: format,
      sampleCount: count, sampleSize: size,
      timing: CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: CMTimeScale(rate)), presentationTimeStamp: time,
        decodeTimeStamp: .invalid))
  }

  /// How many moments a time is; files may say any time.
  private static func frames(_ time: CMTime, _ rate: Double) -> Int {
    let count = (time.seconds * rate).rounded()
    return count.isNaN ? 0 : Int(min(max(count, -1e15), 1e15))
  }

  private func moment(_ frame: Int) -> CMTime {
    start + CMTime(value: Int64(frame), timescale: CMTimeScale(rate))
  }

  private func add(_ input: Input, _ count: Int, to mixed: inout [Float]) throws {
    let samples: [Float]
    if let tap = input.tap {
      samples = try tapped(input, tap, count)
    } else {
      samples = try loud(input, from: done, take(input, count))
    }
    for index in mixed.indices { mixed[index] += samples[index] }
  }

  /// A track's next audio, as its tap makes it.
  private func tapped(_ input: Input, _ tap: AudioTapRun, _ count: Int) throws -> [Float] {
    let isBefore = tap.isBeforeVolume
    let samples = try tap.process(count) { [self] wanted in
      let begin = input.place
      let count = min(wanted, frames - begin)
      let samples = try take(input, count)
      return MTAudioProcessingTap.Audio(
        samples: isBefore ? samples : loud(input, from: begin, samples),
        range: CMTimeRange(start: moment(begin), end: moment(begin + count)), isStart: begin == 0,
        isEnd: input.place >= frames)
    }
    return isBefore ? loud(input, from: done, samples) : samples
  }

  /// Samples at the volume that their track has.
  private func loud(_ input: Input, from begin: Int, _ samples: [Float]) -> [Float] {
    let volumes = input.volumes
    guard !volumes.ramps.isEmpty else { return samples }
    var samples = samples
    var volume: Float = 1
    for frame in 0..<samples.count / channels {
      // A ramp is followed in steps that are too short to be heard.
      if frame % 32 == 0 { volume = volumes.value(at: moment(begin + frame)) ?? 1 }
      for channel in 0..<channels { samples[frame * channels + channel] *= volume }
    }
    return samples
  }

  /// The next moments of a track; silence where it has nothing.
  private func take(_ input: Input, _ count: Int) throws -> [Float] {
    let end = input.place + count
    try read(input, upTo: end)
    var taken = [Float](repeating: 0, count: count * channels)
    let first = max(input.place, input.position)
    let last = min(end, input.position + input.samples.count / channels)
    if first < last {
      let source = (first - input.position) * channels..<(last - input.position) * channels
      let begin = (first - input.place) * channels
      taken.replaceSubrange(begin..<begin + source.count, with: input.samples[source])
    }
    let used = min(max(0, end - input.position), input.samples.count / channels)
    input.samples.removeFirst(used * channels)
    input.position += used
    input.place = end
    return taken
  }

  /// Reads until a moment is there, with silence where the track has none.
  private func read(_ input: Input, upTo end: Int) throws {
    while !input.isOver, input.position + input.samples.count / channels < end {
      guard let (begin, bytes) = try nextAudio(of: input) else { return }
      let known =
        input.samples.isEmpty ? max(begin, input.place) : input.position + input.samples.count / channels
      guard begin < end else {
        input.held = (begin, bytes)
        return
      }
      if input.samples.isEmpty { input.position = known }
      // Rounding between segments is no gap.
      if begin > known + 2 {
        input.samples.append(contentsOf: repeatElement(0, count: (begin - known) * channels))
      }
      let skipped = begin < known - 2 ? min((known - begin) * channels * 4, bytes.count) : 0
      bytes.withUnsafeBytes { raw in
        input.samples.append(contentsOf: raw[skipped...].bindMemory(to: Float.self))
      }
    }
  }

  private func nextAudio(of input: Input) throws -> (begin: Int, bytes: Data)? {
    if let held = input.held {
      input.held = nil
      return held
    }
    while let sample = try input.decoding.next() {
      guard let data = sample.dataBuffer else { continue }
      return (Self.frames(sample.presentationTimeStamp - start, rate), try data.dataBytes())
    }
    input.isOver = true
    return nil
  }
}
