internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux
internal import AudioTransforms

/// The way to an audio data output under one setting: what is converted, and what repeats from one chunk to the next and is
/// therefore made once.
final class AudioRoute: DeliveryRoute, @unchecked Sendable {  // Safe because what changes is under `state`.
  /// The result of converting a chunk of audio.
  enum Result {
    case sample(CMSampleBuffer)
    /// All of it waits in the converter for the chunk that follows.
    case kept
    /// Its data cannot be read.
    case broken
  }

  let route: MediaRoute
  /// `nil` for the audio as the device sends it.
  let settings: AudioDataSettings?

  private struct State {
    var format: AudioFormat?
    var description: CMAudioFormatDescription?
    var converter: AudioConverter?
  }

  private let state = Locked(State())

  init(_ route: MediaRoute, settings: AudioDataSettings?) {
    self.route = route
    self.settings = settings
  }

  var connection: AVCaptureConnection { route.connection }
  var isEnded: Bool { route.isEnded }

  func noteDelivered(holding token: (any AnyObject & Sendable)?) {
    route.lifetime.noteDelivered(holding: token)
  }

  /// The chunk as the client gets it: its samples the device's own memory, unless another format or volume is asked for.
  ///
  /// Its time is the first sample's own stamp, the others follow at the sample rate. One call at a time, in order.
  func sampleBuffer(for audio: CapturedAudio, followsGap: Bool) -> Result {
    guard audio.frameCount > 0 else { return .kept }
    let native = AudioFormat(rate: audio.sampleRate, channels: audio.channels)
    let gains = connection.channelGains(audio.channels)
    let target = settings?.format(rate: audio.sampleRate, channels: audio.channels) ?? native
    if target == native, gains.allSatisfy({ $0 == 1 }) {
      state.withLock { $0.converter = nil }
      return .sample(
        sample(
          audio.samples, target, count: audio.frameCount, at: CMTime(audio.timestamp),
          followsGap: followsGap))
    }
    let output = audio.withSamples { samples in
      state.withLock { state -> AudioConverter.Output in
        var converter =
          state.converter.take(
            ifIt: { !followsGap && $0.fits(audio) && $0.target == target })
          ?? AudioConverter(inputRate: audio.sampleRate, inputChannels: audio.channels, target: target)
        defer { state.converter = converter }
        return converter.convert(samples, gains: gains)
      }
    }
    guard let output else { return .broken }
    guard output.frameCount > 0 else { return .kept }
    let nanoseconds = Int64((output.offset * 1e9).rounded())
    return .sample(
      sample(
        output.bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }, target, count: output.frameCount,
        at: CMTime(audio.timestamp.advanced(byNanoseconds: nanoseconds)), followsGap: followsGap))
  }

  private func sample(
    _ data: CMBlockBuffer, _ format: AudioFormat, count: Int, at time: CMTime, followsGap: Bool
  ) -> CMSampleBuffer {
    let description = state.withLock { state -> CMAudioFormatDescription in
      if let description = state.description, state.format == format { return description }
      let description = CMFormatDescription.audio(format)
      state.format = format
      state.description = description
      return description
    }
    let sample = CMSampleBuffer(
      data: data, formatDescription: description, sampleCount: count, sampleSize: format.frameSize,
      timing: CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: CMTimeScale(format.rate.rounded())),
        presentationTimeStamp: time, decodeTimeStamp: .invalid))
    if followsGap {
      CMSetAttachment(
        sample, key: kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence, value: true,
        attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
    return sample
  }
}

extension Optional {
  /// Takes the value out, and returns it if `condition` holds for it.
  fileprivate mutating func take(ifIt condition: (Wrapped) -> Bool) -> Wrapped? {
    defer { self = nil }
    return flatMap { condition($0) ? $0 : nil }
  }
}

extension AudioConverter {
  fileprivate func fits(_ audio: CapturedAudio) -> Bool {
    inputRate == audio.sampleRate && inputChannels == audio.channels
  }
}

extension CapturedAudio {
  /// Lends the samples; `nil` when there are fewer than the chunk says.
  func withSamples<Result>(_ body: (UnsafeBufferPointer<Int16>) -> Result) -> Result? {
    let count = frameCount * channels
    let length = 2 * count
    var whole: CMBlockBuffer? = samples
    if !CMBlockBufferIsRangeContiguous(samples, atOffset: 0, length: length) {
      _ = CMBlockBufferCreateContiguous(
        allocator: kCFAllocatorDefault, sourceBuffer: samples, blockAllocator: kCFAllocatorDefault,
        customBlockSource: nil, offsetToData: 0, dataLength: length, flags: 0, blockBufferOut: &whole)
    }
    var start: UnsafeMutablePointer<CChar>?
    var available = 0
    guard let whole,
      CMBlockBufferGetDataPointer(
        whole, atOffset: 0, lengthAtOffsetOut: &available, totalLengthOut: nil, dataPointerOut: &start)
        == kCMBlockBufferNoErr,
      let start, available >= length
    else { return nil }
    return withExtendedLifetime(whole) {
      start.withMemoryRebound(to: Int16.self, capacity: count) {
        body(UnsafeBufferPointer(start: $0, count: count))
      }
    }
  }
}
