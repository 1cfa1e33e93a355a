internal import AVFAudio
internal import CoreMedia
internal import FoundationExtras
internal import MediaFiles

/// The samples of one segment in the asset's times.
///
/// Not thread-safe.
final class SegmentReading {
  private let decoding: SegmentDecoding?
  /// In place of `decoding`: scaled audio that keeps its pitch.
  private let stretched: StretchedAudio?
  private let segment: TrackSegment
  private let isDecoded: Bool
  /// The rate that scaled audio is labelled with whose pitch follows: it was converted to another one, so that it takes another time.
  private let rate: Double?
  private var format: CMFormatDescription?

  /// - Parameters:
  ///   - range: Of which time of the asset.
  ///   - pitch: How audio that is made slower or faster sounds.
  init(
    _ segment: TrackSegment, settings: [String: Any]?, range: CMTimeRange, pitch: AVAudioTimePitchAlgorithm
  ) throws(AVError) {
    guard let media = segment.media else { throw AVError(.unknown, because: "There is no media to read.") }
    self.segment = segment
    isDecoded = settings != nil
    var wanted = range
    var settings = settings
    var rate: Double?
    var target = range
    if let mapping = segment.mapping {
      let end = range.end.isNumeric ? min(range.end, mapping.target.end) : mapping.target.end
      target = CMTimeRange(start: max(range.start, mapping.target.start), end: end)
      wanted = CMTimeRange(start: segment.mediaTime(target.start), end: segment.mediaTime(end))
    }
    if segment.isScaled, let asked = settings, media.track.mediaType == kCMMediaType_Audio,
      let basic = media.track.format?.audioStreamBasicDescription
    {
      guard pitch == .varispeed else {
        stretched = try StretchedAudio(
          media, settings: asked, of: basic, source: wanted, target: target, pitch: pitch)
        (decoding, self.rate) = (nil, nil)
        return
      }
      let label = LooseNumber.double(asked[AVSampleRateKey]) ?? basic.mSampleRate
      let converted = (label * segment.scale).rounded()
      guard (100...1_000_000).contains(converted) else {
        throw AVError(.unknown, because: "Audio cannot be played \(1 / segment.scale) times as fast.")
      }
      settings?[AVSampleRateKey] = converted
      rate = label
    }
    (self.rate, stretched) = (rate, nil)
    decoding = try SegmentDecoding(media.track, path: media.path, settings: settings, range: wanted)
  }

  /// The next sample buffer; `nil` behind the last one.
  func next() throws(AVError) -> CMSampleBuffer? {
    if let stretched { return try stretched.next() }
    guard let sample = try decoding?.next() else { return nil }
    guard let mapping = segment.mapping else { return sample }
    if let rate { return try relabelled(sample, rate) }
    var timings = (try? sample.sampleTimingInfos()) ?? []
    for index in timings.indices {
      let old = timings[index]
      timings[index].presentationTimeStamp = segment.assetTime(old.presentationTimeStamp)
      timings[index].decodeTimeStamp = segment.assetTime(old.decodeTimeStamp)
      timings[index].duration =
        isDecoded && sample.imageBuffer == nil ? old.duration : segment.assetDuration(old.duration)
      if sample.imageBuffer != nil { cut(&timings[index], to: mapping.target) }
    }
    do {
      return try CMSampleBuffer(copying: sample, withNewTiming: timings)
    } catch {
      throw AVError(
        .unknown, because: "A sample of a composition cannot be moved: \(error)", underlying: error)
    }
  }

  /// A picture that is on show where the segment begins or ends is shown only inside of it.
  private func cut(_ timing: inout CMSampleTimingInfo, to target: CMTimeRange) {
    let begin = max(timing.presentationTimeStamp, target.start)
    if timing.duration.isNumeric {
      timing.duration = min(timing.presentationTimeStamp + timing.duration, target.end) - begin
    }
    timing.presentationTimeStamp = begin
  }

  private func relabelled(_ sample: CMSampleBuffer, _ rate: Double) throws(AVError) -> CMSampleBuffer {
    do {
      if format == nil, var basic = sample.formatDescription?.audioStreamBasicDescription {
        basic.mSampleRate = rate
        format = try CMFormatDescription(audioStreamBasicDescription: basic)
      }
      guard let format, let data = sample.dataBuffer else { return sample }
      return CMSampleBuffer(
        data: data, formatDescription: format, sampleCount: sample.numSamples,
        sampleSize: data.dataLength / max(1, sample.numSamples),
        timing: CMSampleTimingInfo(
          duration: CMTime(value: 1, timescale: CMTimeScale(rate)),
          presentationTimeStamp: segment.assetTime(sample.presentationTimeStamp), decodeTimeStamp: .invalid))
    } catch {
      throw AVError(.unknown, because: "Scaled audio cannot be described: \(error)", underlying: error)
    }
  }
}
