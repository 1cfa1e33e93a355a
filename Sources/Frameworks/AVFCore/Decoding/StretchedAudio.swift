internal import AVFAudio
internal import AudioTransforms
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import MediaFiles
internal import VideoCodecs

/// The audio of a range of a file's track, made slower or faster, at the pitch that it has in the file.
///
/// What the file has before and behind the range makes the seams. Not thread-safe.
final class StretchedAudio {
  /// How many moments come at a time.
  private static let chunk = 4096
  /// The rates that ``AVAudioTimePitchAlgorithm/lowQualityZeroLatency`` knows.
  private static let steps = [0.5, 2.0 / 3, 0.8, 1, 1.25, 1.5, 2]

  private let decoding: SegmentDecoding?
  private var stretcher: RangeStretcher?
  private let converter: AudioResampler?
  private let format: CMFormatDescription
  private let basic: AudioStreamBasicDescription
  private let start: CMTime
  private let length: Int
  /// When the first sample that is decoded is due, and at which rate.
  private let begin: CMTime
  private let rate: Double
  /// Samples that were decoded, silence between them included, and how many there may be.
  private var taken = 0
  private let needed: Int
  /// What comes behind silence that is under way.
  private var held: CMSampleBuffer?
  private var made: [Float] = []
  private var given = 0

  /// - Parameters:
  ///   - settings: Of linear PCM.
  ///   - file: What the file has.
  ///   - source: Of which time of the file.
  ///   - target: When that is heard.
  ///   - pitch: Not `varispeed`.
  init(
    _ media: TrackSegment.Media, settings: [String: Any], of file: AudioStreamBasicDescription,
    source: CMTimeRange, target: CMTimeRange, pitch: AVAudioTimePitchAlgorithm
  ) throws(AVError) {
    let label = LooseNumber.double(settings[AVSampleRateKey]) ?? file.mSampleRate
    let channels = LooseNumber.integer(settings[AVNumberOfChannelsKey]) ?? Int(file.mChannelsPerFrame)
    let isFloat = LooseNumber.truth(settings[AVLinearPCMIsFloatKey]) ?? false
    let bits = isFloat || LooseNumber.integer(settings[AVLinearPCMBitDepthKey]) == 32 ? 32 : 16
    let tempo = source.duration.seconds / target.duration.seconds
    guard (1...64).contains(channels), (1...1_000_000).contains(label) else {
      throw AVError(.unknown, because: "Audio cannot be had in \(channels) channels of \(label) Hz.")
    }
    // What the nearest step is away is heard as another pitch.
    let nearest = Self.steps.min { abs(log($0 / tempo)) < abs(log($1 / tempo)) } ?? 1
    let rest = pitch == .lowQualityZeroLatency ? tempo / nearest : 1
    let rate = (label / rest).rounded()
    let frames = Self.moments(source.duration, rate)
    let length = Self.moments(target.duration, label)
    (self.length, self.rate, start) = (length, rate, target.start)
    basic = PCMShape.describe(label, channels, isFloat: isFloat, bits: bits)
    do {
      format = try CMFormatDescription(audioStreamBasicDescription: basic)
      converter =
        isFloat
        ? nil
        : try AudioResampler(
          from: PCMShape.describe(label, channels, isFloat: true, bits: 32), to: basic,
          AudioResampler.Settings())
    } catch {
      throw AVError(
        .unknown, because: "Scaled audio cannot be had with \(bits) bits: \(error)", underlying: error)
    }
    guard length > 0, frames > 0, (0.999 / 32...32.03).contains(tempo), (1000...1_000_000).contains(rate)
    else {
      // Silence.
      (decoding, stretcher, begin, needed) = (nil, nil, source.start, 0)
      return
    }
    let context = CMTime(
      value: CMTimeValue(RangeStretcher.context(rate: Int(rate))), timescale: CMTimeScale(rate))
    begin = max(.zero, source.start - context)
    needed = Self.moments(source.end + context - begin, rate)
    var wanted = settings
    wanted[AVLinearPCMIsFloatKey] = true
    wanted[AVSampleRateKey] = rate
    wanted[AVNumberOfChannelsKey] = channels
    decoding = try SegmentDecoding(
      media.track, path: media.path, settings: wanted,
      range: CMTimeRange(start: begin, end: source.end + context))
    stretcher = RangeStretcher(
      pitch == .spectral ? .spectrum : .waveform, frames: frames, length: length,
      lead: Self.moments(source.start - begin, rate), rate: Int(rate), channels: channels)
  }

  private static func moments(_ time: CMTime, _ rate: Double) -> Int {
    let count = (time.seconds * rate).rounded()
    return count.isNaN ? 0 : Int(min(max(count, -1e12), 1e12))
  }

  /// The next sample buffer; `nil` behind the last one.
  func next() throws(AVError) -> CMSampleBuffer? {
    let channels = Int(basic.mChannelsPerFrame)
    let count = min(Self.chunk, length - given)
    guard count > 0 else { return nil }
    if stretcher == nil, made.isEmpty { made = [Float](repeating: 0, count: count * channels) }
    while made.count < count * channels { try stretch() }
    let samples = Array(made[..<(count * channels)])
    made.removeFirst(count * channels)
    let rate = CMTimeScale(basic.mSampleRate)
    let time = start + CMTime(value: CMTimeValue(given), timescale: rate)
    given += count
    return CMSampleBuffer(
      data: try converted(samples, count).withUnsafeBytes { CMBlockBuffer(copying: $0) },
      formatDescription: format, sampleCount: count, sampleSize: Int(basic.mBytesPerFrame),
      timing: CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: rate), presentationTimeStamp: time, decodeTimeStamp: .invalid))
  }

  private func stretch() throws(AVError) {
    var next = held
    if next == nil, taken < needed { next = try decoding?.next() }
    guard taken < needed, let sample = next else {
      stretcher?.finish(into: &made)
      stretcher = nil
      // What is not there is silent.
      let missing = (length - given) * Int(basic.mChannelsPerFrame) - made.count
      made.append(contentsOf: repeatElement(0, count: max(0, missing)))
      return
    }
    let channels = Int(basic.mChannelsPerFrame)
    let gap = Self.moments(sample.presentationTimeStamp - begin, rate) - taken
    // Behind the first ones, rounding is no gap; a long one is filled a second at a time.
    if gap > (taken == 0 || held != nil ? 0 : 2) {
      held = sample
      return put([Float](repeating: 0, count: min(gap, Int(rate)) * channels))
    }
    held = nil
    guard let bytes = try? sample.dataBuffer?.dataBytes() else { return }
    let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let skipped = gap < (taken == 0 ? 0 : -2) ? min(-gap * channels, samples.count) : 0
    put(skipped == 0 ? samples : Array(samples[skipped...]))
  }

  private func put(_ samples: [Float]) {
    taken += samples.count / Int(basic.mChannelsPerFrame)
    stretcher?.process(samples, into: &made)
  }

  private func converted(_ samples: [Float], _ count: Int) throws(AVError) -> Data {
    guard let converter else { return samples.withUnsafeBytes { Data($0) } }
    var bytes = Data(count: count * Int(basic.mBytesPerFrame))
    let limited = samples.map { min(max($0, -1), 1) }
    do {
      _ = try bytes.withUnsafeMutableBytes { out in
        try limited.withUnsafeBytes { source in
          try converter.convert(
            into: [out.baseAddress], room: count, from: [source.baseAddress], frames: count)
        }
      }
    } catch {
      throw AVError(.unknown, because: "Scaled audio cannot be converted: \(error)", underlying: error)
    }
    return bytes
  }
}
