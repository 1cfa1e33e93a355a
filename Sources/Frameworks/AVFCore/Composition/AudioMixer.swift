internal import AVFAudio
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles
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
    /// Interleaved samples, and the moment of the first one.
    var samples: [Float] = []
    var position = 0
    var isOver = false
    /// Audio that comes later than what was asked for.
    var held: (begin: Int, bytes: Data)?

    init(_ decoding: TrackDecoding, _ volumes: RampList<Float>) {
      self.decoding = decoding
      self.volumes = volumes
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
          parameters?.volumes ?? RampList()))
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
    try read(input, upTo: done + count)
    let volumes = input.volumes
    var volume: Float = 1
    for frame in 0..<count {
      let place = done + frame - input.position
      guard place >= 0, place * channels < input.samples.count else { continue }
      // A ramp is followed in steps that are too short to be heard.
      if !volumes.ramps.isEmpty, frame % 32 == 0 { volume = volumes.value(at: moment(done + frame)) ?? 1 }
      for channel in 0..<channels {
        mixed[frame * channels + channel] += volume * input.samples[place * channels + channel]
      }
    }
    let used = min(max(0, done + count - input.position), input.samples.count / channels)
    input.samples.removeFirst(used * channels)
    input.position += used
  }

  /// Reads until a moment is there, with silence where the track has none.
  private func read(_ input: Input, upTo end: Int) throws {
    while !input.isOver, input.position + input.samples.count / channels < end {
      guard let (begin, bytes) = try nextAudio(of: input) else { return }
      let known = input.samples.isEmpty ? max(begin, done) : input.position + input.samples.count / channels
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
